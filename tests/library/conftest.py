"""Settings of the library's tests."""

from hypothesis import settings

# The same examples on every run; slowness is no failure.
settings.register_profile("repository", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("repository")

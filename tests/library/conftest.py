"""Settings of the library's tests."""

import jaxtyping
import pytest
from hypothesis import settings

# The same examples on every run; slowness is no failure.
settings.register_profile("repository", derandomize=True, deadline=None, max_examples=40)
settings.load_profile("repository")


@pytest.fixture
def without_shape_checks():
    """pe_lib as its users have it: the tests' own type checker steps aside."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)

"""Exercises with a checker that names the mistake: ``check.NAME(your_function)``.

Every module ``CHAPTER/NAME.py`` is an exercise, and it is found without being listed anywhere. Code
that several exercises share is in modules whose names begin with an underscore.

>>> from pe_lib.exercises import check
>>> "wavelength" in dir(check)
True
>>> check.wavelength(lambda column, dim: None)
Not yet: my_wavelength(0, 8) gave back None.
If you have written your code, does it end with a `return`?
"""

from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules

from pe_lib.exercises.by_name import Check
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise, Verdict
from pe_lib.exercises.mistakes import Mistakes


def _modules() -> Iterator[str]:
    """Every chapter's exercises."""
    for chapter in iter_modules(__path__):
        for module in iter_modules([str(Path(__path__[0], chapter.name))]):
            if not module.name.startswith("_"):
                yield f"{__name__}.{chapter.name}.{module.name}"


check = Check(_modules())

__all__ = ["Check", "Exercise", "Mistakes", "Verdict", "call", "check"]

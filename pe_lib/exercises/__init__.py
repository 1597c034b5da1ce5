"""Exercises with a checker that names the mistake: ``check.NAME(your_function)``.

An exercise is a module ``CHAPTER/NAME.py`` with an ``EXERCISE`` in it, found by being there; what
several share is in modules whose names begin with an underscore.

>>> from pe_lib.exercises import check
>>> "wavelength" in dir(check)
True
>>> check.wavelength(lambda column, dim: None)
Not yet: my_wavelength(0, 8) gave back None.
If your code is already there: does it end with a `return`?
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from pe_lib.exercises.checker import Check, Exercise, Mistake, Verdict
from pe_lib.exercises.runs import call


def _exercises() -> Iterator[Exercise]:
    """Every chapter's exercises."""
    for chapter in iter_modules(__path__):
        for module in iter_modules([str(Path(__path__[0], chapter.name))]):
            if not module.name.startswith("_"):
                yield import_module(f"{__name__}.{chapter.name}.{module.name}").EXERCISE


check = Check(_exercises())

__all__ = ["Check", "Exercise", "Mistake", "Verdict", "call", "check"]

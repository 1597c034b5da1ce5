"""Exercises by name: ``check.NAME`` is the ``exercise`` in the module ``NAME``.

A module is imported when its exercise is first asked for.
"""

from collections.abc import Iterable
from importlib import import_module

from pe_lib.exercises.checker import Exercise


class Check:
    """The exercises by name: ``check.NAME(your_function)``; ``dir(check)`` lists them.

    Args:
        modules: the full names of their modules.

    Example:
        >>> Check([])
        check: no exercises
    """

    def __init__(self, modules: Iterable[str]) -> None:
        self._modules = {module.rpartition(".")[2]: module for module in modules}

    def __getattr__(self, name: str) -> Exercise:
        if name.startswith("_") or name not in self._modules:
            raise AttributeError(f"no exercise {name!r}: there are {', '.join(dir(self))}")
        exercise: Exercise = import_module(self._modules[name]).exercise
        return exercise

    def __dir__(self) -> list[str]:
        return sorted(self._modules)

    def __repr__(self) -> str:
        return f"check: {', '.join(dir(self)) or 'no exercises'}"

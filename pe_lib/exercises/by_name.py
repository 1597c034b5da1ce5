"""Exercises by name: ``check.NAME`` reads the module ``NAME`` when it is first asked for.

The module is the exercise. It holds

- the right answer, a function called as the learner is to call theirs, ``my_…``;
- ``CALLS``, the hidden calls;
- ``WHOLE_NUMBERS = True``, where floats are refused;
- the classic mistakes, each a function under ``@mistake``, or tuples of them that exercises share.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from pe_lib.exercises.checker import Exercise, Mistake


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
        exercise = _exercise(import_module(self._modules[name]))
        vars(self)[name] = exercise  # found there from now on
        return exercise

    def __dir__(self) -> list[str]:
        return sorted(self._modules)

    def __repr__(self) -> str:
        return f"check: {', '.join(dir(self)) or 'no exercises'}"


def _exercise(module: ModuleType) -> Exercise:
    """The exercise that a module is."""
    held = vars(module)
    [answer] = [value for name, value in held.items() if name.startswith("my_")]
    return Exercise(
        name=module.__name__.rpartition(".")[2],
        signature=_as_written(answer),
        reference=answer,
        calls=held["CALLS"],
        mistakes=tuple(_mistakes_in(held.values())),
        whole=held.get("WHOLE_NUMBERS", False),
    )


def _mistakes_in(values: Iterable[object]) -> Iterator[Mistake]:
    """The mistakes among a module's values, in their order, those in tuples too."""
    for value in values:
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, Mistake):
                yield each


def _as_written(function: Callable[..., Any]) -> str:
    """``my_table(length, dim)``: what a learner writes, without types."""
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
    ]
    return f"{function.__name__}{inspect.Signature(parameters)}"

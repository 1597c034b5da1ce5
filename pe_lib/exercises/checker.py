"""The engine of the exercises: run, compare, name the mistake.

An exercise has hidden calls, a right answer and classic mistakes. Each mistake is a function that
makes it. The learner's function and all of these functions run on the same calls. If a mistake
gives the same results as the learner's function, the learner has made this mistake.
"""

import inspect
import re
import textwrap
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from pe_lib.exercises.calls import (
    FLOATS,
    HALF,
    WHOLE,
    Call,
    Run,
    as_tensor,
    differs,
    run_call,
    same,
)
from pe_lib.exercises.mistakes import Function, Mistake, Mistakes

# Right to about four digits passes: float32 is enough at the positions that the calls ask for.
TOLERANCE = 1e-4
# A wrong version may turn much faster and lose more digits in float32. Catalogued mistakes are
# far further apart than this (a test holds them so).
MISTAKE_TOLERANCE = 1e-2


@dataclass(frozen=True)
class Verdict:
    """What ``check.NAME(function)`` found; it shows as its message.

    Attributes:
        passed: whether the function is right on every hidden call.
        message: what to tell the learner.
        mistake: name of the mistake that was recognised, or None.
    """

    passed: bool
    message: str
    mistake: str | None = None

    def __repr__(self) -> str:
        return "\n".join(
            textwrap.fill(line, 80, break_long_words=False, break_on_hyphens=False)
            for line in self.message.splitlines()
        )

    def __bool__(self) -> bool:
        return self.passed


class Exercise(Mistakes):
    """One exercise; calling it with the learner's function checks that function.

    Args:
        calls: the hidden calls; tensors are positional arguments, and copied for every run.
        whole_numbers: whether the answer has to have an integer dtype; usually 2.0 is as good as 2.

    Attributes:
        reference: gives the right answer; called like the learner's function.
        mistakes: the classic mistakes, told apart by the calls.

    Example:
        >>> from pe_lib.exercises import call
        >>> exercise = Exercise(call(2.0), call(3.5))
        >>> @exercise.answer
        ... def my_double(value: float) -> float:
        ...     return 2 * value
        >>> @exercise.mistake(see="Doubling")
        ... def squared(value: float) -> float:
        ...     "that is the square."
        ...     return value**2
        >>> exercise(lambda number: number * number)
        Not yet: that is the square.
        Read again: “Doubling”.
    """

    reference: Callable[..., Any]

    def __init__(self, *calls: Call, whole_numbers: bool = False) -> None:
        super().__init__()
        self.calls = calls
        self.whole_numbers = whole_numbers

    def answer(self, reference: Function) -> Function:
        """Decorator for the right answer: same name and parameters as the learner's function."""
        self.reference = reference
        return reference

    @property
    def name(self) -> str:
        """The exercise is ``check.<name>``; the module of its answer has the same name."""
        return self.reference.__module__.rpartition(".")[2]

    @property
    def signature(self) -> str:
        """``my_table(length, dim)``: what the learner writes, without types."""
        parameters = [
            parameter.replace(annotation=inspect.Parameter.empty)
            for parameter in inspect.signature(self.reference).parameters.values()
        ]
        return f"{self.reference.__name__}{inspect.Signature(parameters)}"

    def __repr__(self) -> str:
        return f"check.{self.name}: checks your {self.signature}"

    def __call__(self, function: object) -> Verdict:
        """Run ``function`` on the hidden calls and say what is right or wrong.

        Raises:
            TypeError: ``function`` cannot be called.
        """
        if not callable(function):
            raise TypeError(
                f"check.{self.name}: expected your function itself, as in "
                f"check.{self.name}({self.reference.__name__}), got {_kind(function)}"
            )
        title = self._title(function)
        runs = [run_call(function, each) for each in self.calls]
        right = [
            same(run.result, answer, TOLERANCE)
            for run, answer in zip(runs, self._rights, strict=True)
        ]
        if all(right):
            return self._right(runs, title)
        if known := self._known_mistake(runs):
            message = f"Not yet: {known.message}\nRead again: “{known.where}”."
            return Verdict(False, message, known.name)
        first = right.index(False)
        result, shown = runs[first].result, self._show(self.calls[first], title)
        problem = (
            _unfinished(result)
            or self._exception(result, function)
            or _wrong_kind(result, self._rights[first])
            or _first_difference(result, self._rights[first], right)
        )
        return Verdict(False, f"Not yet: {shown} {problem}")

    def _title(self, function: Callable[..., Any]) -> str:
        """The learner's own name for the function; a lambda gets the exercise's."""
        name = getattr(function, "__name__", "")
        return name if name.isidentifier() else self.reference.__name__

    def _show(self, each: Call, title: str) -> str:
        """A call as the learner would type it; tensors and functions go by their parameter's
        name."""
        names = list(inspect.signature(self.reference).parameters)
        shown, notes = [], []
        for name, value in zip(names, each.args, strict=False):
            if isinstance(value, Tensor):
                notes.append(f"{name} of shape {tuple(value.shape)}")
            shown.append(name if isinstance(value, Tensor) or callable(value) else repr(value))
        shown += [f"{name}={value!r}" for name, value in each.kwargs.items()]
        return f"{title}({', '.join(shown)})" + (f" with {', '.join(notes)}" if notes else "")

    def _known_mistake(self, runs: list[Run]) -> Mistake | None:
        results = [_widened(run.result) for run in runs]
        for each, wrong in zip(self.mistakes, self._wrong, strict=True):
            pairs = zip(results, wrong, strict=True)
            if all(same(result, other, MISTAKE_TOLERANCE) for result, other in pairs):
                return each
        return None

    @cached_property
    def _rights(self) -> list[Any]:
        """The right answers of the hidden calls."""
        return [as_tensor(self.reference(*each.args, **each.kwargs)) for each in self.calls]

    @cached_property
    def _wrong(self) -> list[list[Any]]:
        """What each mistake gives on the hidden calls."""
        return [
            [_widened(run_call(known.wrong, each).result) for each in self.calls]
            for known in self.mistakes
        ]

    def _right(self, runs: list[Run], title: str) -> Verdict:
        """Every number is right; what is left to ask is whether it is whole where it has to be,
        and whether an argument was changed."""
        for run, each in zip(runs, self.calls, strict=True):
            if self.whole_numbers and run.result.is_floating_point():
                message = (
                    f"Not yet: the numbers are right, but {self._show(each, title)} gave back "
                    f"dtype {_name(run.result.dtype)}. The exercise asks for whole numbers (int64)."
                )
                return Verdict(False, message, "floats for whole numbers")
            if run.changed:
                message = (
                    f"Not yet: the numbers are right, but {self._show(each, title)} changed its "
                    "argument: after the call, the caller's own tensor holds different numbers. "
                    "Compute a new tensor instead of writing into the one that came in."
                )
                return Verdict(False, message, "changed in place")
        return Verdict(True, f"Right: {title} passes all {len(runs)} hidden calls.")

    def _exception(self, result: object, function: Callable[..., Any]) -> str | None:
        if not isinstance(result, Exception):
            return None
        said = re.sub(r"0x[0-9a-fA-F]+", "0x…", str(result)).strip().partition("\n")[0]
        problem = f"raised {type(result).__name__}" + (f": {said}" if said else ".")
        code = getattr(function, "__code__", None)
        frames = traceback.extract_tb(result.__traceback__)
        lines = [frame.line for frame in frames if code and frame.filename == code.co_filename]
        if not lines:  # it never came into the learner's code: the call itself does not fit
            return f"{problem}\nThe exercise asks for {self.signature}."
        return f"{problem}\nIt happened at: {lines[-1]}" if lines[-1] else problem


def _widened(result: Any) -> Any:
    """Half precision in full: a mistake is known in any floating point dtype."""
    half = isinstance(result, Tensor) and result.dtype in HALF
    return result.float() if half else result


def _unfinished(result: object) -> str | None:
    # With a text it is shown like any other exception: torch raises it too.
    if isinstance(result, NotImplementedError) and not str(result):
        return "is not written yet."
    if result is None or result is Ellipsis:
        gave = "None" if result is None else "..."
        return f"gave back {gave}.\nIf you have written your code, does it end with a `return`?"
    return None


def _wrong_kind(result: object, right: Tensor | bool) -> str | None:
    """Wrong type, wrong dtype, wrong shape."""
    if isinstance(right, bool):
        return None if isinstance(result, bool) else "gave back neither True nor False."
    if not isinstance(result, Tensor):
        wanted = "a tensor (or a NumPy array)" if right.ndim else "one number"
        return f"gave back {_kind(result)}, expected {wanted}."
    whole = torch.equal(right, right.round())  # integers are not the fault where these are right
    half = right.dtype in HALF
    if result.dtype not in ((right.dtype,) if half else FLOATS + WHOLE if whole else FLOATS):
        wanted = "float32 or float64" if right.dtype in FLOATS else _name(right.dtype)
        hint = ", with real and imaginary part as two numbers" if result.is_complex() else ""
        return f"gave back dtype {_name(result.dtype)}, expected {wanted}{hint}."
    if result.shape != right.shape:
        wanted = f"shape {tuple(right.shape)}" if right.ndim else "one number, shape ()"
        return f"gave back shape {tuple(result.shape)}, expected {wanted}."
    return None


def _first_difference(result: Any, right: Any, passed: list[bool]) -> str:
    """Where the numbers part; the learner's number is shown, never the right one."""
    if isinstance(result, bool):
        at, yours = ": ", str(result)
    else:
        index = torch.nonzero(differs(result, right, TOLERANCE))[0].tolist()
        at = f".\nFirst at {index}: " if index else ": "
        yours = f"{result[tuple(index)].item():.4g}"
    return (
        f"is not right{at}yours is {yours}.\n{sum(passed)} of {len(passed)} hidden calls are right."
    )


def _name(dtype: torch.dtype) -> str:
    """``float32``"""
    return str(dtype).removeprefix("torch.")


def _kind(value: object) -> str:
    """``a list``, ``an int``: the type of a value, with its article."""
    name = type(value).__name__
    return f"{'an' if re.match('[aeiouAEIOU]|nd', name) else 'a'} {name}"

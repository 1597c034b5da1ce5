"""An exercise as a page without a kernel asks it: calls to copy, and the answers to expect.

The hidden calls that are short enough to print become code for the learner to run anywhere, and
what the right answer and every classic mistake print for them is recorded. The page compares it
with what the learner pastes.
"""

import inspect
import math
import pprint
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch import Tensor

from book.tools.page_calls import CALLS
from pe_lib.exercises.calls import Call, run_call
from pe_lib.exercises.checker import TOLERANCE, Exercise

# What the calls of an exercise may take together: numbers that they print, and characters of code.
# Where no call is so short, twice as much is allowed, and so on.
FEW_NUMBERS = 48
SHORT = 3000
# Of the largest number: what is further apart than this differs in a print of four digits too.
APART = 2e-3
WIDE = 96  # characters of a line
MADE_BY_DEFAULT = (torch.float32, torch.int64, torch.bool)  # dtypes that torch.tensor(…) gives

Number = float | str  # "nan", "inf", "-inf" and "None" go by their names


@dataclass(frozen=True)
class Printed:
    """What a function prints for some calls.

    Attributes:
        numbers: all numbers, one result after the other.
        shapes: the shape of every result.
        error: what it raises instead, as a traceback's last line has it.
    """

    numbers: tuple[Number, ...] = ()
    shapes: tuple[tuple[int, ...], ...] = ()
    error: str = ""

    def then(self, other: "Printed") -> "Printed":
        """This and what is printed after it, which is nothing after an error."""
        if self.error or other.error:
            return self if self.error else other
        return Printed(self.numbers + other.numbers, self.shapes + other.shapes)

    def differs(self, other: "Printed") -> bool:
        """Whether nobody who reads four digits of it could take the one for the other."""
        if (self.error, self.shapes) != (other.error, other.shapes):
            return True
        numbers = [one for one in self.numbers + other.numbers if not isinstance(one, str)]
        whole = all(one.is_integer() for one in numbers)  # those are printed with all their digits
        far = (2 * TOLERANCE if whole else APART) * max([1.0, *map(abs, numbers)])
        return any(
            one != two if isinstance(one, str) or isinstance(two, str) else abs(one - two) > far
            for one, two in zip(self.numbers, other.numbers, strict=True)
        )


@dataclass(frozen=True)
class OnPage:
    """An exercise as a page asks it.

    Attributes:
        code: the inputs, and the calls of the learner's function that print.
        right: what the right answer prints.
        wrong: what each of the mistakes prints, in their order.
        functions: the functions among the inputs, which come first in the code.
    """

    code: str
    right: Printed
    wrong: tuple[Printed, ...]
    functions: str = ""

    @property
    def told_apart(self) -> list[bool]:
        """Of each mistake: whether nothing else, right or wrong, prints the same."""
        everything = (self.right, *self.wrong)
        return [sum(not one.differs(each) for each in everything) == 1 for one in self.wrong]

    @property
    def worth(self) -> tuple[int, ...]:
        """How good it is to ask this: it tells much apart, and is short."""
        kinds: list[Printed] = []
        for each in (self.right, *self.wrong):
            if all(each.differs(kind) for kind in kinds):
                kinds.append(each)
        return len(kinds), -len(self.right.numbers), -len(self.code)

    def fits(self, room: int) -> bool:
        return len(self.right.numbers) <= room * FEW_NUMBERS and len(self.code) <= room * SHORT

    def then(self, other: "OnPage") -> "OnPage":
        """This, and another call after it."""
        wrong = (one.then(two) for one, two in zip(self.wrong, other.wrong, strict=True))
        gap = "\n\n" if "\n" in other.code else "\n"
        code = self.code + gap + other.code
        return replace(self, code=code, right=self.right.then(other.right), wrong=(*wrong,))


def on_page(exercise: Exercise) -> OnPage:
    """The exercise with the calls that tell most mistakes apart, as far as they are short.

    Example:
        >>> from pe_lib.exercises import check
        >>> asked = on_page(check.wavelength)
        >>> print(asked.code)
        print(my_wavelength(31, 64))
        >>> [round(number, 2) for number in asked.right.numbers]
        [471.17]
    """
    calls = CALLS.get(exercise.name, exercise.calls)
    single = [_asked(exercise, each) for each in calls if _can_be_printed(each)]
    room = 1
    while not (short := [one for one in single if one.fits(room)]):
        room *= 2
    best = max(short, key=lambda one: one.worth)
    while True:
        more = [best.then(one) for one in short if one.code not in best.code]
        better = [one for one in more if one.fits(room) and one.worth[0] > best.worth[0]]
        if not better:
            return replace(best, code=_with_imports(best.functions + best.code))
        best = max(better, key=lambda one: one.worth)


def _asked(exercise: Exercise, hidden: Call) -> OnPage:
    """The exercise with one of its calls; what is printed is computed from the printed inputs."""
    shown = Call(tuple(_rounded(value) for value in hidden.args), hidden.kwargs)
    wrong = tuple(_printed(mistake.wrong, shown) for mistake in exercise.mistakes)
    right = _printed(exercise.reference, shown)
    return OnPage(_code(exercise, shown), right, wrong, _functions(shown))


# --- what is printed ----------------------------------------------------------------------------


def _printed(function: Callable[..., Any], shown: Call) -> Printed:
    result = run_call(function, shown).result
    if isinstance(result, Exception):
        return Printed(error=f"{type(result).__name__}: {result}".partition("\n")[0])
    if result is None:
        return Printed(("None",), ((),))
    tensor = torch.as_tensor(result).double()
    numbers = tensor.flatten().tolist()
    return Printed(tuple(_number(one) for one in numbers), (tuple(tensor.shape),))


def _number(value: float) -> Number:
    return value if math.isfinite(value) else str(value)


# --- the code -----------------------------------------------------------------------------------


def _can_be_printed(hidden: Call) -> bool:
    tensors = [value for value in hidden.args if isinstance(value, Tensor)]
    return all(tensor.numel() and tensor.isfinite().all() for tensor in tensors)


def _rounded(value: Any) -> Any:
    """Numbers that can be printed exactly: four decimals where these are all there are, or one."""
    if not (isinstance(value, Tensor) and value.is_floating_point()):
        return value
    exact = torch.allclose(value, value.round(decimals=4), rtol=0, atol=1e-6)
    return torch.tensor(_numbers(value, 4 if exact else 1), dtype=value.dtype)


def _numbers(value: Any, decimals: int) -> Any:
    """A tensor as lists; 0.0 added, so that there is no -0.0."""
    if isinstance(value, Tensor):
        value = value.tolist()
    if isinstance(value, list):
        return [_numbers(each, decimals) for each in value]
    return round(value, decimals) + 0.0 if isinstance(value, float) else value


def _functions(shown: Call) -> str:
    """The sources of the functions among the arguments."""
    functions = [getattr(value, "func", value) for value in shown.args if callable(value)]
    return "".join(f"\n{inspect.getsource(function)}\n\n" for function in functions)


def _code(exercise: Exercise, shown: Call) -> str:
    """Inputs that are long by the names of the parameters, and the call that prints."""
    lines, arguments = [], []
    names = inspect.signature(exercise.reference).parameters
    for name, value in zip(names, shown.args, strict=False):
        long = _long(value, len(name))
        if long:
            lines.append(f"{name} = {long}")
        arguments.append(name if long else repr(value))
    arguments += [f"{name}={value!r}" for name, value in shown.kwargs.items()]
    call = f"print({exercise.reference.__name__}({', '.join(arguments)}))"
    return "\n".join([*lines, call])


def _long(value: Any, indent: int) -> str:
    """What has a line of its own: a tensor or a function."""
    if isinstance(value, Tensor):
        return _tensor(value, indent)
    if isinstance(value, partial):
        keywords = "".join(f", {name}={given!r}" for name, given in value.keywords.items())
        return f"partial({value.func.__name__}{keywords})"
    return value.__name__ if callable(value) else ""


def _tensor(value: Tensor, indent: int) -> str:
    start, end = "torch.tensor(", "" if value.dtype in MADE_BY_DEFAULT else f", dtype={value.dtype}"
    indent += len(f" = {start}")
    lists = pprint.pformat(_numbers(value, 4), width=WIDE - indent - len(end), compact=True)
    return start + lists.replace("\n", "\n" + " " * indent) + f"{end})"


def _with_imports(code: str) -> str:
    imports = {
        "partial(": "from functools import partial\n\n",
        "torch.": "import torch\n",
        "Tensor": "from torch import Tensor\n",
    }
    needed = "".join(line for used, line in imports.items() if used in code)
    return f"{needed}\n{code}" if needed else code

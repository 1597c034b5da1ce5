"""Hidden calls: running a function on one, and telling whether two results are the same."""

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

FLOATS = (torch.float32, torch.float64)
WHOLE = (torch.int32, torch.int64)  # right where the answer is whole numbers
HALF = (torch.bfloat16, torch.float16)  # right where the answer is of that very dtype
# bfloat16 has two or three digits: about as much is lost by rounding cosines, products and a sum.
HALF_TOLERANCE = 1e-2


@dataclass(frozen=True)
class Call:
    """The arguments of one hidden call."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]


def call(*args: Any, **kwargs: Any) -> Call:
    """One hidden call, written like the call itself.

    Example:
        >>> call(6, dim=4)
        Call(args=(6,), kwargs={'dim': 4})
    """
    return Call(args, kwargs)


@dataclass(frozen=True)
class Run:
    """Result of one call (a tensor, any other object or the exception), and whether the call
    changed a tensor among its arguments."""

    result: Any
    changed: bool


def run_call(function: Callable[..., Any], each: Call) -> Run:
    """Call the function with copies of the tensors; what it raises is the result."""
    args = [value.clone() if isinstance(value, Tensor) else value for value in each.args]
    try:
        result = as_tensor(function(*args, **each.kwargs))
    except Exception as error:
        result = error
    changed = any(
        isinstance(before, Tensor) and not torch.equal(before, after)
        for before, after in zip(each.args, args, strict=True)
    )
    return Run(result, changed)


def as_tensor(value: object) -> Any:
    """A number, tensor or NumPy array as a tensor of its own, one truth value as a bool; anything
    else unchanged."""
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        return torch.tensor(float(value), dtype=torch.float64)
    if isinstance(value, Tensor):
        value = value.detach().cpu().to_dense().clone()
    elif hasattr(value, "__array__") and not isinstance(value, type):
        import numpy

        try:
            value = torch.from_numpy(numpy.array(value))
        except (TypeError, ValueError):  # a dtype that torch does not know
            return value
    truth = isinstance(value, Tensor) and value.dtype == torch.bool and not value.ndim
    return bool(value) if truth else value


def same(result: object, other: object, tolerance: float) -> bool:
    """Equal to within the tolerance; two exceptions are equal if they say the same, and None
    equals None (some mistakes find nothing on some calls). A truth value is not a number."""
    if result is None or isinstance(result, bool):
        return result is other
    if isinstance(result, Exception):
        return type(result) is type(other) and str(result) == str(other)
    if not (isinstance(result, Tensor) and isinstance(other, Tensor)):
        return False
    dtypes = (other.dtype,) if other.dtype in HALF else FLOATS + WHOLE
    if result.shape != other.shape or result.dtype not in dtypes:
        return False
    return not differs(result, other, tolerance).any()


def differs(result: Tensor, other: Tensor, tolerance: float) -> Tensor:
    """Which elements are further apart than the tolerance, measured by the largest of them.

    A nan equals a nan, and an infinity the same one: some mistakes are known by theirs. Where the
    other one is in half precision, that precision is the tolerance.
    """
    tolerance = HALF_TOLERANCE if other.dtype in HALF else tolerance
    sizes = other[other.isfinite()].abs()
    atol = tolerance * max(1.0, sizes.max().item() if sizes.numel() else 0.0)
    return ~torch.isclose(result.double(), other.double(), rtol=0, atol=atol, equal_nan=True)

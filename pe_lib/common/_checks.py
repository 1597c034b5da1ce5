"""Argument checks shared by the encodings: every message names the argument, what was
expected and what came."""

import math
import reprlib
import sys
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import torch
from torch import Tensor

LARGEST = sys.float_info.max  # read here: torch.compile up to 2.5 cannot


def check_type(value: object, name: str, kind: type | tuple[type, ...], expected: str) -> None:
    """Raise unless ``value`` is of this kind (``bool`` is an int to Python, but not here).

    Several kinds are a tuple: a union (``int | float``) is beyond ``torch.compile`` up to 2.9.
    """
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(f"{name}: expected {expected}, got {describe(value)}")


def check_bool(value: bool, name: str) -> None:
    """Raise unless ``value`` is True or False."""
    check_type(value, name, bool, "a bool")


def check_int(value: int, name: str, expected: str = "an int") -> None:
    """Raise unless ``value`` is an integer (in ``torch.export`` a ``SymInt``)."""
    check_type(value, name, (Integral, torch.SymInt), expected)


def check_count(value: int, name: str, least: int = 1) -> None:
    """Raise unless ``value`` is an int of at least ``least``."""
    check_int(value, name, f"an int >= {least}")
    if value < least:
        raise ValueError(f"{name}: expected an int >= {least}, got {value}")


def check_dim(dim: int, name: str = "dim") -> None:
    """Raise unless ``dim`` is an even int of at least 2 (features turn in pairs)."""
    check_int(dim, name, "an even int >= 2")
    if dim < 2 or dim % 2:
        raise ValueError(f"{name}: expected an even int >= 2 (features come in pairs), got {dim}")


def check_finite(
    value: Any,
    name: str,
    expected: str = "a finite number",
    fits: Callable[[float], bool] = lambda number: True,
) -> None:
    """Raise unless ``value`` is a real number that a float can hold, and one that ``fits``.

    It compares, which is false for a nan: ``torch.compile`` has no ``math.isfinite`` of a number
    that may change from call to call, and takes it for granted that such a one is below infinity.
    """
    check_type(value, name, (Real, torch.SymInt, torch.SymFloat), expected)
    plain = isinstance(value, (int, float, torch.SymInt, torch.SymFloat))
    try:
        number = value if plain else float(value)  # NumPy's float32 has no number as large
    except OverflowError:  # a fraction may be larger
        number = math.inf
    if not (abs(number) <= LARGEST and fits(value)):
        raise ValueError(f"{name}: expected {expected}, got {reprlib.repr(value)}")


def check_positive(value: float, name: str) -> None:
    """Raise unless ``value`` is a finite number above 0."""
    check_finite(value, name, "a finite number > 0", lambda number: number > 0)


def check_factor(value: float, name: str = "factor") -> None:
    """Raise unless ``value`` is a finite number of at least 1 (texts become longer)."""
    check_finite(value, name, "a finite number >= 1", lambda number: number >= 1)


def check_floating(dtype: torch.dtype, name: str = "dtype") -> None:
    """Raise unless ``dtype`` is a real floating point dtype of torch."""
    check_type(dtype, name, torch.dtype, "a floating point torch.dtype")
    _check_arithmetic(dtype, name, "a floating point torch.dtype", f"{dtype}")


def _check_arithmetic(dtype: torch.dtype, name: str, expected: str, got: str) -> None:
    """Raise unless torch computes with real numbers of this dtype: it only stores 8 bits or 4."""
    if not dtype.is_floating_point:
        raise TypeError(f"{name}: expected {expected}, got {got}")
    if dtype.itemsize < 2:
        raise TypeError(f"{name}: expected {expected} of at least 16 bits, got {got}")


def check_real_tensor(value: Tensor, name: str, expected: str = "a real tensor") -> None:
    """Raise unless ``value`` is a tensor of integers or real numbers."""
    check_type(value, name, Tensor, expected)
    if value.dtype.is_complex or value.dtype == torch.bool:
        raise TypeError(f"{name}: expected {expected}, got dtype {value.dtype}")


def check_int_tensor(value: Tensor, name: str) -> None:
    """Raise unless ``value`` is a tensor of integers."""
    check_real_tensor(value, name, "an integer tensor")
    if value.dtype.is_floating_point:
        raise TypeError(f"{name}: expected an integer tensor, got dtype {value.dtype}")


def check_float_tensor(value: Tensor, name: str, axes: str = "") -> None:
    """Raise unless ``value`` is a floating point tensor with ``axes`` like " (..., seq, dim)"."""
    check_type(value, name, Tensor, f"a floating point tensor{axes}")
    _check_arithmetic(value.dtype, name, "a floating point tensor", f"dtype {value.dtype}")
    check_axes(value, name, axes)


def check_axes(tensor: Tensor, name: str, axes: str) -> None:
    """Raise unless ``tensor`` has all the ``axes`` that are named after the dots."""
    least = axes.partition("...")[2].count(",")
    if tensor.ndim < least:
        raise ValueError(
            f"{name}: expected at least {least} axes{axes}, got shape {tuple(tensor.shape)}"
        )


def check_features(x: Tensor, dim: int, name: str = "x", dim_name: str = "dim") -> None:
    """Raise unless ``x`` is a floating point tensor (..., seq, dim)."""
    check_float_tensor(x, name, f" (..., seq, {dim_name})")
    if x.shape[-1] != dim:
        raise ValueError(
            f"{name}: expected {dim_name} = {dim} features on the last axis, got {x.shape[-1]} "
            f"(shape {tuple(x.shape)})"
        )


def check_sequence(
    values: Sequence[object], name: str, expected: str, length: int | None = None
) -> None:
    """Raise unless ``values`` is a list or a tuple, of this ``length`` where one is given."""
    if isinstance(values, str) or not isinstance(values, Sequence):
        raise TypeError(f"{name}: expected {expected}, got {describe(values)}")
    if length is not None and len(values) != length:
        raise ValueError(f"{name}: expected {expected}, got {describe(values)}")


def check_numbers(values: Sequence[float], name: str, expected: str, length: int) -> None:
    """Raise unless ``values`` is a list or a tuple of so many finite numbers."""
    check_sequence(values, name, expected, length)
    for value in values:
        check_finite(value, name, expected)


def broadcasts(size: int, wanted: int) -> bool:
    """True where an axis of this size can be laid along one of the wanted size.

    ``size in (1, wanted)`` is false for equal sizes where ``torch.compile`` knows neither.
    """
    return size == 1 or size == wanted


def describe(value: object) -> str:
    """Say in one short line what a wrong value is, with its type."""
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)} and dtype {value.dtype}"
    if hasattr(value, "shape"):  # a NumPy array, say: its values would fill the screen
        return f"shape {tuple(value.shape)} ({type(value).__name__})"
    return f"{reprlib.repr(value)} ({type(value).__name__})"

"""Argument checks shared by the encodings: every message names the argument, what was
expected and what came."""

import math
import reprlib
from numbers import Integral, Real

import torch
from torch import Tensor


def check_dim(dim: int, name: str = "dim") -> None:
    """Raise unless ``dim`` is an even int of at least 2 (features turn in pairs)."""
    check_int(dim, name, "an even int >= 2")
    if dim < 2 or dim % 2:
        raise ValueError(f"{name}: expected an even int >= 2 (features come in pairs), got {dim}")


def check_theta(theta: float) -> None:
    """Raise unless ``theta``, the base of the frequencies, is a finite number above 0."""
    check_positive(theta, "theta")


def check_positive(value: float, name: str) -> None:
    """Raise unless ``value`` is a finite number above 0."""
    check_finite(value, name, "a finite number > 0")
    if value <= 0:
        raise ValueError(f"{name}: expected a finite number > 0, got {value}")


def check_int(value: object, name: str, expected: str = "an int") -> None:
    """Raise unless ``value`` is an integer (``bool`` is not one here).

    While ``torch.export`` looks on, a length may be a ``SymInt``, which stands for any int.
    """
    if isinstance(value, bool) or not isinstance(value, Integral | torch.SymInt):
        raise TypeError(f"{name}: expected {expected}, got {describe(value)}")


def check_count(value: int, name: str, least: int = 1) -> None:
    """Raise unless ``value`` is an int of at least ``least``."""
    check_int(value, name, f"an int >= {least}")
    if value < least:
        raise ValueError(f"{name}: expected an int >= {least}, got {value}")


def check_finite(value: object, name: str, expected: str = "a finite number") -> None:
    """Raise unless ``value`` is a real number that a float can hold (``bool`` is not one here)."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name}: expected {expected}, got {describe(value)}")
    try:
        finite = math.isfinite(value)
    except OverflowError:  # an int too large for a float
        finite = False
    if not finite:
        raise ValueError(f"{name}: expected {expected}, got {reprlib.repr(value)}")


def check_floating(dtype: object, name: str = "dtype") -> None:
    """Raise unless ``dtype`` is a real floating point dtype of torch."""
    if not isinstance(dtype, torch.dtype):
        raise TypeError(f"{name}: expected a floating point torch.dtype, got {describe(dtype)}")
    if not dtype.is_floating_point:
        raise TypeError(f"{name}: expected a floating point torch.dtype, got {dtype}")


def check_bool(value: object, name: str) -> None:
    """Raise unless ``value`` is True or False."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}: expected a bool, got {describe(value)}")


def check_float_tensor(value: object, name: str, axes: str = "") -> None:
    """Raise unless ``value`` is a real floating point tensor."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}: expected a floating point tensor{axes}, got {describe(value)}")
    if not value.dtype.is_floating_point:
        raise TypeError(f"{name}: expected a floating point tensor, got dtype {value.dtype}")


def check_int_tensor(value: Tensor, name: str) -> None:
    """Raise unless ``value`` is a tensor of integers."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name}: expected an integer tensor, got {describe(value)}")
    if value.dtype.is_floating_point or value.dtype.is_complex or value.dtype == torch.bool:
        raise TypeError(f"{name}: expected an integer tensor, got dtype {value.dtype}")


def check_features(x: Tensor, dim: int, name: str = "x", dim_name: str = "dim") -> None:
    """Raise unless ``x`` is a floating point tensor (..., seq, dim)."""
    check_float_tensor(x, name, f" (..., seq, {dim_name})")
    if x.ndim < 2:
        raise ValueError(
            f"{name}: expected at least 2 axes (..., seq, {dim_name}), got shape {tuple(x.shape)}"
        )
    if x.shape[-1] != dim:
        raise ValueError(
            f"{name}: expected {dim_name} = {dim} features on the last axis, got {x.shape[-1]} "
            f"(shape {tuple(x.shape)})"
        )


def describe(value: object) -> str:
    """Say in one short line what a wrong value is, with its type."""
    if isinstance(value, Tensor):
        return f"a tensor of shape {tuple(value.shape)} and dtype {value.dtype}"
    if hasattr(value, "shape"):  # a NumPy array, say: its values would fill the screen
        return f"shape {tuple(value.shape)} ({type(value).__name__})"
    return f"{reprlib.repr(value)} ({type(value).__name__})"

"""Checks that attention and the models share."""

import torch
from torch import Tensor

from pe_lib.common._checks import check_int, check_type, describe


def check_tensor(value: Tensor, name: str, dtype: torch.dtype, *shape: int | str) -> None:
    """Raise unless ``value`` has this dtype and shape; an axis with a name has any length.

    Example:
        >>> check_tensor(torch.zeros(2, 5, 6), "k", torch.float32, 2, "k_len", 8)
        Traceback (most recent call last):
        ValueError: k: expected shape (2, k_len, 8), got (2, 5, 6)
    """
    if not isinstance(value, Tensor) or value.dtype != dtype:
        raise TypeError(f"{name}: expected a tensor of dtype {dtype}, got {describe(value)}")
    pairs = zip(value.shape, shape, strict=False)
    if value.ndim != len(shape) or any(n != m for n, m in pairs if not isinstance(m, str)):
        expected = ", ".join(map(str, shape))
        raise ValueError(f"{name}: expected shape ({expected}), got {tuple(value.shape)}")


def check_choice(value: str, name: str, choices: tuple[str, ...], where: str = "") -> None:
    """Raise unless ``value`` is one of these strings."""
    expected = f"one of {', '.join(map(repr, choices))}{where}"
    check_type(value, name, str, expected)
    if value not in choices:
        raise ValueError(f"{name}: expected {expected}, got {value!r}")


def check_window(value: int | None, name: str = "window") -> None:
    """Raise unless ``value`` is an int of at least 1, or None."""
    expected = "an int >= 1 or None"
    if value is not None:
        check_int(value, name, expected)
        if value < 1:
            raise ValueError(f"{name}: expected {expected}, got {value}")

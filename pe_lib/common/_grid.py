"""Patches of an image: where each one is, counted in rows and columns."""

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.common._checks import check_count, check_int, check_numbers


def check_dim_2d(dim: int) -> None:
    """Raise unless ``dim`` is an int >= 4 divisible by 4 (each axis has half of the pairs)."""
    expected = "an int >= 4 divisible by 4"
    check_int(dim, "dim", expected)
    if dim < 4 or dim % 4:
        raise ValueError(f"dim: expected {expected} (half of the pairs for each axis), got {dim}")


def patch_positions(
    height: int,
    width: int,
    offset: tuple[float, float] = (0, 0),
    scale: tuple[float, float] = (1.0, 1.0),
) -> tuple[Float64[Tensor, " patches"], Float64[Tensor, " patches"]]:
    """Row and column of every patch, row by row: ``(index + offset) * scale`` on both axes.

    y and x, each (height * width,) on the CPU; ``axial_rotary_cos_sin`` describes the arguments.

    Example:
        >>> y, x = patch_positions(2, 3)
        >>> y.tolist(), x.tolist()
        ([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], [0.0, 1.0, 2.0, 0.0, 1.0, 2.0])
    """
    check_count(height, "height")
    check_count(width, "width")
    check_numbers(offset, "offset", "a pair (row, column) of finite numbers", length=2)
    expected = "a pair (vertical, horizontal) of finite numbers > 0"
    check_numbers(scale, "scale", expected, length=2)
    if any(distance <= 0 for distance in scale):  # min(scale) would fix which one is smaller
        raise ValueError(f"scale: expected {expected}, got {scale}")
    rows, columns = (
        (torch.arange(length, dtype=torch.float64, device="cpu") + first) * distance
        for length, first, distance in zip((height, width), offset, scale, strict=True)
    )
    return rows.repeat_interleave(width), columns.repeat(height)

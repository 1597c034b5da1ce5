"""Positions and the angles they stand for, always in float64."""

import torch
from jaxtyping import Float, Float64, Shaped
from torch import Tensor

from pe_lib.common._checks import check_int, check_real_tensor

# float64 holds every integer up to here; from there on neighbours run together.
LARGEST = 2**53


def real_positions(positions: int | Shaped[Tensor, "*positions"]) -> Float64[Tensor, "*positions"]:
    """The positions as float64 numbers, on their device; on the CPU instead of MPS (no float64)."""
    if isinstance(positions, Tensor):
        check_positions(positions)
        return in_float64(positions)
    check_int(positions, "positions", "an int n >= 0 or a real tensor")
    if not 0 <= positions <= LARGEST:
        expected = "an int n >= 0" if positions < 0 else "an int n <= 2^53"
        raise ValueError(f"positions: expected {expected} or a tensor, got {positions}")
    return torch.arange(positions, dtype=torch.float64, device="cpu")


def check_positions(
    positions: Tensor, name: str = "positions", expected: str = "a real tensor"
) -> None:
    """Raise unless these are real numbers in a dtype that can count: in bfloat16 257 is 256."""
    check_real_tensor(positions, name, expected)
    if positions.dtype.is_floating_point and positions.dtype.itemsize < 4:
        last = round(2 / torch.finfo(positions.dtype).eps)
        raise TypeError(
            f"{name}: expected {expected}, got {positions.dtype}, in which {last + 1} is {last}: "
            "pass integers, float32 or float64, as they were before the cast"
        )


def check_offset(offset: int, count: int) -> None:
    """Raise unless ``offset`` ... ``offset + count - 1`` are integers that float64 tells apart."""
    check_int(offset, "offset")
    if not -LARGEST <= offset <= LARGEST - count:
        expected = f"an int from -2^53 to 2^53 - {count}"
        raise ValueError(f"offset: expected {expected}, got {offset}")


def in_float64(values: Shaped[Tensor, "*shape"]) -> Float64[Tensor, "*shape"]:
    """The same numbers in float64, on their device; on the CPU instead of MPS (no float64)."""
    device = "cpu" if values.device.type == "mps" else values.device
    return values.to(device, torch.float64)


def position_angles(
    positions: int | Shaped[Tensor, "*positions"],
    inverse_frequencies: Float64[Tensor, " pairs"],
) -> Float64[Tensor, "*positions pairs"]:
    """Angle of every pair at every position, ``position * frequency``, in radians.

    The one place where positions meet frequencies. Both are float64 here: in float32 the angle
    of position 16,000,001 is already wrong by half a radian, in bfloat16 257 and 258 are one. The
    result (*positions, pairs) is on the positions' device; on the CPU instead of MPS.

    Example:
        >>> position_angles(3, torch.tensor([1.0, 0.5], dtype=torch.float64)).tolist()
        [[0.0, 0.0], [1.0, 0.5], [2.0, 1.0]]
    """
    positions = real_positions(positions)
    return positions[..., None] * inverse_frequencies.to(positions.device)


def cos_sin(
    angles: Float64[Tensor, "*shape"],
    dtype: torch.dtype,
    device: torch.device,
    factor: float | Float64[Tensor, "*shape"] = 1.0,
) -> tuple[Float[Tensor, "*shape"], Float[Tensor, "*shape"]]:
    """Cosine and sine of ``angles`` times ``factor``, rounded once to ``dtype``, on ``device``."""
    cos, sin = angles.cos() * factor, angles.sin() * factor
    return cos.to(dtype).to(device), sin.to(dtype).to(device)

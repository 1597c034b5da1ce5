"""Positions and the angles they stand for, always in float64."""

import torch
from jaxtyping import Float, Float64, Shaped
from torch import Tensor

from pe_lib._checks import check_int, check_real_tensor


def real_positions(positions: int | Shaped[Tensor, "*positions"]) -> Float64[Tensor, "*positions"]:
    """The positions as float64 numbers, on their device; on the CPU instead of MPS (no float64).

    Integers are exact up to 2^53; from there on neighbours run together.
    """
    if isinstance(positions, Tensor):
        check_real_tensor(positions, "positions")
        return in_float64(positions)
    check_int(positions, "positions", "an int n >= 0 or a real tensor")
    if positions < 0:
        raise ValueError(f"positions: expected an int n >= 0 or a tensor, got {positions}")
    return torch.arange(positions, dtype=torch.float64, device="cpu")


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

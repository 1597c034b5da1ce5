"""Positions and the angles they stand for, always in float64."""

import torch
from jaxtyping import Float, Float64, Shaped
from torch import Tensor

from pe_lib._checks import check_int, check_real_tensor


def real_positions(positions: int | Shaped[Tensor, "*positions"]) -> Float64[Tensor, "*positions"]:
    """The positions as float64 numbers.

    Args:
        positions: an int n >= 0, meaning 0 ... n-1, or a real tensor of any shape.

    Returns:
        float64 tensor (*positions,) on the positions' device; on the CPU where that device has no
        float64 (MPS).

    Raises:
        TypeError: ``positions`` is neither an int nor a real tensor.
        ValueError: ``positions`` is a negative int.

    Example:
        >>> real_positions(3).tolist()
        [0.0, 1.0, 2.0]
    """
    if isinstance(positions, Tensor):
        check_real_tensor(positions, "positions")
        device = "cpu" if positions.device.type == "mps" else positions.device
        return positions.to(device, torch.float64)
    check_int(positions, "positions", "an int n >= 0 or a real tensor")
    if positions < 0:
        raise ValueError(f"positions: expected an int n >= 0 or a tensor, got {positions}")
    return torch.arange(positions, dtype=torch.float64, device="cpu")


def position_angles(
    positions: int | Shaped[Tensor, "*positions"],
    inverse_frequencies: Float64[Tensor, " pairs"],
) -> Float64[Tensor, "*positions pairs"]:
    """Angle of every pair at every position: ``position * frequency`` in radians.

    The one place where positions meet frequencies. Both are float64 here: in float32 the angle
    of position 16,000,001 is already wrong by half a radian, in bfloat16 257 and 258 are one.

    Args:
        positions: an int n >= 0, meaning 0 ... n-1, or a real tensor of any shape.
        inverse_frequencies: (pairs,) radians per position.

    Returns:
        float64 tensor (*positions, pairs), on the positions' device; on the CPU where that device
        has no float64 (MPS).

    Raises:
        TypeError: ``positions`` is neither an int nor a real tensor.
        ValueError: ``positions`` is a negative int.

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
    factor: float = 1.0,
) -> tuple[Float[Tensor, "*shape"], Float[Tensor, "*shape"]]:
    """Cosine and sine of ``angles`` times ``factor``, rounded once to ``dtype``, on ``device``.

    Example:
        >>> cos_sin(torch.zeros(2, dtype=torch.float64), torch.float32, torch.device("cpu"))
        (tensor([1., 1.]), tensor([0., 0.]))
    """
    cos, sin = angles.cos() * factor, angles.sin() * factor
    return cos.to(dtype).to(device), sin.to(dtype).to(device)

"""How fast each pair of features turns: the geometric series under every sinusoidal encoding."""

import math

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.common._checks import check_dim, check_positive


def inverse_frequencies(dim: int, theta: float = 10000.0) -> Float64[Tensor, " pairs"]:
    """The angular frequency of every pair of features, ``theta ** (-2i / dim)``.

    The name follows the field's code (``inv_freq``): ``theta ** (2i / dim)`` is the number a
    position is divided by, this is its inverse, the angle in radians that pair ``i`` turns per
    position.

    Args:
        dim: number of features, even.
        theta: base of the geometric series.

    Returns:
        float64 tensor (dim/2,) on the CPU: radians per position, from 1 downwards.

    Raises:
        TypeError, ValueError: ``dim`` is not an even int >= 2, ``theta`` not finite and above 0.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.5.

    Example:
        >>> [round(w, 6) for w in inverse_frequencies(6).tolist()]
        [1.0, 0.046416, 0.002154]
    """
    check_dim(dim)
    check_positive(theta, "theta")
    exponents = torch.arange(0, dim, 2, dtype=torch.float64, device="cpu") / dim
    return float(theta) ** -exponents


def wavelengths(dim: int, theta: float = 10000.0) -> Float64[Tensor, " pairs"]:
    """How many positions every pair of features needs for one full turn, ``2 pi / frequency``.

    Args:
        dim: number of features, even.
        theta: base of the geometric series.

    Returns:
        float64 tensor (dim/2,) on the CPU: positions per turn, from 2 pi upwards. Columns ``2i``
        and ``2i + 1`` of the encoding share wavelength ``i``. The last one is
        ``2 pi theta ** ((dim - 2) / dim)``: the often quoted ``2 pi theta`` is never reached.

    Raises:
        TypeError, ValueError: ``dim`` is not an even int >= 2, ``theta`` not finite and above 0.

    Source:
        Vaswani et al. 2017, "Attention Is All You Need", arXiv 1706.03762, section 3.5.

    Example:
        >>> [round(w, 2) for w in wavelengths(6).tolist()]
        [6.28, 135.37, 2916.4]
    """
    return 2 * math.pi / inverse_frequencies(dim, theta)

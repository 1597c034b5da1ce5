"""The frequencies that a ``RotaryEmbedding`` starts from: for text, for pictures, or your own."""

import math

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.common._checks import check_count, check_dim, check_positive, describe
from pe_lib.common.frequencies import inverse_frequencies


def initial_frequencies(
    dim: int,
    custom_freqs: Tensor | None,
    freqs_for: str,
    theta: float,
    max_freq: float,
    num_freqs: int,
    theta_rescale_factor: float,
) -> Float64[Tensor, " pairs"]:
    """How fast each pair turns at first: float64 (pairs,) on the CPU, radians per position.

    The arguments are those of ``RotaryEmbedding``.

    Example:
        >>> initial_frequencies(4, None, "lang", 100, 10, 1, theta_rescale_factor=1).tolist()
        [1.0, 0.1]
    """
    check_dim(dim)
    check_positive(theta, "theta")
    check_positive(max_freq, "max_freq")
    check_count(num_freqs, "num_freqs")
    check_positive(theta_rescale_factor, "theta_rescale_factor")
    if freqs_for not in ("lang", "pixel", "constant"):
        raise ValueError(
            f"freqs_for: expected 'lang', 'pixel' or 'constant', got {describe(freqs_for)}"
        )
    if theta_rescale_factor != 1:
        if dim == 2:
            raise ValueError(
                f"theta_rescale_factor: expected 1 where dim = 2, got {theta_rescale_factor}"
            )
        theta = theta * theta_rescale_factor ** (dim / (dim - 2))
    if custom_freqs is not None:
        return _copied(custom_freqs)
    if freqs_for == "lang":
        return inverse_frequencies(dim, theta)
    if freqs_for == "pixel":
        steps = torch.linspace(1, max_freq / 2, dim // 2, dtype=torch.float64, device="cpu")
        return math.pi * steps
    return torch.ones(num_freqs, dtype=torch.float64, device="cpu")


def _copied(custom_freqs: object) -> Tensor:
    expected = "custom_freqs: expected a floating point tensor (pairs,) or None"
    if not isinstance(custom_freqs, Tensor) or not custom_freqs.dtype.is_floating_point:
        raise TypeError(f"{expected}, got {describe(custom_freqs)}")
    if custom_freqs.ndim != 1 or len(custom_freqs) == 0:
        raise ValueError(f"{expected}, got {describe(custom_freqs)}")
    return custom_freqs.detach().to("cpu", torch.float64, copy=True)

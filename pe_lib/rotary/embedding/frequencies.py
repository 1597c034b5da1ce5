"""The frequencies that a ``RotaryEmbedding`` starts from: for text, for pictures, or your own."""

import math

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib._checks import check_count, check_dim, check_positive, describe
from pe_lib.frequencies import inverse_frequencies


def initial_frequencies(
    dim: int,
    custom_freqs: Tensor | None,
    freqs_for: str,
    theta: float,
    max_freq: float,
    num_freqs: int,
    theta_rescale_factor: float,
) -> Float64[Tensor, " pairs"]:
    """How fast each pair turns at first; the arguments are those of ``RotaryEmbedding``.

    Args:
        dim: number of features to rotate, even, at least 2.
        custom_freqs: (pairs,) frequencies to take instead, or None. They are copied.
        freqs_for: "lang": ``theta ** (-2i / dim)`` radians per position. "pixel": ``dim/2`` steps
            from pi to ``pi * max_freq / 2``, for coordinates from -1 to 1. "constant":
            ``num_freqs`` times 1.
        theta: base of "lang".
        max_freq: sets the last frequency of "pixel".
        num_freqs: number of frequencies of "constant".
        theta_rescale_factor: stretches the longest wavelength of "lang" by this factor and leaves
            the shortest alone ("NTK-aware"): ``theta`` is multiplied by its ``dim/(dim-2)``-th
            power.

    Returns:
        float64 tensor (pairs,) on the CPU.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range; ``theta_rescale_factor`` is not 1 where ``dim``
            is 2 (a single pair has no longest wavelength beside the shortest).

    Example:
        >>> initial_frequencies(6, None, "pixel", 10000, 10, 1, 1.0) / math.pi
        tensor([1., 3., 5.], dtype=torch.float64)
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

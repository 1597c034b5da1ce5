"""NTK-aware scaling: the slow pairs are slowed, the fast ones are left alone."""

from dataclasses import dataclass

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib.frequencies import inverse_frequencies
from pe_lib.scaling._checks import check_factor
from pe_lib.scaling.base import Scaling


@dataclass(frozen=True)
class NTKScaling(Scaling):
    """Replaces the base ``theta`` by ``theta * factor ** (dim / (dim - 2))``.

    The first pair keeps its frequency, the last one is slowed by exactly ``factor``, those between
    by a geometric series. Short texts change too, in all pairs but the first.

    With ``dim=2`` the first pair is the only one, and keeps its frequency.

    Args:
        factor: how many times slower the last pair turns, at least 1.

    Raises:
        TypeError: ``factor`` is not a number.
        ValueError: ``factor`` is not finite or below 1.

    Source:
        bloc97 2023, "NTK-Aware Scaled RoPE" (r/LocalLLaMA); written down in Peng et al. 2023,
        "YaRN: Efficient Context Window Extension of Large Language Models", arXiv 2309.00071,
        section 3.1.

    Example:
        >>> [round(w, 6) for w in NTKScaling(factor=4).inverse_frequencies(6).tolist()]
        [1.0, 0.023208, 0.000539]
        >>> [round(w, 6) for w in inverse_frequencies(6).tolist()]
        [1.0, 0.046416, 0.002154]
    """

    factor: float

    def __post_init__(self) -> None:
        check_factor(self.factor)

    def inverse_frequencies(
        self, dim: int, theta: float = 10000.0, seq_len: int | None = None
    ) -> Float64[Tensor, " pairs"]:
        """The frequencies of the larger base; see ``Scaling.inverse_frequencies``."""
        return ntk_frequencies(dim, theta, self.factor)


def ntk_frequencies(dim: int, theta: float, factor: float) -> Float64[Tensor, " pairs"]:
    """``inverse_frequencies(dim, theta * factor ** (dim / (dim - 2)))``, also where dim is 2.

    Pair i of the larger base is slower by ``factor ** (2i / (dim - 2))``: exponents from 0 for the
    first pair to 1 for the last one.
    """
    frequencies = inverse_frequencies(dim, theta)
    return frequencies / factor ** torch.linspace(0, 1, dim // 2, dtype=torch.float64, device="cpu")

"""NTK-aware scaling: the slow pairs are slowed, the fast ones are left alone."""

from dataclasses import dataclass, field

import torch

from pe_lib.rotary.scaling.base import FACTOR, Frequencies, Scaling


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
        >>> from pe_lib import inverse_frequencies
        >>> [round(w, 6) for w in NTKScaling(factor=4).inverse_frequencies(6).tolist()]
        [1.0, 0.023208, 0.000539]
        >>> [round(w, 6) for w in inverse_frequencies(6).tolist()]
        [1.0, 0.046416, 0.002154]
    """

    factor: float = field(metadata=FACTOR)

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        """The frequencies of the larger base."""
        return ntk_stretched(frequencies, self.factor)


def ntk_stretched(frequencies: Frequencies, factor: float) -> Frequencies:
    """The frequencies of the base ``theta * factor ** (dim / (dim - 2))``, also where dim is 2.

    Pair i of the larger base is slower by ``factor ** (2i / (dim - 2))``: exponents from 0 for the
    first pair to 1 for the last one.
    """
    exponents = torch.linspace(0, 1, len(frequencies), dtype=torch.float64, device="cpu")
    return frequencies / factor**exponents

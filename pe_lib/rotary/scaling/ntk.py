"""NTK-aware scaling: the slow pairs are slowed, the fast ones are left alone."""

from dataclasses import dataclass, field

import torch

from pe_lib.rotary.scaling.base import FACTOR, Frequencies, Scaling


@dataclass(frozen=True)
class NTKScaling(Scaling):
    """Replaces the base ``theta`` by ``theta * factor ** (dim / (dim - 2))``.

    The first pair keeps its frequency, the last one is slowed by exactly ``factor``, those between
    by a geometric series. Short texts change too, in all pairs but the first (with ``dim=2`` the
    only one).

    Args:
        factor: how many times slower the last pair turns, at least 1.

    Raises:
        TypeError, ValueError: ``factor`` is not a finite number, or below 1.

    Source:
        bloc97 2023, "NTK-Aware Scaled RoPE" (r/LocalLLaMA); Peng et al. 2023, "YaRN",
        arXiv 2309.00071, section 3.1.

    Example:
        >>> [round(w, 6) for w in NTKScaling(factor=4).inverse_frequencies(6).tolist()]
        [1.0, 0.023208, 0.000539]
    """

    factor: float = field(metadata=FACTOR)

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        return ntk_stretched(frequencies, self.factor)


def ntk_stretched(frequencies: Frequencies, factor: float) -> Frequencies:
    """The frequencies of the base ``theta * factor ** (dim / (dim - 2))``, also where dim is 2."""
    # Pair i of the larger base is slower by factor ** (2i / (dim - 2)): exponents from 0 to 1.
    exponents = torch.linspace(
        0, 1, len(frequencies), dtype=torch.float64, device=frequencies.device
    )
    return frequencies / factor**exponents

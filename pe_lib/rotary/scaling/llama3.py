"""Llama 3.1's scaling: by wavelength, with a smooth step between kept and slowed pairs."""

import math
from dataclasses import dataclass, field

from pe_lib.rotary.scaling.base import FACTOR, LENGTH, POSITIVE, Frequencies, Scaling


@dataclass(frozen=True)
class Llama3Scaling(Scaling):
    """Slows the pairs by how often they turn within the trained length L.

    A pair that turns at least ``high_freq_factor`` times within ``original_max_position`` keeps its
    frequency; one that turns at most ``low_freq_factor`` times is divided by ``factor``; between,
    the frequency is blended linearly in the number of turns. With both factors the same (Llama 4
    Scout: 1 and 1) there is nothing between: a step. The attention factor is 1. Short texts change
    too, in the slow pairs.

    Args:
        factor: how many times longer than in training a text may be, at least 1.
        low_freq_factor: turns within L up to which a pair is divided by ``factor``.
        high_freq_factor: turns within L from which a pair is left alone, at least the other.
        original_max_position: L, the longest text in training.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is out of range.

    Source:
        Grattafiori et al. 2024, "The Llama 3 Herd of Models", arXiv 2407.21783. The formula stands
        in the models' published code (factors 8, 1 and 4, L = 8192 for Llama 3.1).

    Example:
        >>> from pe_lib import inverse_frequencies
        >>> scaling = Llama3Scaling(8, 1, 4, original_max_position=8192)
        >>> slowed = inverse_frequencies(16, 500_000) / scaling.inverse_frequencies(16, 500_000)
        >>> [round(s, 2) for s in slowed.tolist()]
        [1.0, 1.0, 1.0, 1.0, 2.69, 8.0, 8.0, 8.0]
    """

    factor: float = field(metadata=FACTOR)
    low_freq_factor: float = field(metadata=POSITIVE)
    high_freq_factor: float = field(metadata=POSITIVE)
    original_max_position: int = field(metadata=LENGTH)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.high_freq_factor < self.low_freq_factor:
            raise ValueError(
                f"high_freq_factor: expected at least low_freq_factor = {self.low_freq_factor}, "
                f"got {self.high_freq_factor}"
            )

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        turns = self.original_max_position * frequencies / (2 * math.pi)
        step = self.high_freq_factor - self.low_freq_factor
        above = turns - self.low_freq_factor
        kept = (above / step).clamp(0, 1) if step else (above >= 0).double()
        return frequencies * kept + frequencies / self.factor * (1 - kept)

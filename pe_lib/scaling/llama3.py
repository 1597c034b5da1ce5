"""Llama 3.1's scaling: by wavelength, with a smooth step between kept and slowed pairs."""

from dataclasses import dataclass

from jaxtyping import Float64
from torch import Tensor

from pe_lib._checks import check_count, check_positive
from pe_lib.frequencies import inverse_frequencies, wavelengths
from pe_lib.scaling._checks import check_factor
from pe_lib.scaling.base import Scaling


@dataclass(frozen=True)
class Llama3Scaling(Scaling):
    """Slows the pairs by how often they turn within the trained length L.

    A pair that turns at least ``high_freq_factor`` times within ``original_max_position`` keeps its
    frequency; one that turns at most ``low_freq_factor`` times is divided by ``factor``; between,
    the frequency is blended linearly in the number of turns. The attention factor is 1. Short texts
    change too, in the slow pairs.

    Args:
        factor: how many times longer than in training a text may be, at least 1.
        low_freq_factor: turns within L up to which a pair is divided by ``factor``.
        high_freq_factor: turns within L from which a pair is left alone.
        original_max_position: L, the longest text in training.

    Raises:
        TypeError: a number is not a number, ``original_max_position`` not an int.
        ValueError: ``factor`` or ``original_max_position`` is below 1, ``low_freq_factor`` not
            above 0, ``high_freq_factor`` not above ``low_freq_factor``.

    Source:
        Grattafiori et al. 2024, "The Llama 3 Herd of Models", arXiv 2407.21783. The formula stands
        in the models' published code, not in the paper; Llama 3.1 has factors 8, 1 and 4 and
        L = 8192.

    Example:
        >>> scaling = Llama3Scaling(8, 1, 4, original_max_position=8192)
        >>> slowed = inverse_frequencies(16, 500_000) / scaling.inverse_frequencies(16, 500_000)
        >>> [round(s, 2) for s in slowed.tolist()]
        [1.0, 1.0, 1.0, 1.0, 2.69, 8.0, 8.0, 8.0]
    """

    factor: float
    low_freq_factor: float
    high_freq_factor: float
    original_max_position: int

    def __post_init__(self) -> None:
        check_factor(self.factor)
        check_positive(self.low_freq_factor, "low_freq_factor")
        check_positive(self.high_freq_factor, "high_freq_factor")
        if self.high_freq_factor <= self.low_freq_factor:
            raise ValueError(
                f"high_freq_factor: expected more than low_freq_factor = {self.low_freq_factor}, "
                f"got {self.high_freq_factor}"
            )
        check_count(self.original_max_position, "original_max_position")

    def inverse_frequencies(
        self, dim: int, theta: float = 10000.0, seq_len: int | None = None
    ) -> Float64[Tensor, " pairs"]:
        """Kept, blended or divided by ``factor``; see ``Scaling.inverse_frequencies``."""
        frequencies = inverse_frequencies(dim, theta)
        turns = self.original_max_position / wavelengths(dim, theta)
        step = self.high_freq_factor - self.low_freq_factor
        kept = ((turns - self.low_freq_factor) / step).clamp(0, 1)
        return frequencies * kept + frequencies / self.factor * (1 - kept)

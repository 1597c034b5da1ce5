"""Position interpolation: every pair turns slower by the same factor."""

from dataclasses import dataclass, field

from pe_lib.rotary.scaling.base import FACTOR, Frequencies, Scaling


@dataclass(frozen=True)
class LinearScaling(Scaling):
    """Divides every frequency by ``factor``: position p turns as position ``p / factor`` did.

    Short texts change too: neighbours, one position apart, now look as if they were only
    ``1 / factor`` apart.

    Args:
        factor: how many times longer than in training a text may be, at least 1.

    Raises:
        TypeError, ValueError: ``factor`` is not a finite number, or below 1.

    Source:
        Chen et al. 2023, "Positional Interpolation", arXiv 2306.15595, equation 4.

    Example:
        >>> LinearScaling(factor=4).inverse_frequencies(4).tolist()
        [0.25, 0.0025]
    """

    factor: float = field(metadata=FACTOR)

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        return frequencies / self.factor

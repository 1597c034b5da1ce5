"""Proportional RoPE: only the fast pairs turn, the slow ones stand still."""

from dataclasses import dataclass, field

import torch

from pe_lib.common._checks import check_finite
from pe_lib.rotary.scaling.base import FACTOR, Frequencies, Scaling


def _check_share(value: float, name: str) -> None:
    check_finite(value, name, "a number from 0 to 1", lambda number: 0 <= number <= 1)


@dataclass(frozen=True)
class ProportionalScaling(Scaling):
    """Turns the fastest ``partial_rotary_factor`` of the pairs and lets the others stand still.

    The turning pairs keep the frequencies that they have in the full head, divided by ``factor``;
    the others get frequency 0, so they compare contents only, whatever the distance. It differs
    from partial rotary, where a smaller ``dim`` spreads all frequencies over the turning pairs.
    Short texts change too: the model has to be trained with it, as Gemma 4 is.

    Args:
        partial_rotary_factor: the share of the pairs that turns, from 0 to 1, rounded down to whole
            pairs.
        factor: how many times slower the turning pairs turn, at least 1.

    Raises:
        TypeError, ValueError: an argument is not a number, or out of range.

    Source:
        Barbero et al. 2024, "Round and Round We Go!", arXiv 2410.06205, section 6 (p-RoPE).

    Example:
        >>> ProportionalScaling(0.5).inverse_frequencies(8).tolist()
        [1.0, 0.1, 0.0, 0.0]
    """

    partial_rotary_factor: float = field(default=1.0, metadata={"check": _check_share})
    factor: float = field(default=1.0, metadata=FACTOR)

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        turning = int(self.partial_rotary_factor * len(frequencies))
        return torch.cat((frequencies[:turning] / self.factor, 0 * frequencies[turning:]))

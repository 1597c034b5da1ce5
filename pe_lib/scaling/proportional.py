"""Proportional RoPE: only the fast pairs turn, the slow ones stand still."""

from dataclasses import dataclass

from jaxtyping import Float64
from torch import Tensor

from pe_lib._checks import check_finite
from pe_lib.frequencies import inverse_frequencies
from pe_lib.scaling._checks import check_factor
from pe_lib.scaling.base import Scaling


@dataclass(frozen=True)
class ProportionalScaling(Scaling):
    """Turns the fastest ``partial_rotary_factor`` of the pairs and lets the others stand still.

    The turning pairs keep the frequencies that they have in the full head, divided by ``factor``;
    the others get frequency 0, so they compare contents only, whatever the distance. It differs
    from partial rotary, where a smaller ``dim`` spreads all frequencies over the turning pairs.
    Short texts change too: the model has to be trained with it.

    Args:
        partial_rotary_factor: the share of the pairs that turns, from 0 to 1, rounded down to whole
            pairs.
        factor: how many times slower the turning pairs turn, at least 1.

    Raises:
        TypeError: ``partial_rotary_factor`` or ``factor`` is not a number.
        ValueError: ``partial_rotary_factor`` is not from 0 to 1, ``factor`` not finite or below 1.

    Source:
        Barbero et al. 2024, "Round and Round We Go! What makes Rotary Positional Encodings
        useful?", arXiv 2410.06205, section 6 (p-RoPE); used by Gemma 4.

    Example:
        >>> ProportionalScaling(0.5).inverse_frequencies(8).tolist()
        [1.0, 0.1, 0.0, 0.0]
    """

    partial_rotary_factor: float = 1.0
    factor: float = 1.0

    def __post_init__(self) -> None:
        share = self.partial_rotary_factor
        check_finite(share, "partial_rotary_factor", "a number from 0 to 1")
        if not 0 <= share <= 1:
            raise ValueError(f"partial_rotary_factor: expected a number from 0 to 1, got {share}")
        check_factor(self.factor)

    def inverse_frequencies(
        self, dim: int, theta: float = 10000.0, seq_len: int | None = None
    ) -> Float64[Tensor, " pairs"]:
        """Slowed or 0; see ``Scaling.inverse_frequencies``. ``dim`` is the whole head's."""
        frequencies = inverse_frequencies(dim, theta) / self.factor
        frequencies[int(self.partial_rotary_factor * dim // 2) :] = 0
        return frequencies

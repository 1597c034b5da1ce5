"""Dynamic NTK scaling: only as much stretching as the text at hand needs."""

from dataclasses import dataclass, field
from typing import ClassVar

from pe_lib.rotary.scaling.base import FACTOR, LENGTH, Frequencies, Scaling
from pe_lib.rotary.scaling.ntk import ntk_stretched


@dataclass(frozen=True)
class DynamicNTKScaling(Scaling):
    """NTK-aware scaling whose factor grows with the text, ``1 + factor * (seq_len / L - 1)``.

    L is ``original_max_position``. Texts of up to L positions are not changed at all. For longer
    ones every frequency but the first depends on the length: keys that were rotated while the text
    was shorter do not fit any more, so a cache has to hold them unrotated (or ``rerotate`` moves
    them). In a batch the length is one number, that of the longest row, and all rows are stretched
    for it: a shorter text comes out otherwise than alone. So it does in transformers.

    Args:
        factor: how fast the stretching grows, at least 1. With 1 the last pair is slowed exactly as
            much as the text is longer than L.
        original_max_position: L, the longest text in training.

    Raises:
        TypeError, ValueError: an argument has the wrong type, or is below 1.

    Source:
        emozilla 2023, "Dynamically Scaled RoPE" (r/LocalLLaMA); Peng et al. 2023, "YaRN",
        arXiv 2309.00071, section 3.3 (there with factor 1).

    Example:
        >>> scaling = DynamicNTKScaling(factor=2, original_max_position=1024)
        >>> [round(w, 6) for w in scaling.inverse_frequencies(6, seq_len=2048).tolist()]
        [1.0, 0.026798, 0.000718]
    """

    needs_seq_len: ClassVar[bool] = True

    factor: float = field(metadata=FACTOR)
    original_max_position: int = field(metadata=LENGTH)

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        longer = max(seq_len / self.original_max_position, 1)
        return ntk_stretched(frequencies, 1 + self.factor * (longer - 1))

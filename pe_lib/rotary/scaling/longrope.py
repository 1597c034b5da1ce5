"""LongRoPE: a factor of its own for every pair, one set for short texts and one for long ones."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from typing import ClassVar

import torch

from pe_lib.common._checks import check_count, check_positive, check_sequence
from pe_lib.rotary.scaling.base import FACTOR, POSITIVE, Frequencies, Scaling


def _check_factors(values: Sequence[float], name: str) -> None:
    check_sequence(values, name, "a list of numbers > 0")
    for index, value in enumerate(values):
        check_positive(value, f"{name}[{index}]")


@dataclass(frozen=True)
class LongRopeScaling(Scaling):
    """Divides every frequency by a factor of its own, found by a search for one model.

    Texts of up to ``original_max_position`` positions use ``short_factor``, longer ones
    ``long_factor``; keys that were rotated before the text crossed the border do not fit after it.
    Short texts change as far as ``short_factor`` differs from 1, and by the attention factor.

    Args:
        short_factor: dim/2 numbers above 0, for texts of up to ``original_max_position``.
        long_factor: dim/2 numbers above 0, for longer texts.
        original_max_position: L, the longest text in the first training, at least 2.
        factor: how many times longer than L a text may be, at least 1. It gives the attention
            factor, ``sqrt(1 + ln(factor) / ln(L))``, and does nothing else.
        attention_factor: the attention factor itself, in place of the formula. Without it and
            without ``factor`` the attention factor is 1.
        long_attention_factor: the attention factor of the texts that use ``long_factor``, where it
            is another one (Phi-3.5-MoE's ``long_mscale``; its ``short_mscale`` is
            ``attention_factor``).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range; the lists differ in length or, when used, have not
            dim/2 numbers.

    Source:
        Ding et al. 2024, "LongRoPE", arXiv 2402.13753, section 3. The attention factor is that of
        the published Phi-3 models.

    Example:
        >>> scaling = LongRopeScaling([1.0, 1.0], [1.5, 8.0], original_max_position=4096, factor=8)
        >>> scaling.inverse_frequencies(4, seq_len=4096).tolist()
        [1.0, 0.01]
        >>> [round(w, 6) for w in scaling.inverse_frequencies(4, seq_len=4097).tolist()]
        [0.666667, 0.00125]
        >>> round(scaling.attention_scaling, 4)
        1.118
    """

    needs_seq_len: ClassVar[bool] = True

    short_factor: Sequence[float] = field(metadata={"check": _check_factors})
    long_factor: Sequence[float] = field(metadata={"check": _check_factors})
    original_max_position: int = field(metadata={"check": partial(check_count, least=2)})
    _: KW_ONLY
    factor: float | None = field(default=None, metadata=FACTOR)
    attention_factor: float | None = field(default=None, metadata=POSITIVE)
    long_attention_factor: float | None = field(default=None, metadata=POSITIVE)

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.long_factor) != len(self.short_factor):
            raise ValueError(
                f"long_factor: expected as many numbers as short_factor has, "
                f"{len(self.short_factor)}, got {len(self.long_factor)}"
            )
        # Tuples, so that no one changes them afterwards, and for the hash.
        object.__setattr__(self, "short_factor", tuple(self.short_factor))
        object.__setattr__(self, "long_factor", tuple(self.long_factor))

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        if len(frequencies) != len(self.short_factor):
            raise ValueError(
                f"dim: expected {2 * len(self.short_factor)}, as short_factor and long_factor have "
                f"{len(self.short_factor)} numbers, got {2 * len(frequencies)}"
            )
        factors = self.long_factor if self._is_long(seq_len) else self.short_factor
        return frequencies / torch.tensor(factors, dtype=torch.float64, device=frequencies.device)

    @property
    def attention_scaling(self) -> float:
        if self.attention_factor is not None:
            return float(self.attention_factor)
        growth = math.log(self.factor or 1)
        return math.sqrt(1 + growth / math.log(self.original_max_position))

    def attention_scaling_for(self, seq_len: int | None = None) -> float:
        if self.long_attention_factor is not None and self._is_long(seq_len or 1):
            return float(self.long_attention_factor)
        return self.attention_scaling

    def _is_long(self, seq_len: int) -> bool:
        return seq_len > self.original_max_position

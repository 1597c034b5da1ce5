"""LongRoPE: a factor of its own for every pair, one set for short texts and one for long ones."""

import math
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

import torch
from jaxtyping import Float64
from torch import Tensor

from pe_lib._checks import check_count, check_dim, check_positive, describe
from pe_lib.frequencies import inverse_frequencies
from pe_lib.scaling._checks import check_factor, check_seq_len
from pe_lib.scaling.base import Scaling


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

    Raises:
        TypeError: a list is not a sequence of numbers, ``original_max_position`` not an int,
            ``factor`` or ``attention_factor`` not a number.
        ValueError: the lists differ in length, a number in them or ``attention_factor`` is not
            above 0, ``original_max_position`` is below 2, ``factor`` below 1; and, when used, the
            lists do not have dim/2 numbers.

    Source:
        Ding et al. 2024, "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens",
        arXiv 2402.13753, section 3. The attention factor is that of the published Phi-3 models.

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

    short_factor: Sequence[float]
    long_factor: Sequence[float]
    original_max_position: int
    _: KW_ONLY
    factor: float | None = None
    attention_factor: float | None = None

    def __post_init__(self) -> None:
        for name in ("short_factor", "long_factor"):
            # A tuple, so that no one changes it afterwards, and for the hash.
            object.__setattr__(self, name, _numbers(getattr(self, name), name))
        if len(self.long_factor) != len(self.short_factor):
            raise ValueError(
                f"long_factor: expected as many numbers as short_factor has, "
                f"{len(self.short_factor)}, got {len(self.long_factor)}"
            )
        check_count(self.original_max_position, "original_max_position", least=2)
        if self.factor is not None:
            check_factor(self.factor)
        if self.attention_factor is not None:
            check_positive(self.attention_factor, "attention_factor")

    def inverse_frequencies(
        self, dim: int, theta: float = 10000.0, seq_len: int | None = None
    ) -> Float64[Tensor, " pairs"]:
        """The frequencies for a text of ``seq_len``; see ``Scaling.inverse_frequencies``."""
        check_seq_len(seq_len)
        check_dim(dim)
        if dim // 2 != len(self.short_factor):
            raise ValueError(
                f"dim: expected {2 * len(self.short_factor)}, as short_factor and long_factor have "
                f"{len(self.short_factor)} numbers, got {dim}"
            )
        is_long = seq_len is not None and seq_len > self.original_max_position
        factors = self.long_factor if is_long else self.short_factor
        return inverse_frequencies(dim, theta) / torch.tensor(
            factors, dtype=torch.float64, device="cpu"
        )

    @property
    def attention_scaling(self) -> float:
        """The attention factor, from ``factor`` where it was not given."""
        if self.attention_factor is not None:
            return float(self.attention_factor)
        growth = math.log(self.factor or 1)
        return math.sqrt(1 + growth / math.log(self.original_max_position))


def _numbers(values: object, name: str) -> tuple[float, ...]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise TypeError(f"{name}: expected a list of numbers > 0, got {describe(values)}")
    for index, value in enumerate(values):
        check_positive(value, f"{name}[{index}]")
    return tuple(values)

"""YaRN: fast pairs stay, slow pairs are interpolated, those between are blended."""

import math
from dataclasses import KW_ONLY, dataclass, field

import torch

from pe_lib.common._checks import check_bool
from pe_lib.rotary.scaling.base import FACTOR, LENGTH, POSITIVE, Frequencies, Scaling


@dataclass(frozen=True)
class YarnScaling(Scaling):
    """Slows only the pairs that training never saw turn around, and sharpens attention.

    How often pair i turns within the trained length L (``original_max_position``) decides: at least
    ``beta_fast`` turns, and its frequency stays; at most ``beta_slow`` turns, and its frequency is
    divided by ``factor``; between, the two are blended. As in the authors' code and in the models
    trained with it, the blend is linear in i between the two bounds, which ``truncate`` rounds
    outwards to whole numbers; the paper's equation is linear in the number of turns. Where all
    pairs turn faster than ``beta_fast``, all are kept; where all turn slower than ``beta_slow``,
    all are divided, even in the extreme cases in which Hugging Face transformers does the reverse.

    The scaling is static: short texts change too, both by the slowed pairs and by the attention
    factor. Leave it out for a model that reads short texts only.

    Args:
        factor: how many times longer than in training a text may be, at least 1.
        original_max_position: L, the longest text in training.
        beta_fast: turns within L from which a pair is left alone.
        beta_slow: turns within L up to which a pair is divided by ``factor``.
        mscale: with ``mscale_all_dim``, for DeepSeek's models: the attention factor is
            ``(0.1 * mscale * ln(factor) + 1) / (0.1 * mscale_all_dim * ln(factor) + 1)``.
        mscale_all_dim: see ``mscale``. These models also multiply their scores by the square
            of the denominator, which no table can do: ``RotarySettings.score_scale``.
        attention_factor: the attention factor itself, in place of the paper's
            ``0.1 * ln(factor) + 1``. It is not multiplied by it.
        truncate: whether the bounds of the blend are rounded outwards (gpt-oss does not).

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: a number is out of range, ``beta_fast`` below ``beta_slow``; ``mscale`` is
            without ``mscale_all_dim`` or beside ``attention_factor``; when used, ``theta`` is not
            above 1.

    Source:
        Peng et al. 2023, "YaRN", arXiv 2309.00071, sections 3.2 and 3.4; DeepSeek-AI 2024,
        "DeepSeek-V2", arXiv 2405.04434, section 3.1.4 (``mscale``).

    Example:
        >>> from pe_lib import inverse_frequencies
        >>> scaling = YarnScaling(factor=4, original_max_position=2048)
        >>> slowed = inverse_frequencies(12) / scaling.inverse_frequencies(12)
        >>> [round(s, 2) for s in slowed.tolist()]
        [1.0, 1.0, 1.33, 2.0, 4.0, 4.0]
        >>> round(scaling.attention_scaling, 4)
        1.1386
    """

    factor: float = field(metadata=FACTOR)
    original_max_position: int = field(metadata=LENGTH)
    _: KW_ONLY
    beta_fast: float = field(default=32.0, metadata=POSITIVE)
    beta_slow: float = field(default=1.0, metadata=POSITIVE)
    mscale: float | None = field(default=None, metadata=POSITIVE)
    mscale_all_dim: float | None = field(default=None, metadata=POSITIVE)
    attention_factor: float | None = field(default=None, metadata=POSITIVE)
    truncate: bool = field(default=True, metadata={"check": check_bool})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beta_fast < self.beta_slow:
            raise ValueError(
                f"beta_fast: expected at least beta_slow = {self.beta_slow}, got {self.beta_fast}"
            )
        if (self.mscale is None) != (self.mscale_all_dim is None):
            raise ValueError(
                "mscale: expected both mscale and mscale_all_dim or neither, "
                f"got mscale={self.mscale}, mscale_all_dim={self.mscale_all_dim}"
            )
        if self.attention_factor is not None and self.mscale is not None:
            raise ValueError(
                "attention_factor: expected None beside mscale and mscale_all_dim, which say the "
                f"same in another way, got {self.attention_factor}"
            )

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        if theta <= 1:
            raise ValueError(f"theta: expected a number > 1 for YarnScaling, got {theta}")
        pairs = torch.arange(len(frequencies), dtype=torch.float64, device=frequencies.device)
        low, high = self._blended_pairs(2 * len(frequencies), theta)
        slowed = ((pairs - low) / (high - low)).clamp(0, 1)
        return frequencies * (1 - slowed) + frequencies / self.factor * slowed

    @property
    def attention_scaling(self) -> float:
        if self.attention_factor is not None:
            return float(self.attention_factor)
        growth = 0.1 * math.log(self.factor)
        if self.mscale is not None and self.mscale_all_dim is not None:
            return (self.mscale * growth + 1) / (self.mscale_all_dim * growth + 1)
        return growth + 1

    def _blended_pairs(self, dim: int, theta: float) -> tuple[float, float]:
        """The last pair that is kept and the first that is divided by ``factor``."""
        low = self._pair_of_turns(self.beta_fast, dim, theta)
        high = self._pair_of_turns(self.beta_slow, dim, theta)
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        # dim - 1, though the last pair is dim/2 - 1: models were trained with this bound.
        high = min(high, dim - 1)
        # Never above the upper bound: all pairs may be faster than beta_fast, or all slower than
        # beta_slow, and the blend must not turn around then.
        low = min(max(low, 0), high)
        return low, max(high, low + 0.001)

    def _pair_of_turns(self, turns: float, dim: int, theta: float) -> float:
        """The (fractional) pair that turns this often within ``original_max_position``."""
        wavelength = self.original_max_position / turns
        return dim / 2 * math.log(wavelength / (2 * math.pi), theta)

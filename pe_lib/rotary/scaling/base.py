"""What every way of stretching rotary positions has in common."""

from dataclasses import dataclass, fields
from typing import ClassVar

from jaxtyping import Float, Float64
from torch import Tensor

from pe_lib.common._checks import check_count, check_factor, check_float_tensor, check_positive
from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.common.positions import in_float64

Frequencies = Float64[Tensor, " pairs"]

# What a setting has to be: metadata for its field, whose check ``Scaling`` makes.
FACTOR = {"check": check_factor}
LENGTH = {"check": check_count}
POSITIVE = {"check": check_positive}


@dataclass(frozen=True)
class Scaling:
    """How the frequencies change so that a model can read texts longer than it was trained on.

    A scaling is a value: immutable, equal to and hashing like every other with the same settings,
    printable and picklable. ``rotary_cos_sin(..., scaling=...)`` asks it for two things, the
    frequencies and one number for cos and sin. This one changes neither; the others build on it.

    ``needs_seq_len`` says whether the frequencies depend on the length of the text. Only then does
    ``rotary_cos_sin`` have to look for the largest position.

    Args:
        none here: the others have their settings.

    Raises:
        TypeError, ValueError: a setting has the wrong type, or is out of range.

    Source:
        The frequencies are those of Su et al. 2021, "RoFormer", arXiv 2104.09864.

    Example:
        >>> import torch
        >>> from pe_lib import LinearScaling, rotary_cos_sin
        >>> isinstance(LinearScaling(2.0), Scaling)
        True
        >>> cos, _ = rotary_cos_sin(5, dim=4)
        >>> stretched, _ = rotary_cos_sin(9, dim=4, scaling=LinearScaling(2.0))
        >>> torch.equal(stretched[::2], cos)  # position 8 turns as 4 did
        True
    """

    needs_seq_len: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.default is not None:  # some may be left out
                field.metadata["check"](value, field.name)

    def inverse_frequencies(
        self,
        dim: int,
        theta: float = 10000.0,
        seq_len: int | None = None,
        *,
        frequencies: Float[Tensor, " pairs"] | None = None,
    ) -> Frequencies:
        """The stretched frequencies, to be used in place of ``pe_lib.inverse_frequencies``.

        Args:
            dim: number of features that turn, even.
            theta: base of the unstretched frequencies.
            seq_len: length of the text, its largest position + 1. Only scalings with
                ``needs_seq_len`` look at it; None stands for a text that the model was trained on.
            frequencies: (dim/2,) in radians per position, what is stretched in place of the
                frequencies of base ``theta``.

        Returns:
            float64 tensor (dim/2,): radians per position, on the CPU or with ``frequencies``.
        """
        if seq_len is not None:
            check_count(seq_len, "seq_len")
        unstretched = inverse_frequencies(dim, theta)
        if frequencies is not None:
            check_float_tensor(frequencies, "frequencies")
            if frequencies.shape != unstretched.shape:
                raise ValueError(
                    f"frequencies: expected shape (dim/2,) = {tuple(unstretched.shape)}, "
                    f"got {tuple(frequencies.shape)}"
                )
            unstretched = in_float64(frequencies)
        return self.stretched(unstretched, theta, seq_len or 1)

    def stretched(self, frequencies: Frequencies, theta: float, seq_len: int) -> Frequencies:
        """What the scaling makes of the frequencies (dim/2,) of base ``theta``."""
        return frequencies

    @property
    def attention_scaling(self) -> float:
        """The attention factor: multiplies cos and sin, and so every score by its square."""
        return 1.0

    def attention_scaling_for(self, seq_len: int | None = None) -> float:
        """The attention factor for a text of this length, the same for all unless it says so.

        Args:
            seq_len: length of the text, as in ``inverse_frequencies``.
        """
        return self.attention_scaling


UNSCALED = Scaling()

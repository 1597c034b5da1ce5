"""What every way of stretching rotary positions has in common."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from jaxtyping import Float64
from torch import Tensor


@dataclass(frozen=True)
class Scaling(ABC):
    """How the frequencies change so that a model can read texts longer than it was trained on.

    A scaling is a value: immutable, equal to and hashing like every other with the same settings,
    printable and picklable. ``rotary_cos_sin(..., scaling=...)`` asks it for two things, the
    frequencies and one number for cos and sin.

    Attributes:
        needs_seq_len: whether the frequencies depend on the length of the text. Only then does
            ``rotary_cos_sin`` have to look for the largest position.
    """

    needs_seq_len: ClassVar[bool] = False

    @abstractmethod
    def inverse_frequencies(
        self, dim: int, theta: float = 10000.0, seq_len: int | None = None
    ) -> Float64[Tensor, " pairs"]:
        """The stretched frequencies, to be used in place of ``pe_lib.inverse_frequencies``.

        Args:
            dim: number of features that turn, even, at least 2.
            theta: base of the unstretched frequencies.
            seq_len: length of the text, its largest position + 1. Only scalings with
                ``needs_seq_len`` look at it; None stands for a text that the model was trained on.

        Returns:
            float64 tensor (dim/2,) on the CPU: radians per position.
        """

    @property
    def attention_scaling(self) -> float:
        """The attention factor: multiplies cos and sin, and so every score by its square."""
        return 1.0

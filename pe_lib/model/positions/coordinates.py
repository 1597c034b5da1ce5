"""Where tokens stand in a text, and patches in a picture: what a kind of position reads."""

from typing import NamedTuple

from jaxtyping import Bool, Int64
from torch import Tensor


class TextPositions(NamedTuple):
    """Where all tokens seen so far stand; the last of them are the queries.

    Attributes:
        ids: (seen,), or (batch, seen) where each row counts from its own first token.
        padding: True for a token that nobody may see, whose id says nothing. None: there is no
            padding.
    """

    ids: Int64[Tensor, "*batch seen"]
    padding: Bool[Tensor, "*batch seen"] | None = None


class PicturePositions(NamedTuple):
    """A picture's patches, row by row: so many rows of so many."""

    height: int
    width: int


Positions = TextPositions | PicturePositions


def text_positions(positions: TextPositions | Tensor) -> TextPositions:
    """Those of a text as their type: ids may come alone, with -1 for padding."""
    if isinstance(positions, TextPositions):
        return positions
    return TextPositions(positions, positions < 0)

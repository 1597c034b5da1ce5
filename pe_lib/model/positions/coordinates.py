"""Where tokens stand in a text, and patches in a picture: what an encoding reads."""

from typing import NamedTuple

from jaxtyping import Bool, Int64
from torch import Tensor

from pe_lib.rotary.module import RotaryTables
from pe_lib.rotary.scaling.base import Scaling


class SharedTables(NamedTuple):
    """Rotary tables of one step, for all layers with the same scaling."""

    scaling: Scaling | None
    tables: RotaryTables


class TextPositions(NamedTuple):
    """Where all tokens seen so far stand; the last of them are the queries.

    Attributes:
        ids: (seen,), or (batch, seen) where each row counts from its own first token.
        padding: True for a token that nobody may see, whose id says nothing. None: there is no
            padding.
        tables: what layers that rotate need not each make again, if a model has made it.
    """

    ids: Int64[Tensor, "*batch seen"]
    padding: Bool[Tensor, "*batch seen"] | None = None
    tables: SharedTables | None = None


class PicturePositions(NamedTuple):
    """A picture's patches, row by row: so many rows of so many.

    Attributes:
        offset: (row, column) of the first patch, counted in patches.
        scale: (vertical, horizontal) distance between neighbours, counted in patches of the
            training: row ``r`` is at ``(r + offset[0]) * scale[0]``.
    """

    height: int
    width: int
    offset: tuple[float, float] = (0.0, 0.0)
    scale: tuple[float, float] = (1.0, 1.0)


def stretched_over(trained: PicturePositions, height: int, width: int) -> PicturePositions:
    """Positions of a picture of the training's size that is cut into other patches.

    They reach from edge to edge of the training's patches: patch ``i`` is at ``(i + 1/2) * scale -
    1/2``, as its middle is half a patch from its edges.

    Example:
        >>> stretched_over(PicturePositions(8, 8), 16, 8)
        PicturePositions(height=16, width=8, offset=(-0.5, 0.0), scale=(0.5, 1.0))
    """
    vertical, horizontal = trained.height / height, trained.width / width
    offset = (0.5 - 0.5 / vertical, 0.5 - 0.5 / horizontal)
    return PicturePositions(height, width, offset, (vertical, horizontal))


Positions = TextPositions | PicturePositions


def text_positions(positions: TextPositions | Tensor) -> TextPositions:
    """Those of a text as their type: ids may come alone, with -1 for padding."""
    if isinstance(positions, TextPositions):
        return positions
    return TextPositions(positions, positions < 0)

"""Which pair every column of a vector and of its tables belongs to."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import INK, MUTED, in_style, new_figure


@in_style
def columns_of_pairs(rows: Mapping[str, Sequence[str]]) -> Figure:
    """Rows of boxes under each other, coloured by pair: what lies beside what is seen at a glance.

    Args:
        rows: name -> boxes, equally many in every row. A box is a letter and the number of its
            pair, as in "a0", of at most four pairs.

    Returns:
        A closed figure with one axes. Columns are numbered above the boxes.

    Raises:
        ValueError: the rows are not equally long, there is none, or a box names no pair from 0
            to 3.

    Example:
        >>> figure = columns_of_pairs({"half-split": ["a0", "a1", "b0", "b1"]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['0', '1', '2', '3', 'a0', 'a1', 'b0', 'b1']
    """
    lengths = sorted({len(boxes) for boxes in rows.values()})
    if len(lengths) != 1:
        raise ValueError(f"rows: expected one or more, equally long, got lengths {lengths}")
    columns = lengths[0]
    figure, (ax,) = new_figure(0.5 + 0.5 * len(rows))
    for column in range(columns):
        ax.text(column, -0.75, str(column), ha="center", va="center", color=MUTED)
    for row, boxes in enumerate(rows.values()):
        for column, box in enumerate(boxes):
            colour = CATEGORICAL[_pair_of(box)]
            ax.add_patch(Rectangle((column - 0.46, row - 0.43), 0.92, 0.86, color=colour))
            ax.text(column, row, box, ha="center", va="center", color="white")
    ax.set(xlim=(-0.6, columns - 0.4), ylim=(len(rows) - 0.5, -1.1), xticks=[])
    ax.set_yticks(range(len(rows)), rows, color=INK)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure


def _pair_of(box: str) -> int:
    pair = box[1:]
    if not pair.isdecimal() or int(pair) >= len(CATEGORICAL):
        raise ValueError(f"rows: expected boxes such as 'a0', of pairs 0 to 3, got {box!r}")
    return int(pair)

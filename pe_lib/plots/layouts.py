"""Which pair every column of a vector and of its tables belongs to."""

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pe_lib.palette import CATEGORICAL
from pe_lib.plots._canvas import INK, MUTED, new_figure


def columns_of_pairs(panels: Mapping[str, Mapping[str, Sequence[str]]]) -> Figure:
    """Rows of boxes under each other, coloured by pair: what lies beside what is seen at a glance.

    Args:
        panels: title -> {name of a row -> its boxes}, the same row names in every panel. A box is
            a letter and the number of its pair, as in "a0", of at most four pairs.

    Returns:
        A closed figure with one axes per panel. Columns are numbered above the boxes.

    Raises:
        ValueError: ``panels`` is empty, a box names no pair from 0 to 3, or the rows of a panel
            are not equally long.

    Example:
        >>> figure = columns_of_pairs({"halves": {"x": ["a0", "a1", "b0", "b1"]}})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['0', '1', '2', '3', 'a0', 'a1', 'b0', 'b1']
    """
    if not panels:
        raise ValueError("panels: expected at least one panel, got none")
    most = max(len(rows) for rows in panels.values())
    figure, axes = new_figure(3.7 * len(panels), 0.85 + 0.45 * most, columns=len(panels))
    for ax, (title, rows) in zip(axes, panels.items(), strict=True):
        columns = {len(boxes) for boxes in rows.values()}
        if len(columns) != 1:
            raise ValueError(
                f"panels: expected equally long rows in {title!r}, got {sorted(columns)}"
            )
        size = columns.pop()
        for column in range(size):
            ax.text(column, -0.75, str(column), ha="center", va="center", color=MUTED, size=9)
        for row, boxes in enumerate(rows.values()):
            for column, box in enumerate(boxes):
                colour = CATEGORICAL[_pair_of(box)]
                ax.add_patch(Rectangle((column - 0.45, row - 0.42), 0.9, 0.84, color=colour))
                ax.text(column, row, box, ha="center", va="center", color="white", size=11)
        ax.set(xlim=(-0.6, size - 0.4), ylim=(len(rows) - 0.5, -1.1), title=title, xticks=[])
        ax.set_yticks(range(len(rows)), rows, color=INK)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
    return figure


def _pair_of(box: str) -> int:
    pair = box[1:]
    if not pair.isdecimal() or int(pair) >= len(CATEGORICAL):
        raise ValueError(f"panels: expected boxes such as 'a0', of pairs 0 to 3, got {box!r}")
    return int(pair)

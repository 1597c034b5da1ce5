"""Scores of the patches of a picture with one of them, the query."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from pe_lib.course.palette import sequential_colormap
from pe_lib.plots._canvas import INK, WIDTH, in_style, new_figure

MOST = 3  # maps beside each other, for a page's width
ALONE = 3.4  # inches: a map is a square, so a single one would leave half of the width empty


@in_style
def patch_scores(maps: Mapping[str, ArrayLike], *, query: tuple[int, int]) -> Figure:
    """One map per title, all on one colour scale, with the query's patch outlined in each.

    The scale runs from the lowest score of all maps to the highest.

    Args:
        maps: title -> (height, width) scores of every patch with the query; one to three maps.
        query: (row, column) of the query, counted from 0.

    Returns:
        A closed figure: one axes per map and a colour bar.

    Raises:
        ValueError: there are no maps, or more than three, or one has not two axes or not the
            query's patch.

    Example:
        >>> figure = patch_scores({"all alike": [[1, 1], [1, 1]]}, query=(0, 1))
        >>> figure.axes[0].patches[0].get_xy()  # the upper left corner of the outline
        (0.5, -0.5)
    """
    if not 1 <= len(maps) <= MOST:
        raise ValueError(f"maps: expected 1 to {MOST} maps, got {len(maps)}")
    arrays = {title: np.asarray(scores, dtype=float) for title, scores in maps.items()}
    row, column = query
    for title, scores in arrays.items():
        if scores.ndim != 2:
            raise ValueError(f"maps[{title!r}]: expected two axes, got shape {scores.shape}")
        height, width = scores.shape
        if not (0 <= row < height and 0 <= column < width):
            raise ValueError(
                f"query: expected a patch of {height} rows and {width} columns, got {query}"
            )
    lowest = min(scores.min() for scores in arrays.values())
    highest = max(scores.max() for scores in arrays.values())
    width = WIDTH if len(arrays) > 1 else ALONE
    figure, axes = new_figure(2.7, columns=len(arrays), width=width)
    for ax, (title, scores) in zip(axes, arrays.items(), strict=True):
        image = ax.imshow(scores, cmap=sequential_colormap(), vmin=lowest, vmax=highest)
        corner = (column - 0.5, row - 0.5)
        outline = Rectangle(corner, 1, 1, fill=False, edgecolor=INK, linewidth=1.5, clip_on=False)
        outline.set_path_effects([withStroke(linewidth=3.5, foreground="white")])
        ax.add_patch(outline)
        ax.set(title=title, xlabel="column", xticks=_ticks(scores.shape[1]))
        ax.set_yticks(_ticks(scores.shape[0]))
    axes[0].set_ylabel("row")
    figure.colorbar(image, ax=axes, label="score", shrink=0.8)
    return figure


def _ticks(count: int) -> range:
    """Every number of up to eight rows, of more rows at most four."""
    return range(0, count, 1 if count <= 8 else -(-count // 4))

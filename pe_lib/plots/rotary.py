"""What a rotary encoding turns: pairs of features, matrices and scores."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, Rectangle
from numpy.typing import ArrayLike

from pe_lib.course.palette import CATEGORICAL, diverging_colormap
from pe_lib.plots._canvas import GRID, INK, in_style, legend_above, new_figure


@in_style
def pairings(layouts: Mapping[str, Sequence[tuple[int, int]]]) -> Figure:
    """Which two features form a pair: a row of boxes per layout, partners joined by a bow.

    Args:
        layouts: title -> (first, second) feature of every pair, at most four pairs.

    Returns:
        A closed figure with one axes per layout.

    Raises:
        ValueError: ``layouts`` is empty, has more than four pairs, or a feature is missing or in
            two pairs.

    Example:
        >>> figure = pairings({"neighbours": [(0, 1), (2, 3)]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['0', '1', '2', '3']
    """
    if not layouts:
        raise ValueError("layouts: expected at least one layout, got none")
    figure, axes = new_figure(1.6, columns=len(layouts))
    for ax, (title, pairs) in zip(axes, layouts.items(), strict=True):
        size = 2 * len(pairs)
        features = sorted(feature for pair in pairs for feature in pair)
        if len(pairs) > len(CATEGORICAL) or features != list(range(size)):
            raise ValueError(
                f"layouts: expected every feature once, in at most 4 pairs, got {list(pairs)} "
                f"for {title!r}"
            )
        pair_of = {feature: pair for pair, both in enumerate(pairs) for feature in both}
        for feature in range(size):
            colour = CATEGORICAL[pair_of[feature]]
            ax.add_patch(Rectangle((feature - 0.45, -0.45), 0.9, 0.9, color=colour))
            ax.text(feature, 0, str(feature), ha="center", va="center", color="white")
        for pair, (first, second) in enumerate(pairs):
            ends = (first, 0.5), (second, 0.5)
            bow = FancyArrowPatch(
                *ends, arrowstyle="-", connectionstyle="arc3,rad=-0.45", linewidth=2,
                color=CATEGORICAL[pair],
            )  # fmt: skip
            ax.add_patch(bow)
        ax.set(xlim=(-0.7, size - 0.3), ylim=(-0.6, 1.5), aspect="equal", title=title)
        ax.axis("off")
    return figure


@in_style
def number_grids(
    grids: Mapping[str, ArrayLike], *, xlabel: str = "", ylabel: str = "", zeros: bool = True
) -> Figure:
    """Small matrices under each other, each number written in its cell and coloured by its value.

    Args:
        grids: title -> (rows, columns), the largest value with its sign gives the colours' range.
        xlabel: what the columns are.
        ylabel: what the rows are.
        zeros: False leaves the cells of exact zeros empty.

    Returns:
        A closed figure with one axes per matrix.

    Raises:
        ValueError: ``grids`` is empty, or a matrix has other than two axes.

    Example:
        >>> figure = number_grids({"R": [[0.5, 0], [0, -2]]}, zeros=False)
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['0.50', '−2.00']
    """
    if not grids:
        raise ValueError("grids: expected at least one matrix, got none")
    arrays = {title: np.asarray(grid, dtype=float) for title, grid in grids.items()}
    for title, array in arrays.items():
        if array.ndim != 2:
            raise ValueError(f"grids: expected two axes, got shape {array.shape} for {title!r}")
    largest = max(np.abs(array).max() for array in arrays.values())
    figure, axes = new_figure(2.8 * len(arrays), rows=len(arrays))
    for ax, (title, array) in zip(axes, arrays.items(), strict=True):
        colours = {"cmap": diverging_colormap(), "vmin": -largest, "vmax": largest}
        ax.imshow(array, aspect="auto", **colours)  # cells as wide as their numbers need
        for (row, column), value in np.ndenumerate(array):
            if value or zeros:
                colour = "white" if abs(value) > 0.6 * largest else INK
                digits = 3 if 0 < abs(value) < 0.005 else 2
                text = f"{value:.{digits}f}".replace("-", "−")
                ax.text(column, row, text, ha="center", va="center", color=colour)
        ax.set(title=title, xlabel=xlabel)
        ax.set(xticks=range(array.shape[1]), yticks=range(array.shape[0]))
    axes[0].set_ylabel(ylabel)
    return figure


@in_style
def terms_by_offset(
    offsets: ArrayLike, panels: Mapping[str, ArrayLike], *, marked: float | None = None
) -> Figure:
    """What each pair adds to a score at every offset, and the sum, the score itself.

    Args:
        offsets: (n,) in positions.
        panels: title -> (pairs, n) terms, at most four pairs.
        marked: this offset gets a dot on the sum.

    Returns:
        A closed figure with one axes per title.

    Raises:
        ValueError: ``panels`` is empty, or terms do not fit the offsets.

    Example:
        >>> figure = terms_by_offset([0, 1], {"two pairs": [[1, 0.5], [2, 2]]})
        >>> figure.axes[0].lines[-1].get_ydata().tolist()
        [3.0, 2.5]
    """
    if not panels:
        raise ValueError("panels: expected at least one panel, got none")
    places = np.asarray(offsets, dtype=float)
    figure, axes = new_figure(3.4, columns=len(panels), sharey=True)
    for ax, (title, rows) in zip(axes, panels.items(), strict=True):
        terms = np.asarray(rows, dtype=float)
        if terms.ndim != 2 or terms.shape[1] != len(places) or len(terms) > len(CATEGORICAL):
            raise ValueError(
                f"panels: expected at most 4 rows of {len(places)} terms, "
                f"got shape {terms.shape} for {title!r}"
            )
        score = terms.sum(axis=0)
        ax.axhline(0, color=GRID, linewidth=1, zorder=0)
        if marked is not None:
            ax.axvline(marked, color=GRID, linewidth=1, zorder=0)
            ax.plot(marked, np.interp(marked, places, score), "o", color=INK, markersize=6)
        for pair, term in enumerate(terms):
            ax.plot(places, term, color=CATEGORICAL[pair], linewidth=1.4, label=f"pair {pair}")
        ax.plot(places, score, color=INK, linewidth=2.4, label="score")
        ax.set(title=title, xlabel="offset: key − query")
        ax.spines[["top", "right"]].set_visible(False)
    lines, names = axes[0].get_legend_handles_labels()
    legend_above(figure, lines, names)
    return figure

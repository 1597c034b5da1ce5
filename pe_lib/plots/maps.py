"""Heat maps of a table of encodings and of the similarities of its rows."""

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.palette import diverging_colormap
from pe_lib.plots._canvas import in_style, new_figure


@in_style
def heat_map(table: ArrayLike, *, xlabel: str, ylabel: str) -> Figure:
    """A table of values from -1 to 1, one coloured cell per entry.

    Args:
        table: (rows, columns), an array or a tensor.
        xlabel: what the columns are.
        ylabel: what the rows are.

    Returns:
        A closed figure: the map and its colour bar.

    Raises:
        ValueError: ``table`` does not have two axes.

    Example:
        >>> figure = heat_map([[0.0, 1.0], [-1.0, 0.5]], xlabel="column", ylabel="position")
        >>> figure.axes[0].get_xlabel()
        'column'
    """
    values = _two_axes(table, "table")
    figure, (ax,) = new_figure(3.6)
    image = ax.imshow(
        values, cmap=diverging_colormap(), vmin=-1, vmax=1, aspect="auto", interpolation="nearest"
    )
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    figure.colorbar(image, label="value")
    return figure


@in_style
def similarity_map(scores: ArrayLike) -> Figure:
    """Dot products of all pairs of positions; the colour scale runs from minus to plus the largest.

    Zero is the pale middle of the scale, so an orthogonal pair would be pale.

    Args:
        scores: (length, length), an array or a tensor.

    Returns:
        A closed figure: the map and its colour bar.

    Raises:
        ValueError: ``scores`` does not have two axes.

    Example:
        >>> similarity_map([[2.0, 1.0], [1.0, 2.0]]).axes[0].get_ylabel()
        'position p'
    """
    values = _two_axes(scores, "scores")
    largest = np.abs(values).max()
    figure, (ax,) = new_figure(4.2)
    image = ax.imshow(values, cmap=diverging_colormap(), vmin=-largest, vmax=largest)
    ax.set_xlabel("position q")
    ax.set_ylabel("position p")
    figure.colorbar(image, label="dot product")
    return figure


def _two_axes(values: ArrayLike, name: str) -> np.ndarray:
    array = np.asarray(values, dtype=float)
    if array.ndim != 2:
        raise ValueError(f"{name}: expected two axes, got shape {array.shape}")
    return array

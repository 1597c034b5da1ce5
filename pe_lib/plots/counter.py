"""A binary counter beside the waves that take its place."""

import numpy as np
from matplotlib.figure import Figure

from pe_lib.course.palette import diverging_colormap
from pe_lib.plots._canvas import new_figure


def counter_beside_waves(length: int = 16) -> Figure:
    """Binary digits at the left, waves of the same periods at the right; one row per position.

    The fastest digit stands in the first column, as in the encoding.

    Args:
        length: number of positions, at least 2.

    Returns:
        A closed figure with two axes.

    Raises:
        ValueError: ``length`` is below 2.

    Example:
        >>> counter_beside_waves(16).axes[0].get_title()
        'a binary counter'
    """
    if length < 2:
        raise ValueError(f"length: expected at least 2 positions, got {length}")
    digits = np.arange((length - 1).bit_length())
    positions = np.arange(length)[:, None]
    period = 2.0 ** (digits + 1)
    figure, axes = new_figure(7, 3.6, columns=2, sharey=True)
    panels = {
        "a binary counter": 2.0 * ((positions >> digits) & 1) - 1,
        "the same, turning smoothly": -np.sin(2 * np.pi * (positions + 0.5) / period),
    }
    for ax, (title, values) in zip(axes, panels.items(), strict=True):
        ax.imshow(values, cmap=diverging_colormap(), vmin=-1, vmax=1, aspect="auto")
        ax.set_title(title)
        ax.set_xticks(digits, [f"{int(p)}" for p in period])
        ax.set_xlabel("positions until the column repeats")
    axes[0].set_ylabel("position")
    return figure

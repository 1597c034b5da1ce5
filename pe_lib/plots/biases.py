"""Attention biases over the distance from query to key."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import new_figure


def biases_by_distance(distances: ArrayLike, biases: Mapping[str, ArrayLike]) -> Figure:
    """What is added to a score, over how far back the key is.

    The distances are on a logarithmic axis. A bias that falls below -12, where a key has less than
    a hundred thousandth of the weight of the nearest, leaves the picture.

    Args:
        distances: (distances,), above 0 and growing.
        biases: name -> (distances,); at most four names.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no biases, or more than four, or not one number for each distance.

    Example:
        >>> figure = biases_by_distance([1, 10], {"slope 1/2": [-0.5, -5.0]})
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [-0.5, -5.0]
    """
    if not 1 <= len(biases) <= len(CATEGORICAL):
        raise ValueError(f"biases: expected 1 to {len(CATEGORICAL)} names, got {len(biases)}")
    places = np.asarray(distances, dtype=float)
    figure, (ax,) = new_figure(7.2, 3.6)
    styles = ("-", "--", ":", "-.")
    for (name, given), colour, style in zip(biases.items(), CATEGORICAL, styles, strict=False):
        values = np.asarray(given, dtype=float)
        if values.shape != places.shape:
            raise ValueError(f"biases[{name!r}]: expected {places.shape}, got {values.shape}")
        ax.plot(places, values, color=colour, linestyle=style, linewidth=2, label=name)
    ax.set(xlabel="tokens back", ylabel="bias", ylim=(-12, 0.5))
    ax.set_xscale("log")
    ax.set_xticks(marks := [10**n for n in range(int(np.log10(places[-1])) + 1)], marks)
    ax.minorticks_off()
    figure.legend(loc="outside upper center", ncols=2, frameon=False)
    return figure

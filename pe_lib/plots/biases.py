"""Attention biases over the distance from query to key."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.encodings import NAMES
from pe_lib.plots._canvas import in_style, new_figure
from pe_lib.plots._encodings import check_kinds, line_of

KINDS = {name: kind for kind, name in NAMES.items()}
LOWEST = -12  # the bias at the lower edge of the picture


@in_style
def biases_by_distance(distances: ArrayLike, biases: Mapping[str, ArrayLike]) -> Figure:
    """What is added to a score, over how far back the key is.

    The distances are on a logarithmic axis. A bias that falls below -12, where a key has less than
    a hundred thousandth of the weight of the nearest, leaves the picture. The lines are solid, so
    that a staircase keeps its steps, and each has its name at its end.

    Args:
        distances: (distances,), above 0 and growing.
        biases: name -> (distances,). A name begins with that of its encoding, before a comma if
            more is said: "ALiBi, slope 1/2".

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no biases, or one of no encoding of the course, or not one number for
            each distance.

    Example:
        >>> figure = biases_by_distance([1, 10], {"ALiBi, slope 1/2": [-0.5, -5.0]})
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [-0.5, -5.0]
    """
    if not biases:
        raise ValueError("biases: expected at least one, got none")
    kinds = {name: KINDS.get(name.partition(",")[0], name) for name in biases}
    check_kinds("biases", kinds.values())
    places = np.asarray(distances, dtype=float)
    figure, (ax,) = new_figure(3.6)
    for name, given in biases.items():
        values = np.asarray(given, dtype=float)
        if values.shape != places.shape:
            raise ValueError(f"biases[{name!r}]: expected {places.shape}, got {values.shape}")
        style = line_of(kinds[name]) | {"label": name, "linestyle": "-"}
        ax.plot(places, values, **style)
        inside = np.flatnonzero(values >= LOWEST)
        if inside.size:  # the name stands where the line ends or leaves the picture
            place, value = places[inside[-1]], values[inside[-1]]
            below = value > LOWEST + 1  # where there is room
            ax.annotate(
                name,
                (place, value),
                xytext=(-8, -8 if below else 8),
                textcoords="offset points",
                ha="right",
                va="top" if below else "bottom",
                color=style["color"],
            )
    ax.set(xlabel="tokens back", ylabel="bias", ylim=(LOWEST, 0.5))
    ax.set_xscale("log")
    ax.set_xticks(marks := [10**n for n in range(int(np.log10(places[-1])) + 1)], marks)
    ax.minorticks_off()
    return figure

"""How far a wrong rotation puts the scores off, over the distance from query to key."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import INK, MUTED, in_style, legend_above, new_figure


@in_style
def errors_by_distance(distances: ArrayLike, errors: Mapping[str, ArrayLike]) -> Figure:
    """Errors of scores, as a share of the scores' own size, over how far back the key is.

    The axis of the distances is linear from 0 to 1, and logarithmic from there. A dashed line marks
    where the error is as large as the scores themselves.

    Args:
        distances: (distances,), from 0 on and growing.
        errors: name -> (distances,), shares of the scores' size; at most four names.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no errors, or more than four, or not one number for each distance.

    Example:
        >>> figure = errors_by_distance([0, 1, 10], {"wrong base": [0, 0.5, 1.2]})
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [0.0, 0.5, 1.2]
    """
    if not 1 <= len(errors) <= len(CATEGORICAL):
        raise ValueError(f"errors: expected 1 to {len(CATEGORICAL)} names, got {len(errors)}")
    places = np.asarray(distances, dtype=float)
    figure, (ax,) = new_figure(3.4)
    styles = ("-", "--", ":", "-.")
    for (name, given), colour, style in zip(errors.items(), CATEGORICAL, styles, strict=False):
        shares = np.asarray(given, dtype=float)
        if shares.shape != places.shape:
            raise ValueError(f"errors[{name!r}]: expected {places.shape}, got {shares.shape}")
        ax.plot(places, shares, color=colour, linestyle=style, linewidth=2, label=name)
    ax.axhline(1, color=INK, linestyle="--", linewidth=1)
    right = ax.get_yaxis_transform()  # from 0 at the left to 1 at the right
    ax.text(0.01, 1.03, "as large as the scores", color=MUTED, va="bottom", transform=right)
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xticks(marks := [0, *(10**n for n in range(int(np.log10(places[-1])) + 1))], marks)
    ax.minorticks_off()
    ax.set(xlabel="tokens back", ylabel="error of a score", xlim=(0, places[-1]))
    ax.set_ylim(bottom=0)
    legend_above(figure, ax.lines[: len(errors)], list(errors))
    return figure

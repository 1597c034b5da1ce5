"""Which directions each clock hand has pointed in within a given length of text."""

import numpy as np
from matplotlib.figure import Figure

from pe_lib.common.frequencies import wavelengths
from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import GRID, in_style, legend_above, new_figure


@in_style
def directions_seen(dim: int = 128, theta: float = 10000.0, *, trained: int, asked: int) -> Figure:
    """For every pair, the part of the circle seen in training and the part that is new later.

    Args:
        dim: number of features, even, at least 2.
        theta: base of the wavelengths.
        trained: number of positions seen in training.
        asked: number of positions of the text that is asked about, at least ``trained``.

    Returns:
        A closed figure with one axes, one bar per pair.

    Raises:
        ValueError: ``trained`` is not from 1 to ``asked``.

    Example:
        >>> directions_seen(8, trained=16, asked=64).axes[0].get_xlabel()
        'pair (fast hands at the left)'
    """
    if not 1 <= trained <= asked:
        raise ValueError(f"trained: expected 1 to asked ({asked}), got {trained}")
    turns = wavelengths(dim, theta).numpy()
    seen = np.minimum(trained / turns, 1)
    new = np.minimum(asked / turns, 1) - seen
    pairs = np.arange(dim // 2)
    figure, (ax,) = new_figure(3.6)
    ax.bar(pairs, seen, width=0.8, color=CATEGORICAL[0], label=f"seen in {trained} positions")
    ax.bar(pairs, new, width=0.8, bottom=seen, color=CATEGORICAL[1], hatch="///",
           edgecolor="white", linewidth=0, label=f"new in {asked} positions")  # fmt: skip
    ax.bar(pairs, 1 - seen - new, width=0.8, bottom=seen + new, color=GRID, label="never reached")
    ax.set(xlim=(-0.8, dim // 2 - 0.2), ylim=(0, 1), xlabel="pair (fast hands at the left)")
    ax.set_yticks([0, 0.5, 1], ["0", "half", "full circle"])
    legend_above(figure, *ax.get_legend_handles_labels())
    return figure

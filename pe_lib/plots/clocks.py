"""Which way a pair of features turns: the sinusoidal pair and the rotary one."""

import numpy as np
from matplotlib.figure import Figure

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import INK, in_style, new_figure, unit_circle


@in_style
def turning_directions(steps: int = 5) -> Figure:
    """The first pair at positions 0 ... steps: (sine, cosine) beside (cosine, sine).

    Args:
        steps: last position that is drawn, 1 to 6 (the pair turns by one radian a position).

    Returns:
        A closed figure with two axes.

    Raises:
        ValueError: ``steps`` is not from 1 to 6.

    Example:
        >>> [axes.get_xlabel() for axes in turning_directions().axes]
        ['sine', 'cosine']
    """
    if not 1 <= steps <= 6:
        raise ValueError(f"steps: expected 1 to 6, got {steps}")
    angle = np.arange(steps + 1.0)
    sine, cosine = np.sin(angle), np.cos(angle)
    figure, axes = new_figure(3.4, columns=2)
    titles = "sinusoidal pair:\nclockwise from 12", "rotary turn: counter-\nclockwise from 3"
    points = (sine, cosine), (cosine, sine)
    labels = ("sine", "cosine"), ("cosine", "sine")
    colours = CATEGORICAL[:2]
    for ax, title, (x, y), (xlabel, ylabel), colour in zip(
        axes, titles, points, labels, colours, strict=True
    ):
        unit_circle(ax)
        ax.plot([0, x[0]], [0, y[0]], color=colour, linewidth=2)
        for here in angle[:-1]:
            arc = np.linspace(here + 0.12, here + 0.88, 20)  # leaves room for the dots
            across, up = np.sin(arc), np.cos(arc)
            if xlabel == "cosine":
                across, up = up, across
            ax.plot(across, up, color=colour, linewidth=1.5)
            ax.annotate(
                "", (across[-1], up[-1]), (across[-2], up[-2]),
                arrowprops={"arrowstyle": "-|>", "color": colour},
            )  # fmt: skip
        ax.scatter(x, y, color=colour, s=36, zorder=3)
        for position, (a, b) in enumerate(zip(x, y, strict=True)):
            ax.text(1.2 * a, 1.2 * b, f"{position}", ha="center", va="center", color=INK)
        ax.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal", title=title)
        ax.set(xlabel=xlabel, ylabel=ylabel, xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    return figure

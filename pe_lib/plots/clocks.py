"""Clock hands: how high a tip is, and which way the sinusoidal and the rotary pair turn."""

import numpy as np
from matplotlib.figure import Figure

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import INK, MUTED, in_style, new_figure, unit_circle


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


@in_style
def same_height_twice(period: int = 12, position: int = 2) -> Figure:
    """A hand whose tip is at the same height twice a turn, beside its height as a wave.

    The hand starts at 12 and runs clockwise, so its height is the cosine.

    Args:
        period: positions that the hand needs for a turn, at least 4.
        position: where the hand is on its way down, more than 0 and less than half the period. On
            its way up, it is as high ``position`` before the end of the turn.

    Returns:
        A closed figure with two axes.

    Raises:
        ValueError: ``period`` is below 4, or ``position`` is not on the way down.

    Example:
        >>> [axes.get_xlabel() for axes in same_height_twice().axes]
        ['sine', 'position']
    """
    if period < 4:
        raise ValueError(f"period: expected at least 4 positions, got {period}")
    if not 0 < position < period / 2:
        raise ValueError(f"position: expected 1 to less than {period / 2:g}, got {position}")
    places = np.array([position, period - position])
    angles = 2 * np.pi * places / period
    around = np.linspace(0, period, 200)
    figure, (clock, wave) = new_figure(3.4, columns=2)
    unit_circle(clock)
    wave.plot(around, np.cos(2 * np.pi * around / period), color=MUTED, linewidth=1.5)
    for place, angle, colour in zip(places, angles, CATEGORICAL[:2], strict=True):
        x, y = np.sin(angle), np.cos(angle)
        clock.plot([0, x], [0, y], color=colour, linewidth=2)
        clock.plot(x, y, "o", color=colour)
        clock.text(1.25 * x, 1.2 * y, f"{place}", ha="center", va="center", color=INK)
        wave.plot(place, y, "o", color=colour, zorder=3)
    for ax in (clock, wave):
        ax.axhline(np.cos(angles[0]), color=MUTED, linewidth=1, linestyle=":")
    clock.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal", title="the hand at two positions")
    clock.set(xlabel="sine", ylabel="cosine", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    wave.set(ylim=(-1.4, 1.4), xticks=[0, *places, period], yticks=[-1, 0, 1])
    wave.set(xlabel="position", title="its height")
    return figure

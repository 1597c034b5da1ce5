"""One size of dot, one ink and one closing rule for every picture."""

from typing import Any

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pe_lib.course.palette import THEMES

INK = THEMES["light"]["ink"]
MUTED = THEMES["light"]["muted"]
GRID = THEMES["light"]["grid"]

STYLE: Any = {
    "font.size": 10,
    "axes.edgecolor": THEMES["light"]["edge"],
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
}


def new_figure(
    width: float, height: float, columns: int = 1, **options: Any
) -> tuple[Figure, list[Axes]]:
    """A closed figure of ``width`` x ``height`` inches with ``columns`` axes beside each other.

    Closed, so that a notebook shows it as the cell's result and not a second time by itself.
    """
    with pyplot.rc_context(STYLE):
        figure, grid = pyplot.subplots(
            1, columns, figsize=(width, height), dpi=96, layout="constrained", squeeze=False,
            **options,
        )  # fmt: skip
        for axes in grid[0]:
            axes.tick_params(length=3)
    pyplot.close(figure)
    return figure, list(grid[0])


def unit_circle(axes: Axes) -> None:
    """The circle of radius 1, behind what is drawn on it."""
    turn = np.linspace(0, 2 * np.pi, 200)
    axes.plot(np.cos(turn), np.sin(turn), color=GRID, zorder=1)

"""One width, one size of letters, one ink and one way to show a picture."""

import base64
import io
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pe_lib.course.palette import THEMES

INK = THEMES["light"]["ink"]
MUTED = THEMES["light"]["muted"]
GRID = THEMES["light"]["grid"]

# A phone shows a page 358 pixels wide. There, letters of 12 points in a picture of this width are
# still 11 pixels high.
WIDTH = 5.2  # inches
LETTER = 12  # points
DPI = 96  # pixels of a page
SHARPNESS = 2  # pixels of a picture for each of the page

STYLE: Any = {
    "font.size": LETTER,
    "axes.edgecolor": THEMES["light"]["edge"],
    "axes.labelcolor": INK,
    "axes.titlesize": LETTER,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "legend.handlelength": 2.8,  # a dash and its gap, twice
    "legend.columnspacing": 1.5,
}

Arguments = ParamSpec("Arguments")


class Picture(Figure):
    """A figure that a notebook and the book show twice as sharp, at its own size."""

    def png(self) -> bytes:
        """The picture as it is shown, with more pixels than it takes on the page."""
        data = io.BytesIO()
        self.savefig(data, format="png", dpi=SHARPNESS * DPI)
        return data.getvalue()

    def _ipython_display_(self) -> None:
        # Not a representation: notebooks have one of their own for all figures, which goes first.
        from IPython.display import display

        width, height = (round(DPI * inches) for inches in self.get_size_inches())
        display(  # type: ignore[no-untyped-call]
            {"image/png": base64.b64encode(self.png()).decode(), "text/plain": repr(self)},
            metadata={"image/png": {"width": width, "height": height}},
            raw=True,
        )


def in_style(draw: Callable[Arguments, Figure]) -> Callable[Arguments, Figure]:
    """Has a function draw in the course's style: letters take their size as they are written."""

    @wraps(draw)
    def styled(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Figure:
        with pyplot.rc_context(STYLE):
            return draw(*args, **kwargs)

    return styled


def new_figure(
    height: float, columns: int = 1, rows: int = 1, *, width: float = WIDTH, **options: Any
) -> tuple[Figure, list[Axes]]:
    """A closed figure of ``width`` x ``height`` inches with its axes, row by row.

    Closed, so that a notebook shows it as the cell's result and not a second time by itself.
    """
    figure, grid = pyplot.subplots(
        rows, columns, figsize=(width, height), dpi=DPI, layout="constrained", squeeze=False,
        FigureClass=Picture, **options,
    )  # fmt: skip
    for axes in grid.flat:
        axes.tick_params(length=3)
    pyplot.close(figure)
    return figure, list(grid.flat)


def legend_above(figure: Figure, lines: Sequence[Any], names: Sequence[str]) -> None:
    """What the lines are, above the axes, in as many columns as there is room for."""
    letters = WIDTH * 72 / (0.6 * LETTER)  # in a row
    longest = max(map(len, names)) + 7  # with the piece of a line, and the gap to the next
    columns = max(1, min(len(names), int(letters / longest)))
    figure.legend(lines, names, loc="outside upper center", ncols=columns, frameon=False)


def unit_circle(axes: Axes) -> None:
    """The circle of radius 1, behind what is drawn on it."""
    turn = np.linspace(0, 2 * np.pi, 200)
    axes.plot(np.cos(turn), np.sin(turn), color=GRID, zorder=1)

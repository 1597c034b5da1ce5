"""Arrows in the plane, with the unit circle behind them."""

from collections.abc import Iterable, Mapping

import numpy as np
from matplotlib.figure import Figure

from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots._canvas import GRID, INK, in_style, new_figure, unit_circle


@in_style
def arrows(panels: Mapping[str, Mapping[str, Iterable[float]]]) -> Figure:
    """Named arrows from the origin, one panel per title.

    An arrow of a name has the same colour in every panel.

    Args:
        panels: title -> {name: (x, y)}, at most four names in all; no arrow longer than 1.2.

    Returns:
        A closed figure with one axes per panel.

    Raises:
        ValueError: ``panels`` is empty, has more than four names, or an arrow is not two numbers
            of a length from 0.1 to 1.2.

    Example:
        >>> figure = arrows({"here": {"q": (1, 0), "k": (0, 1)}})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['q', 'k']
    """
    if not panels:
        raise ValueError("panels: expected at least one panel, got none")
    names = list(dict.fromkeys(name for named in panels.values() for name in named))
    if len(names) > len(CATEGORICAL):
        raise ValueError(f"panels: expected at most {len(CATEGORICAL)} names, got {len(names)}")
    figure, axes = new_figure(2.7 if len(panels) < 3 else 2.1, columns=len(panels))
    for ax, (title, named) in zip(axes, panels.items(), strict=True):
        unit_circle(ax)
        ax.axhline(0, color=GRID, linewidth=1, zorder=0)
        ax.axvline(0, color=GRID, linewidth=1, zorder=0)
        for name, arrow in named.items():
            x, y = _two_numbers(arrow, name)
            length = np.hypot(x, y)
            ax.quiver(0, 0, x, y, angles="xy", scale_units="xy", scale=1, width=0.018, zorder=2,
                      color=CATEGORICAL[names.index(name)])  # fmt: skip
            further = 1 + 0.1 / length
            side = "left" if x > 0.3 else "right" if x < -0.3 else "center"
            ax.text(further * x, further * y, name, ha=side, va="center", color=INK)
        ax.set(xlim=(-1.4, 1.4), ylim=(-1.4, 1.4), aspect="equal", title=title)
        ax.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    return figure


def _two_numbers(arrow: Iterable[float], name: str) -> tuple[float, float]:
    values = np.array([float(number) for number in arrow])
    if values.shape != (2,) or not 0.1 <= np.hypot(*values) <= 1.2:
        raise ValueError(
            f"panels: expected {name!r} to be two numbers of a length from 0.1 to 1.2, "
            f"got {values.tolist()}"
        )
    return values[0], values[1]

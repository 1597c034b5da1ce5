"""How the line of an encoding looks in every picture."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from pe_lib.course.encodings import ENCODINGS
from pe_lib.course.palette import FAMILIES

WIDTH = 2.0  # points
MOST = 5  # more bands than that in one picture hide each other


def colour_of(kind: str) -> str:
    """The colour of an encoding, in the light form that pictures have."""
    return FAMILIES["light"][ENCODINGS[kind]["family"]]


def line_of(kind: str) -> dict[str, Any]:
    """Name, colour and dash of an encoding, as matplotlib's lines take them."""
    dash = ENCODINGS[kind]["dash"]
    return {
        "label": ENCODINGS[kind]["name"],
        "color": colour_of(kind),
        "linewidth": WIDTH,
        # matplotlib counts dashes in widths of the line.
        "linestyle": (0, tuple(length / WIDTH for length in dash)) if dash else "-",
    }


def line_over_seeds(axes: Axes, kind: str, places: Sequence[float], seeds: np.ndarray) -> None:
    """The mean of (seeds, places) as a line, in a band from the lowest seed to the highest."""
    axes.plot(places, seeds.mean(0), **line_of(kind))
    low, high, colour = seeds.min(0), seeds.max(0), colour_of(kind)
    axes.fill_between(places, low, high, color=colour, alpha=0.2, linewidth=0)


def check_kinds(argument: str, kinds: Iterable[str]) -> None:
    """Raises ValueError where a name is not that of an encoding in the course's table."""
    unknown = [kind for kind in kinds if kind not in ENCODINGS]
    if unknown:
        raise ValueError(f"{argument}: expected encodings of the course, got {unknown[0]!r}")

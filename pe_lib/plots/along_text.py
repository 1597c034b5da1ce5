"""What every byte of one text costs several trained models."""

from collections.abc import Mapping

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.encodings import NAMES
from pe_lib.course.palette import THEMES
from pe_lib.plots._canvas import INK, MUTED, in_style, new_figure
from pe_lib.plots._encodings import check_kinds

COSTLIEST = 5  # nats from which a stretch is as red as can be


@in_style
def costs_along_text(costs: Mapping[str, ArrayLike], *, trained: int, stretch: int = 8) -> Figure:
    """One strip for each encoding: the redder, the more a stretch of the text costs its model.

    A dashed line marks where training ended.

    Args:
        costs: encoding -> (bytes,), in nats; not a number where nothing predicts a byte.
        trained: how many bytes training saw at once.
        stretch: bytes that share one colour, the one of their mean.

    Returns:
        A closed figure: the strips and their colour bar.

    Raises:
        ValueError: there are no costs, or of an encoding that the course does not have, or not of
            equally many bytes, a whole number of stretches.

    Example:
        >>> figure = costs_along_text({"rope": [1.0, 3.0, 5.0, 5.0]}, trained=2, stretch=2)
        >>> figure.axes[0].images[0].get_array().tolist()
        [[2.0, 5.0]]
    """
    check_kinds("costs", costs)
    rows = [np.asarray(given, dtype=float) for given in costs.values()]
    if len({row.shape for row in rows}) != 1 or rows[0].ndim != 1 or len(rows[0]) % stretch:
        expected = f"equally many bytes for each encoding, a multiple of {stretch}"
        raise ValueError(f"costs: expected {expected}, got {[row.shape for row in rows]}")
    means = np.nanmean(np.stack(rows).reshape(len(rows), -1, stretch), axis=2)
    figure, (ax,) = new_figure(0.4 * len(rows) + 1.5)
    colours = LinearSegmentedColormap.from_list("cost", ["white", THEMES["light"]["error"]])
    length = len(rows[0])
    image = ax.imshow(
        means, cmap=colours, vmin=0, vmax=COSTLIEST, aspect="auto", interpolation="nearest",
        extent=(0, length, len(rows) - 0.5, -0.5),
    )  # fmt: skip
    for edge in np.arange(len(rows) - 1) + 0.5:
        ax.axhline(edge, color="white", linewidth=4)
    ax.axvline(trained, color=INK, linestyle="--", linewidth=1)
    ax.set_yticks(range(len(rows)), [NAMES[kind] for kind in costs], color=INK)
    ax.set_xticks(range(0, length + 1, trained))
    ax.set_xlabel("byte of the text")
    ax.tick_params(axis="y", length=0)
    bar = figure.colorbar(image, label="nats per byte", orientation="horizontal", location="top")
    bar.ax.tick_params(colors=MUTED)
    return figure

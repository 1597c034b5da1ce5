"""Losses of trained models beyond the length that they were trained on."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from numpy.typing import ArrayLike

from pe_lib.plots._canvas import INK, MUTED, in_style, legend_above, new_figure
from pe_lib.plots._encodings import MOST, check_kinds, line_over_seeds


@in_style
def losses_beyond(
    places: Sequence[float],
    losses: Mapping[str, ArrayLike],
    *,
    trained: int,
    xlabel: str = "bytes in a window",
) -> Figure:
    """What a byte costs at several lengths or positions, and how that varies from seed to seed.

    A line is the mean over the seeds, the band around it reaches from the lowest seed to the
    highest. The distance between two marks of the horizontal axis is a factor of two. A dashed line
    marks where training ended.

    Args:
        places: lengths or positions, above 0 and growing.
        losses: encoding -> (seeds, places), in nats per byte; at most five encodings.
        trained: the last length or position that training saw.
        xlabel: what ``places`` are.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no losses, or of more than five encodings, or of one that the course
            does not have, or not one for each place.

    Example:
        >>> figure = losses_beyond([128, 256], {"rope": [[1.5, 2.5], [1.7, 2.3]]}, trained=128)
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [1.6, 2.4]
    """
    if not 1 <= len(losses) <= MOST:
        raise ValueError(f"losses: expected 1 to {MOST} encodings, got {len(losses)}")
    check_kinds("losses", losses)
    figure, (ax,) = new_figure(3.8)
    for kind, given in losses.items():
        seeds = np.asarray(given, dtype=float)
        if seeds.ndim != 2 or seeds.shape[1] != len(places):
            expected = f"(seeds, {len(places)})"
            raise ValueError(f"losses[{kind!r}]: expected {expected}, got {seeds.shape}")
        line_over_seeds(ax, kind, places, seeds)
    ax.axvline(trained, color=INK, linestyle="--", linewidth=1)
    top = ax.get_xaxis_transform()  # from 0 at the bottom to 1 at the top
    note = ax.text(trained, 0.97, "  trained length", color=MUTED, va="top", transform=top)
    note.set_path_effects([withStroke(linewidth=3, foreground="white")])  # where it crosses lines
    ax.set(xlabel=xlabel, ylabel="loss, nats per byte")
    ax.set_xscale("log", base=2)
    marks = 2 ** np.arange(np.ceil(np.log2(places[0])), np.floor(np.log2(places[-1])) + 1)
    ax.set_xticks(marks, [f"{mark:.0f}" for mark in marks])
    ax.minorticks_off()
    legend_above(figure, *ax.get_legend_handles_labels())
    return figure

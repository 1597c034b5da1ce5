"""What was measured with each encoding, seed by seed."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.encodings import NAMES
from pe_lib.course.palette import THEMES
from pe_lib.plots._canvas import GRID, INK, in_style, new_figure
from pe_lib.plots._encodings import check_kinds, colour_of


@in_style
def seeds_by_encoding(by_encoding: Mapping[str, ArrayLike], *, label: str) -> Figure:
    """One row for each encoding, the lowest mean on top: are two further apart than their seeds?

    A dot is a seed, the band reaches from the lowest to the highest, the upright bar is the mean.

    Args:
        by_encoding: encoding -> (seeds,), one number for each seed.
        label: what the numbers are, with their unit.

    Returns:
        A closed figure with one axes, narrow enough for a phone.

    Raises:
        ValueError: there are no encodings, or one that the course does not have, or one whose
            numbers are not (seeds,) or not finite.

    Example:
        >>> losses = {"alibi": [1.8, 1.9], "rope": [1.5, 1.7]}
        >>> figure = seeds_by_encoding(losses, label="loss, nats per byte")
        >>> [name.get_text() for name in figure.axes[0].get_yticklabels()]
        ['RoPE', 'ALiBi']
    """
    if not by_encoding:
        raise ValueError("by_encoding: expected at least one encoding, got none")
    check_kinds("by_encoding", by_encoding)
    values = {kind: _numbers(kind, given) for kind, given in by_encoding.items()}
    kinds = sorted(values, key=lambda kind: values[kind].mean())
    figure, (ax,) = new_figure(0.7 + 0.26 * len(kinds))
    for y, kind in enumerate(kinds):
        seeds, colour = values[kind], colour_of(kind)
        ends = (seeds.min(), seeds.max())
        ax.axhline(y, color=GRID, linewidth=0.8, zorder=1)
        ax.plot(ends, (y, y), color=colour, alpha=0.25, linewidth=7, solid_capstyle="butt")
        # An edge in the page's colour keeps dots apart that lie on each other.
        (dots,) = ax.plot(seeds, np.full(len(seeds), y), "o", color=colour, markersize=5.5)
        dots.set(markeredgecolor=THEMES["light"]["surface"], markeredgewidth=0.5)
        ax.plot(seeds.mean(), y, "|", color=INK, markersize=13, markeredgewidth=2)
    ax.set(xlabel=label, ylim=(len(kinds) - 0.5, -0.5))
    ax.set_yticks(range(len(kinds)), [NAMES[kind] for kind in kinds], color=INK)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    return figure


def _numbers(name: str, given: ArrayLike) -> np.ndarray:
    seeds = np.asarray(given, dtype=float)
    if seeds.ndim != 1 or not seeds.size:
        raise ValueError(f"by_encoding[{name!r}]: expected (seeds,), got {seeds.shape}")
    if not np.isfinite(seeds).all():
        raise ValueError(f"by_encoding[{name!r}]: expected finite numbers, got {seeds.tolist()}")
    return seeds

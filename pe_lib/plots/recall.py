"""How often trained models find what stood far back."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.plots._canvas import INK, MUTED, in_style, legend_above, new_figure
from pe_lib.plots._encodings import MOST, check_kinds, line_over_seeds


@in_style
def found_by_distance(
    firsts: Sequence[int], shares: Mapping[str, ArrayLike], *, trained: int, chance: float
) -> Figure:
    """The share of right answers by how far back they stood, and how it varies from seed to seed.

    A line is the mean over the seeds, the band around it reaches from the lowest seed to the
    highest. A dashed line marks the longest distance in training, a dotted one what a guess gets.

    Args:
        firsts: the first distance of each class, above 0 and growing.
        shares: encoding -> (seeds, classes), from 0 to 1; at most five encodings.
        trained: the length of the windows in training.
        chance: the share of right answers of who guesses.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no shares, or of more than five encodings, or of one that the course
            does not have, or not one for each class.

    Example:
        >>> shares = {"rope": [[0.5, 0.25], [1.0, 0.75]]}
        >>> figure = found_by_distance([16, 32], shares, trained=128, chance=0.125)
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [75.0, 50.0]
    """
    if not 1 <= len(shares) <= MOST:
        raise ValueError(f"shares: expected 1 to {MOST} encodings, got {len(shares)}")
    check_kinds("shares", shares)
    figure, (ax,) = new_figure(3.8)
    for kind, given in shares.items():
        seeds = 100 * np.asarray(given, dtype=float)
        if seeds.ndim != 2 or seeds.shape[1] != len(firsts):
            expected = f"(seeds, {len(firsts)})"
            raise ValueError(f"shares[{kind!r}]: expected {expected}, got {seeds.shape}")
        line_over_seeds(ax, kind, firsts, seeds)
    ax.axvline(trained, color=INK, linestyle="--", linewidth=1)
    ax.axhline(100 * chance, color=MUTED, linestyle=":", linewidth=1)
    ax.set(xlabel="tokens back, at least", ylabel="right answers, %", ylim=(0, 102))
    ax.set_xscale("log", base=2)
    ax.set_xticks(firsts, [f"{first}" for first in firsts])
    ax.minorticks_off()
    legend_above(figure, *ax.get_legend_handles_labels())
    return figure

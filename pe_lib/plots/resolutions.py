"""Pictures at other resolutions than that of the training, and how well they are read."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.plots._canvas import INK, MUTED, in_style, legend_above, new_figure
from pe_lib.plots._encodings import MOST, check_kinds, line_over_seeds

GUESSING = 10  # percent: one of ten digits, or of ten letters


@in_style
def pictures(images: Sequence[ArrayLike], labels: Sequence[object]) -> Figure:
    """The same pictures at one resolution or at several, one under the other.

    Args:
        images: for each resolution (n, 1, height, width), from 0 (white) to 1 (black).
        labels: what the n pictures show.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are no pictures, or they are not one for each label.

    Example:
        >>> figure = pictures([np.zeros((2, 1, 8, 8)), np.zeros((2, 1, 24, 24))], labels=[3, 7])
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['8 x 8', '24 x 24']
    """
    count, rows = len(labels), [np.asarray(row, dtype=float) for row in images]
    if not rows or not count:
        raise ValueError(f"images: expected at least one, got {len(rows)} x {count}")
    figure, (ax,) = new_figure(0.4 + 0.8 * len(rows), width=0.9 + 0.8 * count)
    for y, row in enumerate(rows):
        if row.ndim != 4 or row.shape[:2] != (count, 1):
            expected = f"({count}, 1, height, width)"
            raise ValueError(f"images: expected {expected}, got shape {row.shape}")
        for x, picture in enumerate(row):
            place = (x - 0.46, x + 0.46, y + 0.46, y - 0.46)
            ax.imshow(picture[0], extent=place, cmap="Greys", vmin=0, vmax=1, interpolation="none")
    ax.set(xlim=(-0.5, count - 0.5), ylim=(len(rows) - 0.5, -0.5))
    ax.set_xticks(range(count), [str(label) for label in labels])
    ax.set_yticks(range(len(rows)), [f"{p.shape[2]} x {p.shape[3]}" for p in rows])
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return figure


@in_style
def accuracy_by_resolution(
    sizes: Sequence[int], accuracies: Mapping[str, Mapping[str, ArrayLike]], *, trained: int
) -> Figure:
    """How many pictures are read right at several resolutions, and how that varies with the seed.

    A panel for each way to read larger pictures, or for each kind of picture. A line is the mean
    over the seeds, the band around it reaches from the lowest seed to the highest. Dashed lines
    mark the training's resolution, and what guessing would give.

    Args:
        sizes: patches a side, growing.
        accuracies: panel -> encoding -> (seeds, sizes), from 0 to 1; at most five encodings.
            Not every panel has to have every encoding.
        trained: the size that training saw.

    Returns:
        A closed figure with one axes for each panel.

    Raises:
        ValueError: there are no accuracies, or of more than five encodings, or of one that the
            course does not have, or not one for each size.

    Example:
        >>> both = {"rope2d": [[0.9, 0.3], [0.8, 0.5]]}
        >>> figure = accuracy_by_resolution([8, 16], {"continued": both}, trained=8)
        >>> figure.axes[0].lines[0].get_ydata().round(3).tolist()  # percent
        [85.0, 40.0]
    """
    kinds = list(dict.fromkeys(kind for own in accuracies.values() for kind in own))
    if not 1 <= len(kinds) <= MOST:
        raise ValueError(f"accuracies: expected 1 to {MOST} encodings, got {len(kinds)}")
    check_kinds("accuracies", kinds)
    figure, axes = new_figure(3.6, columns=len(accuracies), sharey=True)
    for ax, (panel, own) in zip(axes, accuracies.items(), strict=True):
        for kind in kinds:
            # A kind that this panel does not have is in the legend all the same: its line is empty.
            seeds = 100 * np.asarray(own.get(kind, np.full((1, len(sizes)), np.nan)), dtype=float)
            if seeds.ndim != 2 or seeds.shape[1] != len(sizes):
                expected = f"(seeds, {len(sizes)})"
                raise ValueError(
                    f"accuracies[{panel!r}][{kind!r}]: expected {expected}, got {seeds.shape}"
                )
            line_over_seeds(ax, kind, sizes, seeds)
        _mark(ax, trained)
        ax.set(title=panel, xlabel="patches a side", ylim=(0, 100))
        ax.set_xticks(list(sizes))
    axes[0].set_ylabel("read right, %")
    handles, names = axes[0].get_legend_handles_labels()
    legend_above(figure, handles, names)
    return figure


def _mark(ax: Axes, trained: int) -> None:
    """Where the training was, and what guessing would give."""
    ax.axvline(trained, color=INK, linestyle="--", linewidth=1)
    ax.axhline(GUESSING, color=MUTED, linestyle="--", linewidth=1)
    right = ax.get_yaxis_transform()  # from 0 at the left to 1 at the right
    ax.text(0.98, GUESSING - 2, "guessing", color=MUTED, ha="right", va="top", transform=right)
    top = ax.get_xaxis_transform()
    ax.text(trained, 0.25, " training", color=MUTED, va="bottom", transform=top, rotation=90)

"""Attention weights of one sentence, two maps beside each other."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.palette import sequential_colormap
from pe_lib.plots._canvas import in_style, new_figure


@in_style
def attention_maps(maps: Mapping[str, ArrayLike], *, words: Sequence[str]) -> Figure:
    """One map of attention weights per title, on one colour scale.

    Args:
        maps: title -> (seq, seq) weights from 0 to 1; the rows are the words that look.
        words: the seq words.

    Returns:
        A closed figure: one axes per map and a colour bar.

    Raises:
        ValueError: ``maps`` is empty, or a map is not (seq, seq).

    Example:
        >>> figure = attention_maps({"all look at themselves": [[1, 0], [0, 1]]}, words=["a", "b"])
        >>> figure.axes[0].get_title()
        'all look at themselves'
    """
    if not maps:
        raise ValueError("maps: expected at least one map, got none")
    size = len(words)
    arrays = {title: np.asarray(weights, dtype=float) for title, weights in maps.items()}
    for title, weights in arrays.items():
        if weights.shape != (size, size):
            raise ValueError(
                f"maps: expected {size} x {size} weights for {size} words, "
                f"got shape {weights.shape} for {title!r}"
            )
    columns = min(len(arrays), 2)
    rows = -(-len(arrays) // columns)
    figure, axes = new_figure(0.3 + 2.5 * rows, columns, rows, sharey=True)
    largest = max(weights.max() for weights in arrays.values())
    for ax, (title, weights) in zip(axes, arrays.items(), strict=False):
        image = ax.imshow(weights, cmap=sequential_colormap(), vmin=0, vmax=largest)
        ax.set_title(title)
        ax.set_xticks(range(size), words, rotation=45, ha="right")
        ax.set_yticks(range(size), words)
    for spare in axes[len(arrays) :]:
        spare.remove()
    for first in axes[::columns]:
        first.set_ylabel("the word that looks")
    figure.colorbar(image, ax=axes[: len(arrays)], label="weight", shrink=0.8)
    return figure

"""Sentences in two orders: their attention maps, and how two networks read them."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from pe_lib.course.palette import CATEGORICAL, THEMES, sequential_colormap
from pe_lib.plots._canvas import INK, MUTED, in_style, new_figure

FRAME = THEMES["light"]["blue"]


@in_style
def maps_of_orders(
    maps: Mapping[str, tuple[Sequence[str], ArrayLike]], *, marked: str | None = None
) -> Figure:
    """Attention weights of sentences that have each their own words, written into the cells.

    Args:
        maps: title -> (the seq words, (seq, seq) weights from 0 to 1, a row for each word that
            looks).
        marked: the rows and columns of this word get a frame.

    Returns:
        A closed figure: one axes per sentence.

    Raises:
        ValueError: ``maps`` is empty, or weights do not fit their words.

    Example:
        >>> figure = maps_of_orders({"twin": (["b", "a"], [[0.9, 0.1], [0.3, 0.7]])}, marked="a")
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['b', 'a']
    """
    if not maps:
        raise ValueError("maps: expected at least one sentence, got none")
    figure, axes = new_figure(2.8 * len(maps), rows=len(maps))
    for ax, (title, (words, weights)) in zip(axes, maps.items(), strict=True):
        array, size = np.asarray(weights, dtype=float), len(words)
        if array.shape != (size, size):
            raise ValueError(
                f"maps: expected {size} x {size} weights for {size} words, "
                f"got shape {array.shape} for {title!r}"
            )
        ax.imshow(array, cmap=sequential_colormap(), vmin=0, vmax=0.5, aspect="auto")
        for (row, column), weight in np.ndenumerate(array):
            colour = "white" if weight > 0.42 else "black"
            ax.text(column, row, f"{weight:.2f}", ha="center", va="center", color=colour)
        for place, word in enumerate(words):
            if word == marked:
                for corner, wide, high in [
                    ((-0.5, place - 0.5), size, 1),
                    ((place - 0.5, -0.5), 1, size),
                ]:
                    ax.add_patch(Rectangle(corner, wide, high, fill=False, edgecolor=FRAME, lw=2))
        ax.set_title(title)
        ax.set_xticks(range(size), words)
        ax.set_yticks(range(size), words)
    for ax in axes:
        ax.set_ylabel("the word that looks")
    return figure


@in_style
def chain_beside_net(words: Sequence[str]) -> Figure:
    """How a recurrent network and one attention layer read a sentence: what waits for what.

    Args:
        words: two words or more.

    Returns:
        A closed figure with two axes.

    Raises:
        ValueError: there are fewer than two words.

    Example:
        >>> [axes.get_title() for axes in chain_beside_net(["a", "b"]).axes]
        ['recurrent: one after the other', 'attention: all at once']
    """
    if len(words) < 2:
        raise ValueError(f"words: expected two or more, got {len(words)}")
    figure, axes = new_figure(4.8, rows=2)
    titles = "recurrent: one after the other", "attention: all at once"
    for ax, title, colour in zip(axes, titles, CATEGORICAL[:2], strict=True):
        for place, word in enumerate(words):
            ax.text(place, -0.12, word, ha="center", va="top", color=INK)
            ax.plot(place, 1, "s", color=colour, markersize=13)
            sources = [place] if title.startswith("recurrent") else range(len(words))
            for source in sources:
                _arrow(ax, (source, 0), (place, 0.86), MUTED)
            if title.startswith("recurrent"):
                ax.text(place, 1.24, f"step {place + 1}", ha="center", color=INK)
                if place:
                    _arrow(ax, (place - 0.86, 1), (place - 0.14, 1), colour)
            else:
                ax.text(place, 1.24, "step 1", ha="center", color=INK)
        ax.set(title=title, xlim=(-0.6, len(words) - 0.4), ylim=(-0.5, 1.5))
        ax.axis("off")
    return figure


def _arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], colour: str) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": colour, "linewidth": 1.2})

"""Pictures of a learned position table, with the boundary of the rows that training uses."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pe_lib.course.palette import CATEGORICAL, diverging_colormap
from pe_lib.plots._canvas import INK, MUTED, in_style, legend_above, new_figure
from pe_lib.plots._rules import LOOKS, looks_of


@in_style
def rows_for_words(table: ArrayLike, words: Sequence[str]) -> Figure:
    """A position table beside the words that use its first rows; the other rows wait.

    Args:
        table: (rows, columns), at least as many rows as words.
        words: the words of one text.

    Returns:
        A closed figure with one axes.

    Raises:
        ValueError: there are more words than rows.

    Example:
        >>> rows_for_words([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], ["a", "b"]).axes[0].get_title()
        'position table'
    """
    values = np.asarray(table, dtype=float)
    rows, columns = values.shape
    if len(words) > rows:
        raise ValueError(f"words: expected at most {rows}, one for each row, got {len(words)}")
    figure, (ax,) = new_figure(3.9)
    limit = np.abs(values).max()
    ax.imshow(values, cmap=diverging_colormap(), vmin=-limit, vmax=limit, aspect="auto")
    ax.set(title="position table", xlabel="column", ylabel="position", xticks=range(columns))
    ax.set_yticks(range(rows))
    ax.axhline(len(words) - 0.5, color=INK, linestyle="--")
    for row in range(rows):
        used = row < len(words)
        ax.text(
            columns - 0.3, row, f"+ {words[row]}" if used else "not used", va="center",
            color=INK if used else MUTED,
        )  # fmt: skip
    return figure


@in_style
def table_and_cosines(table: ArrayLike, *, used: int) -> Figure:
    """A table, each row at length 1, beside the cosines of all pairs of its rows.

    Dashed lines mark where the rows begin that training never uses.

    Args:
        table: (rows, columns), an array or a tensor on the CPU.
        used: how many rows training uses, from the first on; at most all.

    Returns:
        A closed figure: two maps and a colour bar.

    Raises:
        ValueError: ``used`` is not from 1 to the number of rows.

    Example:
        >>> figure = table_and_cosines([[1.0, 0.0], [0.0, 1.0]], used=1)
        >>> [axes.get_title() for axes in figure.axes[:2]]
        ['table, rows at length 1', 'cosines of its rows']
    """
    values = np.asarray(table, dtype=float)
    if not 1 <= used <= len(values):
        raise ValueError(f"used: expected 1 to {len(values)} rows, got {used}")
    unit = values / np.linalg.norm(values, axis=1, keepdims=True)
    figure, (left, right) = new_figure(6, rows=2)
    limit = 2 / np.sqrt(values.shape[1])
    left.imshow(unit, cmap=diverging_colormap(), vmin=-limit, vmax=limit, aspect="auto")
    image = right.imshow(unit @ unit.T, cmap=diverging_colormap(), vmin=-1, vmax=1, aspect="auto")
    left.set(title="table, rows at length 1", xlabel="column", ylabel="position")
    right.set(title="cosines of its rows", xlabel="position")
    for ax in (left, right):
        ax.axhline(used - 0.5, color=INK, linestyle="--")
    right.axvline(used - 0.5, color=INK, linestyle="--")
    figure.colorbar(image, ax=right, label="cosine")
    return figure


@in_style
def loss_by_position(losses: Mapping[str, Sequence[float]], *, used: int) -> Figure:
    """What a token costs at every position, for several tables or rules.

    Args:
        losses: name -> the loss at each position, all of one length.
        used: how many positions training uses.

    Returns:
        A closed figure with one axes, a line for each name.

    Raises:
        ValueError: there are no losses, or more than six.

    Example:
        >>> loss_by_position({"as drawn": [3.0, 2.0, 5.0]}, used=2).axes[0].get_xlabel()
        'position'
    """
    if not 1 <= len(losses) <= len(LOOKS):
        raise ValueError(f"losses: expected 1 to {len(LOOKS)} lines, got {len(losses)}")
    figure, (ax,) = new_figure(3.5)
    for (name, values), look in zip(losses.items(), looks_of(losses), strict=True):
        ax.plot(values, color=look.colour, linestyle=look.dash, linewidth=2, label=name)
    ax.axvline(used - 0.5, color=INK, linestyle="--", linewidth=1)
    ax.set(xlabel="position", ylabel="loss, nats per byte", ylim=(0, None))
    legend_above(figure, ax.lines[: len(losses)], list(losses))
    return figure


@in_style
def along_directions(values: ArrayLike, *, used: int) -> Figure:
    """The values of a table along some directions, one curve over the positions for each.

    Args:
        values: (rows, directions), at most four directions.
        used: how many rows training uses.

    Returns:
        A closed figure with one axes for each direction.

    Raises:
        ValueError: there are no directions, or more than four.

    Example:
        >>> len(along_directions([[0.0, 1.0], [1.0, 0.0], [2.0, 1.0]], used=2).axes)
        2
    """
    curves = np.asarray(values, dtype=float).T
    if not 1 <= len(curves) <= len(CATEGORICAL):
        raise ValueError(f"values: expected 1 to {len(CATEGORICAL)} columns, got {len(curves)}")
    figure, axes = new_figure(2.3, columns=len(curves))
    names = "strongest", "second", "third", "fourth"
    for ax, curve, name, colour in zip(axes, curves, names, CATEGORICAL, strict=False):
        ax.plot(curve, color=colour)
        ax.axvline(used - 0.5, color=INK, linestyle="--", linewidth=1)
        ax.set(title=name, xlabel="position")
    axes[0].set_ylabel("value")
    return figure

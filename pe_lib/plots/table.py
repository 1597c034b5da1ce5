"""Numbers in rows and columns, as a table that a page can show and a screen reader can read."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from pe_lib.course.encodings import NAMES


class Table:
    """What ``table`` gives: HTML where a notebook or the book shows it, aligned text elsewhere.

    Attributes:
        caption: what the table says, in words.
        columns: the headings; the first is that of the row names.
        rows: the cells as they are shown, each row with its name in front.
    """

    def __init__(self, caption: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        self.caption, self.columns, self.rows = caption, list(columns), [list(row) for row in rows]

    def __repr__(self) -> str:
        lines = [self.columns, *self.rows]
        first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
        aligned = [
            "  ".join([name.ljust(first), *map(str.rjust, cells, others)]) for name, *cells in lines
        ]
        return "\n".join([self.caption, *aligned])

    def _repr_html_(self) -> str:
        # The box of this class is what the book's theme scrolls, and lets the keyboard reach.
        head = "\n".join(f'<th scope="col">{escape(column)}</th>' for column in self.columns)
        body = "\n".join(
            "\n".join(
                [
                    f'<tr><th scope="row">{escape(name)}</th>',
                    *(f"<td>{escape(cell)}</td>" for cell in cells),
                    "</tr>",
                ]
            )
            for name, *cells in self.rows
        )
        return (
            '<div class="pst-scrollable-table-container"><table class="table pe-numbers">\n'
            f"<caption>{escape(self.caption)}</caption>\n"
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
        )


def table(
    rows: Mapping[str, Iterable[object]],
    columns: Sequence[str],
    *,
    caption: str,
    format: str | Sequence[str] = ".2f",
) -> Table:
    """Numbers as a table with headings.

    Args:
        rows: name -> cells, from left to right. The name of an encoding, as the models and the
            records have it, is shown as readers know it. A cell that is text is shown as it is, one
            that is None as a dash.
        columns: the headings, with that of the names in front.
        caption: what the table says, with the unit of its numbers.
        format: how numbers are written, as for ``format()``; one for all columns, or one for each
            column of cells.

    Returns:
        A table, which a notebook shows as the result of its cell.

    Raises:
        ValueError: there are no rows, or one that has not a cell for each column, or formats
            are not one for each.

    Example:
        >>> losses = {"rope": [1.404, 3.954], "alibi": [1.443, 1.452]}
        >>> table(losses, ["encoding", "128", "2,048"], caption="Loss by length, nats per byte")
        Loss by length, nats per byte
        encoding   128  2,048
        RoPE      1.40   3.95
        ALiBi     1.44   1.45
    """
    if not rows:
        raise ValueError("rows: expected at least one, got none")
    count = len(columns) - 1
    formats = [format] * count if isinstance(format, str) else list(format)
    if len(formats) != count:
        raise ValueError(f"format: expected one, or {count}, got {len(formats)}")
    shown = []
    for name, given in rows.items():
        cells = list(given)
        if len(cells) != count:
            raise ValueError(f"rows[{name!r}]: expected {count} cells, got {len(cells)}")
        written = (_written(cell, spec) for cell, spec in zip(cells, formats, strict=True))
        shown.append([NAMES.get(name, name), *written])
    return Table(caption, columns, shown)


def mean_and_band(seeds: ArrayLike, format: str = ".2f") -> str:
    """What several seeds gave, as a cell of a table: their mean, and the lowest and the highest.

    Args:
        seeds: (seeds,), a number from each; at least one.
        format: how numbers are written, as for ``format()``.

    Raises:
        ValueError: there are no seeds, or they have more axes than one.

    Example:
        >>> mean_and_band([1.38, 1.40, 1.42])
        '1.40 (1.38 to 1.42)'
    """
    numbers = np.asarray(seeds, dtype=float)
    if numbers.ndim != 1 or not numbers.size:
        raise ValueError(f"seeds: expected (seeds,), at least one, got {numbers.shape}")
    parts = (numbers.mean(), numbers.min(), numbers.max())
    return "{} ({} to {})".format(*(_written(part, format) for part in parts))


def _written(cell: object, spec: str) -> str:
    if cell is None:
        return "–"
    return cell if isinstance(cell, str) else f"{cell:{spec}}".replace("-", "−")

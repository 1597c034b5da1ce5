"""The picture of padded and packed rows shows words and their positions in the right slots."""

import pytest
from matplotlib.colors import to_hex

from pe_lib import plots
from pe_lib.course.palette import CATEGORICAL
from pe_lib.plots.slots import PAD
from tests.helpers import assert_closed_and_small

ROWS = {
    "padded": [["", "", "the", "cat", "sat"]],
    "packed": [["the", "cat"], ["a", "dog", "ran"]],
}


def test_words_and_both_counts_stand_under_each_other() -> None:
    figure = plots.positions_in_rows(ROWS)
    assert_closed_and_small(figure)
    (axes,) = figure.axes
    rows: dict[float, dict[float, str]] = {}
    for text in axes.texts:
        slot, row = text.get_position()
        rows.setdefault(row, {})[slot] = text.get_text()
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert [row for row in sorted(rows)] == pytest.approx(axes.get_yticks())
    found = [
        (name, *(rows[row][slot] for slot in range(5)))
        for name, row in zip(names, sorted(rows), strict=True)
    ]
    assert found == [
        ("padded", "pad", "pad", "the", "cat", "sat"),
        ("by slot", "0", "1", "2", "3", "4"),
        ("by mask", "–", "–", "0", "1", "2"),
        ("packed", "the", "cat", "a", "dog", "ran"),
        ("by slot", "0", "1", "2", "3", "4"),
        ("by document", "0", "1", "0", "1", "2"),
    ]  # fmt: skip


def test_a_document_has_one_colour_and_pads_have_none_of_them() -> None:
    (axes,) = plots.positions_in_rows(ROWS).axes
    blue, orange = CATEGORICAL[:2]
    colours = [to_hex(box.get_facecolor()) for box in axes.patches]
    assert colours == [PAD, PAD, blue, blue, blue, blue, blue, orange, orange, orange]
    assert [round(box.get_x() + 0.46) for box in axes.patches] == [0, 1, 2, 3, 4] * 2


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({}, r"rows: expected one or more, equally long, got lengths \[\]"),
        ({"empty": [[]]}, r"rows: expected one or more, equally long, got lengths \[0\]"),
        ({"a": [["x"]], "b": [["x"], ["y"]]}, r"equally long, got lengths \[1, 2\]"),
        ({"a": [["x"]] * 5}, "rows: expected at most 4 documents, got 5"),
    ],
)
def test_what_cannot_be_drawn_is_refused(rows, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.positions_in_rows(rows)

"""The picture of columns and pairs shows what it is given, in the colour of its pair."""

import pytest
from matplotlib.colors import to_hex

from pe_lib import plots
from pe_lib.course.palette import CATEGORICAL
from tests.helpers import assert_closed_and_small

ROWS = {"x": ["a0", "a1", "b0", "b1"], "cos": ["c0", "c0", "c1", "c1"]}


def test_figure_is_closed_and_small() -> None:
    boxes = [f"a{pair}" for pair in range(4)] * 2
    figure = plots.columns_of_pairs({"x": boxes, "cat": boxes, "repeat_interleave": boxes})
    assert_closed_and_small(figure)


def test_boxes_stand_in_their_columns_in_the_colour_of_their_pair() -> None:
    (axes,) = plots.columns_of_pairs(ROWS).axes
    texts = [(text.get_text(), *text.get_position()) for text in axes.texts]
    numbers, boxes = texts[:4], texts[4:]
    assert [text for text, _, _ in numbers] == ["0", "1", "2", "3"]
    assert boxes == [
        (box, column, row)
        for row, names in enumerate(ROWS.values())
        for column, box in enumerate(names)
    ]
    colours = [to_hex(patch.get_facecolor()) for patch in axes.patches]
    assert colours == [CATEGORICAL[pair] for pair in (0, 1, 0, 1, 0, 0, 1, 1)]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["x", "cos"]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ({}, r"rows: expected one or more, equally long, got lengths \[\]"),
        ({"x": ["a0"], "cos": ["c0", "c0"]}, r"equally long, got lengths \[1, 2\]"),
        ({"x": ["a4"]}, "of pairs 0 to 3, got 'a4'"),
        ({"x": ["a"]}, "of pairs 0 to 3, got 'a'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(rows, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.columns_of_pairs(rows)

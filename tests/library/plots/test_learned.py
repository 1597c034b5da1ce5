"""The pictures of a learned position table show its numbers and mark its boundary."""

import numpy as np
import pytest
import torch
from matplotlib.figure import Figure

from pe_lib import plots
from tests.helpers import assert_closed_and_small

TABLE = torch.tensor([[3.0, 4.0], [-4.0, 3.0], [0.0, 2.0]])


def dashed(figure: Figure, axes: int) -> list[float]:
    """Where the dashed lines of one of a figure's axes stand."""
    lines = [line for line in figure.axes[axes].lines if line.get_linestyle() == "--"]
    return [max(line.get_xdata()[0], line.get_ydata()[0]) for line in lines]


@pytest.mark.parametrize(
    "figure",
    [
        plots.rows_for_words(TABLE, ["a", "b"]),
        plots.table_and_cosines(TABLE, used=2),
        plots.loss_by_position({"one": [1.0, 2.0], "two": [2.0, 3.0]}, used=1),
        plots.along_directions(TABLE, used=2),
    ],
)
def test_figures_are_closed_and_small(figure: Figure) -> None:
    assert_closed_and_small(figure)


def test_words_stand_beside_their_rows() -> None:
    (axes,) = plots.rows_for_words(TABLE, ["a", "b"]).axes
    assert [text.get_text() for text in axes.texts] == ["+ a", "+ b", "not used"]
    assert dashed(axes.figure, 0) == [1.5]
    assert np.allclose(axes.images[0].get_array(), TABLE.numpy())


def test_table_is_drawn_at_length_1_beside_its_cosines() -> None:
    figure = plots.table_and_cosines(TABLE, used=2)
    table, cosines = (np.asarray(axes.images[0].get_array()) for axes in figure.axes[:2])
    assert np.allclose(table, [[0.6, 0.8], [-0.8, 0.6], [0, 1]])
    assert np.allclose(cosines, [[1, 0, 0.8], [0, 1, 0.6], [0.8, 0.6, 1]])
    assert dashed(figure, 0) == [1.5]
    assert dashed(figure, 1) == [1.5, 1.5]


def test_every_line_of_losses_has_its_name() -> None:
    figure = plots.loss_by_position({"one": [1.0, 2.0], "two": [2.0, 3.0]}, used=1)
    (axes,) = figure.axes
    first, second = axes.lines[:2]
    assert list(first.get_ydata()) == [1, 2] and list(second.get_ydata()) == [2, 3]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["one", "two"]
    assert first.get_linestyle() != second.get_linestyle(), "told apart without colour"
    assert axes.get_ylim()[0] == 0


def test_every_direction_is_a_curve_over_the_positions() -> None:
    figure = plots.along_directions(TABLE, used=2)
    assert [list(axes.lines[0].get_ydata()) for axes in figure.axes] == TABLE.T.tolist()
    assert [axes.get_title() for axes in figure.axes] == ["strongest", "second"]
    assert dashed(figure, 0) == dashed(figure, 1) == [1.5]


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: plots.rows_for_words(TABLE, "abcd"), "words: expected at most 3"),
        (lambda: plots.table_and_cosines(TABLE, used=0), "used: expected 1 to 3 rows, got 0"),
        (lambda: plots.table_and_cosines(TABLE, used=4), "used: expected 1 to 3 rows, got 4"),
        (lambda: plots.loss_by_position({}, used=1), "losses: expected 1 to 6 lines, got 0"),
        (lambda: plots.along_directions(torch.zeros(2, 5), used=1), "values: expected 1 to 4"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, message) -> None:
    with pytest.raises(ValueError, match=message):
        draw()

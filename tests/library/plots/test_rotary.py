"""The pictures of rotary encoding show the pairs, matrices and terms they are given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pe_lib import plots
from pe_lib.course.palette import CATEGORICAL
from tests.helpers import assert_closed_and_small


def written(axes):
    return [text.get_text() for text in axes.texts]


def test_partners_share_a_colour_and_a_bow():
    pairs = [(0, 2), (1, 3)]
    (axes,) = plots.pairings({"halves": pairs}).axes
    boxes, bows = axes.patches[:4], axes.patches[4:]
    blue, orange = CATEGORICAL[:2]
    assert [to_hex(box.get_facecolor()) for box in boxes] == [blue, orange, blue, orange]
    assert [tuple(x for x, _ in bow._posA_posB) for bow in bows] == pairs
    assert written(axes) == ["0", "1", "2", "3"]


@pytest.mark.parametrize(
    ("layouts", "message"),
    [
        ({}, "layouts: expected at least one layout, got none"),
        ({"a": [(0, 1), (1, 2)]}, "layouts: expected every feature once, in at most 4 pairs"),
        ({"a": [(0, 3)]}, "layouts: expected every feature once, in at most 4 pairs"),
        ({"a": [(2 * i, 2 * i + 1) for i in range(5)]}, "layouts: expected every feature once"),
    ],
)
def test_pairs_that_are_no_pairs_are_refused(layouts, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        plots.pairings(layouts)


def test_numbers_stand_in_their_cells():
    figure = plots.number_grids(
        {"a": [[1, 0], [-0.25, 4], [-0.0022, 0.25]], "b": [[0.5]]}, xlabel="n", ylabel="m"
    )
    first, second = figure.axes
    assert written(first) == ["1.00", "0.00", "−0.25", "4.00", "−0.002", "0.25"]
    places = [text.get_position() for text in first.texts]
    assert places == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2)]  # (column, row)
    assert first.images[0].get_clim() == second.images[0].get_clim() == (-4, 4)
    assert (first.get_xlabel(), first.get_ylabel()) == ("n", "m")


def test_zeros_can_be_left_out():
    (axes,) = plots.number_grids({"a": [[0, 1e-9], [2, 0]]}, zeros=False).axes
    assert written(axes) == ["0.000", "2.00"]


@pytest.mark.parametrize(
    ("grids", "message"),
    [
        ({}, "grids: expected at least one matrix, got none"),
        ({"a": [1.0, 2.0]}, r"grids: expected two axes, got shape \(2,\) for 'a'"),
    ],
)
def test_grids_that_are_no_matrices_are_refused(grids, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        plots.number_grids(grids)


def test_terms_add_up_to_the_score():
    offsets, terms = [-1.0, 0.0, 1.0], np.array([[1.0, 2.0, 3.0], [0.5, 0.0, -4.0]])
    figure = plots.terms_by_offset(offsets, {"a": terms, "b": -terms}, marked=0.5)
    first, second = figure.axes
    *pairs, score = first.lines[-3:]
    assert [line.get_ydata().tolist() for line in pairs] == terms.tolist()
    assert score.get_ydata().tolist() == [1.5, 2.0, -1.0]
    assert second.lines[-1].get_ydata().tolist() == [-1.5, -2.0, 1.0]
    dots = [line for line in first.lines if line.get_marker() == "o"]
    assert [(dot.get_xdata()[0], dot.get_ydata()[0]) for dot in dots] == [(0.5, 0.5)]
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["pair 0", "pair 1", "score"]


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ({}, "panels: expected at least one panel, got none"),
        ({"a": [1.0, 2.0]}, "panels: expected at most 4 rows of 2 terms"),
        ({"a": [[1.0, 2.0, 3.0]]}, "panels: expected at most 4 rows of 2 terms"),
        ({"a": np.zeros((5, 2))}, "panels: expected at most 4 rows of 2 terms"),
    ],
)
def test_terms_that_do_not_fit_are_refused(panels, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        plots.terms_by_offset([0.0, 1.0], panels)


def test_a_page_has_room_for_each_picture():
    figures = [
        plots.pairings({"a": [(0, 1)], "b": [(0, 1)]}),
        plots.number_grids({"a": np.eye(6), "b": np.eye(6)}),
        plots.terms_by_offset([0, 1], {"a": np.eye(2), "b": np.eye(2)}),
    ]
    for figure in figures:
        assert_closed_and_small(figure)

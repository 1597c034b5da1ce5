"""Arrows in the plane point where they are told to."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pe_lib import plots
from pe_lib.course.palette import CATEGORICAL
from tests.helpers import assert_closed_and_small

PANELS = {"first": {"q": (1, 0), "k": (0.6, 0.8)}, "second": {"k": (0, -0.5)}}


def test_arrows_point_where_they_are_told_to_in_their_colours():
    first, second = plots.arrows(PANELS).axes
    assert [axes.get_title() for axes in (first, second)] == ["first", "second"]
    pointing = [(arrow.U[0], arrow.V[0]) for arrow in (*first.collections, *second.collections)]
    assert np.allclose(pointing, [(1, 0), (0.6, 0.8), (0, -0.5)])
    colours = [
        to_hex(arrow.get_facecolor()[0]) for arrow in (*first.collections, *second.collections)
    ]
    blue, orange = CATEGORICAL[:2]
    assert colours == [blue, orange, orange]


def test_names_stand_beyond_the_tips():
    first, second = plots.arrows(PANELS).axes
    assert np.allclose([text.get_position() for text in first.texts], [(1.1, 0), (0.66, 0.88)])
    assert [text.get_ha() for text in (*first.texts, *second.texts)] == ["left", "left", "center"]
    assert [text.get_text() for text in second.texts] == ["k"]


def test_a_page_has_room_for_three_panels():
    figure = plots.arrows({title: {"q": (1, 0)} for title in "abc"})
    assert_closed_and_small(figure)


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        ({}, "panels: expected at least one panel, got none"),
        ({"a": {name: (1, 0) for name in "abcde"}}, "panels: expected at most 4 names, got 5"),
        ({"a": {"q": (1, 0, 0)}}, "panels: expected 'q' to be two numbers of a length from 0.1 to"),
        ({"a": {"q": (0, 0)}}, "panels: expected 'q' to be two numbers of a length from 0.1 to"),
        ({"a": {"q": (2, 0)}}, "panels: expected 'q' to be two numbers of a length from 0.1 to"),
    ],
)
def test_what_cannot_be_drawn_is_refused(panels, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        plots.arrows(panels)

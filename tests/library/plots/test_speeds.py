"""The picture of how long rotations take."""

import pytest

from pe_lib.course.palette import CATEGORICAL
from pe_lib.experiments.rotary_speed import Speed, read_speeds
from pe_lib.plots import speeds_beside_copying
from tests.helpers import assert_closed_and_small

ROWS = [
    Speed("fresh", "float32", "half-split", "another", 40.0, 4.0, 3.9, 4.2),
    Speed("fresh", "float32", "half-split", "pe_lib", 15.0, 1.5, 1.4, 1.6),
]


def test_the_fastest_is_on_top_and_the_library_orange():
    figure = speeds_beside_copying(ROWS)
    (axes,) = figure.axes
    assert [n.get_text() for n in axes.get_yticklabels()] == [
        "pe_lib, half-split",
        "another, half-split",
    ]
    bars = [line for line in axes.lines if line.get_linewidth() == 9]
    assert [bar.get_xdata().tolist() for bar in bars] == [[1, 1.5], [1, 4.0]]
    assert [bar.get_color() == CATEGORICAL[1] for bar in bars] == [True, False]
    spreads = [line.get_xdata().tolist() for line in axes.lines if line.get_linewidth() == 1.2]
    assert spreads == [[1.4, 1.6], [3.9, 4.2]]
    assert [text.get_text() for text in axes.texts] == ["1.50", "4.00"]


def test_what_is_the_same_everywhere_is_not_said():
    names = speeds_beside_copying(read_speeds("ready")).axes[0].get_yticklabels()
    assert all("pe_lib" not in name.get_text() for name in names)
    assert all("float" in name.get_text() for name in names)


def test_it_is_closed_and_small():
    speeds = [speed for speed in read_speeds("fresh") if speed.library != "slices"]
    assert_closed_and_small(speeds_beside_copying(speeds))


def test_nothing_is_refused():
    with pytest.raises(ValueError, match=r"^speeds: expected at least one, got none$"):
        speeds_beside_copying([])

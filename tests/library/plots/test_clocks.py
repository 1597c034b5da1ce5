"""Clock hands: the same height twice a turn, and the directions of two layouts."""

import numpy as np
import pytest

from pe_lib import plots
from tests.helpers import assert_closed_and_small


def test_the_pairs_turn_in_opposite_directions() -> None:
    for axes, sense in zip(plots.turning_directions(3).axes, (-1, 1), strict=True):
        x, y = np.asarray(axes.collections[0].get_offsets()).T
        turns = x[:-1] * y[1:] - y[:-1] * x[1:]  # cross products: positive is counter-clockwise
        assert np.allclose(turns, sense * np.sin(1))


def test_figure_is_closed_and_small() -> None:
    assert_closed_and_small(plots.turning_directions())


def test_more_than_a_turn_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="steps: expected 1 to 6, got 7"):
        plots.turning_directions(7)


def test_a_hand_is_as_high_on_its_way_up_as_on_its_way_down() -> None:
    clock, wave = plots.same_height_twice(12, 2).axes
    tips = [line.get_xydata()[0] for line in clock.lines if line.get_marker() == "o"]
    (right, up), (left, again) = tips
    assert up == pytest.approx(again) == pytest.approx(0.5)
    assert right == pytest.approx(-left) == pytest.approx(np.sin(np.pi / 3))
    dots = [line.get_xydata()[0] for line in wave.lines if line.get_marker() == "o"]
    assert np.allclose(dots, [[2, 0.5], [10, 0.5]])


def test_the_hand_and_its_height_are_closed_and_small() -> None:
    assert_closed_and_small(plots.same_height_twice())


def test_positions_that_are_not_on_the_way_down_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match="period: expected at least 4 positions, got 3"):
        plots.same_height_twice(3, 1)
    with pytest.raises(ValueError, match="position: expected 1 to less than 6, got 6"):
        plots.same_height_twice(12, 6)

"""The directions in which the pairs of two layouts turn."""

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

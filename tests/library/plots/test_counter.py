"""A binary counter beside waves."""

import numpy as np
import pytest

from pe_lib import plots
from tests.helpers import assert_closed_and_small


def test_counter_counts_and_the_waves_agree_in_sign() -> None:
    figure = plots.counter_beside_waves(16)
    counter, waves = (np.asarray(axes.images[0].get_array()) for axes in figure.axes[:2])
    bits = (counter + 1) / 2
    assert (bits @ [1, 2, 4, 8]).tolist() == list(range(16))
    assert np.array_equal(np.sign(waves), np.sign(counter))


def test_figure_is_closed_and_small() -> None:
    assert_closed_and_small(plots.counter_beside_waves())


def test_one_position_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="length: expected at least 2 positions, got 1"):
        plots.counter_beside_waves(1)

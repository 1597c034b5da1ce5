"""A binary counter, and waves over it."""

import numpy as np
import pytest

from pe_lib import plots
from tests.helpers import assert_closed_and_small


def test_digits_count_and_the_waves_lie_on_their_side() -> None:
    [axes] = plots.counter_made_smooth(16).axes
    lines = [np.asarray(line.get_ydata()) for line in axes.lines]
    middles = axes.get_yticks()
    digits = np.array([line - middle for line, middle in zip(lines[::3], middles, strict=True)])
    dots = np.array([line - middle for line, middle in zip(lines[2::3], middles, strict=True)])
    assert ([1, 2, 4, 8] @ (digits + 0.5)).round(9).tolist() == list(range(16))
    assert np.array_equal(np.sign(dots), np.sign(digits))
    np.testing.assert_allclose(dots[0], digits[0], atol=1e-12)  # the fastest wave is its digit
    assert abs(dots).max() <= 0.5 + 1e-12


def test_figure_is_closed_and_small() -> None:
    assert_closed_and_small(plots.counter_made_smooth())


def test_one_position_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="length: expected at least 2 positions, got 1"):
        plots.counter_made_smooth(1)

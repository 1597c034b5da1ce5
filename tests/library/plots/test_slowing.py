"""By how much each rule slows each pair."""

import numpy as np
import pytest
from matplotlib.axes import Axes

import pe_lib
from pe_lib.plots import slowed_pairs
from pe_lib.rotary.scaling.base import Scaling
from tests.helpers import assert_closed_and_small

RULES: dict[str, Scaling | None] = {"as trained": None, "interpolation": pe_lib.LinearScaling(4.0)}


def axes(rules: dict[str, Scaling | None]) -> Axes:
    return slowed_pairs(rules, dim=32, trained=128).axes[0]


def test_lines_are_old_frequencies_divided_by_the_new_ones() -> None:
    rules = RULES | {"NTK": pe_lib.NTKScaling(4.0)}
    one, four, ntk = (line.get_ydata() for line in axes(rules).lines[:3])
    np.testing.assert_allclose(one, 1)
    np.testing.assert_allclose(four, 4)
    np.testing.assert_allclose(ntk, 4 ** (np.arange(16) / 15))


def test_the_dashed_line_parts_the_pairs_that_completed_a_turn() -> None:
    edge = int(np.asarray(axes(RULES).lines[-1].get_xdata())[0] + 0.5)
    completed = pe_lib.wavelengths(32) <= 128
    assert completed[:edge].all()
    assert not completed[edge:].any()


def test_figure_is_closed_and_small() -> None:
    assert_closed_and_small(slowed_pairs(RULES, dim=32, trained=128))


@pytest.mark.parametrize("count", [0, 7])
def test_none_and_too_many_are_refused_by_name(count: int) -> None:
    with pytest.raises(ValueError, match=rf"^rules: expected 1 to 6, got {count}$"):
        axes({str(number): None for number in range(count)})

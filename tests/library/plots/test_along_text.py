"""The strips show what the stretches of a text cost, row by row."""

import numpy as np
import pytest

from pe_lib import plots
from tests.helpers import assert_closed_and_small

COSTS = {"rope": [np.nan, 1.0, 2.0, 4.0], "alibi": [1.0, 1.0, 1.0, 3.0]}


def test_a_stretch_has_the_mean_of_its_bytes() -> None:
    figure = plots.costs_along_text(COSTS, trained=2, stretch=2)
    assert_closed_and_small(figure)
    axes = figure.axes[0]
    assert axes.images[0].get_array().tolist() == [[1.0, 3.0], [1.0, 2.0]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["RoPE", "ALiBi"]
    assert any(line.get_xdata() == [2, 2] for line in axes.lines)


def test_a_costlier_stretch_is_less_white() -> None:
    figure = plots.costs_along_text({"rope": [0.0, 1.0, 3.0, 5.0]}, trained=1, stretch=1)
    (image,) = figure.axes[0].images
    greens = image.to_rgba(image.get_array())[0, :, 1]
    assert greens[0] == 1
    assert (np.diff(greens) < 0).all()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({}, r"costs: expected equally many bytes for each encoding, a multiple of 8, got \[\]"),
        ({"rope": [1.0] * 9}, r"multiple of 8, got \[\(9,\)\]"),
        ({"rope": [1.0] * 8, "none": [1.0] * 16}, r"got \[\(8,\), \(16,\)\]"),
        ({"rotary": [1.0] * 8}, "costs: expected encodings of the course, got 'rotary'"),
    ],
)
def test_unfit_costs_are_refused(costs: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plots.costs_along_text(costs, trained=4)

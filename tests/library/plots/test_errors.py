"""The picture of errors over the distance shows what it is given."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pe_lib import plots
from pe_lib.course.palette import CATEGORICAL
from tests.helpers import assert_closed_and_small

ERRORS = {"layout": [0.0, 0.4, 1.0, 1.4], "base": [0.0, 0.1, 0.5, 1.3]}


def test_a_line_for_each_name_and_one_for_the_scores_size() -> None:
    figure = plots.errors_by_distance([0, 1, 10, 1000], ERRORS)
    assert_closed_and_small(figure)
    (axes,) = figure.axes
    *lines, size = axes.lines
    for line, (name, given), colour in zip(lines, ERRORS.items(), CATEGORICAL, strict=False):
        assert line.get_label() == name
        assert line.get_xdata().tolist() == [0, 1, 10, 1000]
        assert line.get_ydata().tolist() == given
        assert to_hex(line.get_color()) == colour
    assert len({line.get_linestyle() for line in lines}) == len(lines)
    assert np.unique(size.get_ydata()).tolist() == [1]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [*ERRORS]


def test_distance_0_has_its_place_beside_factors_of_ten() -> None:
    (axes,) = plots.errors_by_distance([0, 1, 10, 1000], ERRORS).axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0", "1", "10", "100", "1000"]
    places = axes.transData.transform([(x, 0) for x in (0, 1, 10, 100, 1000)])[:, 0]
    steps = np.diff(places)
    assert np.allclose(steps[1:], steps[1]) and steps[0] > steps[1] / 2
    assert axes.get_xlim() == (0, 1000)
    assert axes.get_ylim()[0] == 0


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ({}, "errors: expected 1 to 4 names, got 0"),
        ({str(n): [0, 1] for n in range(5)}, "errors: expected 1 to 4 names, got 5"),
        ({"base": [0, 1, 2]}, r"errors\['base'\]: expected \(2,\), got \(3,\)"),
    ],
)
def test_what_cannot_be_drawn_is_refused(errors, message) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        plots.errors_by_distance([0, 1], errors)

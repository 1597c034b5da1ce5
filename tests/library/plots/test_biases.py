"""The picture of biases shows them over the distance, each in a style of its own."""

import pytest
import torch

from pe_lib import plots
from tests.helpers import assert_closed_and_small

BIASES = {"ALiBi, slope 1/20": -torch.arange(1, 1001) / 20, "T5": [0.0] * 1000}


def test_lines_are_the_biases() -> None:
    figure = plots.biases_by_distance(torch.arange(1, 1001), BIASES)
    assert_closed_and_small(figure)
    line, flat = figure.axes[0].lines
    assert line.get_xdata().tolist() == list(range(1, 1001))
    assert line.get_ydata().tolist() == pytest.approx([-t / 20 for t in range(1, 1001)])
    assert flat.get_ydata().tolist() == [0.0] * 1000


def test_each_line_has_its_name_where_it_ends_or_leaves_the_picture() -> None:
    (axes,) = plots.biases_by_distance(torch.arange(1, 1001), BIASES).axes
    assert {note.get_text(): note.xy for note in axes.texts} == {
        "ALiBi, slope 1/20": (240, -12.0),
        "T5": (1000, 0.0),
    }


def test_lines_are_solid_so_that_a_staircase_keeps_its_steps() -> None:
    (axes,) = plots.biases_by_distance(torch.arange(1, 1001), BIASES).axes
    assert [line.get_linestyle() for line in axes.lines] == ["-", "-"]


def test_distances_are_logarithmic_with_a_mark_at_each_power_of_ten() -> None:
    (axes,) = plots.biases_by_distance(torch.arange(1, 1001), BIASES).axes
    assert axes.get_xscale() == "log"
    assert axes.get_xticks().tolist() == [1, 10, 100, 1000]


@pytest.mark.parametrize(
    ("biases", "message"),
    [
        ({}, "biases: expected at least one, got none"),
        ({"a, b": [0.0, 1.0]}, "biases: expected encodings of the course, got 'a, b'"),
        ({"T5": [1.0]}, "biases['T5']: expected (2,), got (1,)"),
    ],
)
def test_wrong_biases_are_named(biases, message) -> None:
    with pytest.raises(ValueError) as caught:
        plots.biases_by_distance([1, 2], biases)
    assert str(caught.value) == message

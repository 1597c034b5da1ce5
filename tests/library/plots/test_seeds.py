"""The picture of all seeds has a row for each encoding, with its dots, its range and its mean."""

import re

import numpy as np
import pytest
import torch

from pe_lib import plots
from pe_lib.course.encodings import ENCODINGS
from pe_lib.course.palette import FAMILIES, THEMES
from tests.helpers import assert_closed_and_small

LOSSES = {
    "rope": torch.tensor([4.0, 3.0, 5.5], dtype=torch.float64),
    "alibi": [1.25, 1.75],
    "none": np.array([4.1]),  # below the mean of "rope", above its lowest and its middle one
}


def rows(figure):
    """The band, the dots and the mean of each row, from the first drawn to the last."""
    (axes,) = figure.axes
    drawn = [line for line in axes.lines if line.get_color() != THEMES["light"]["grid"]]
    return [drawn[at : at + 3] for at in range(0, len(drawn), 3)]


def test_the_lowest_mean_is_on_top() -> None:
    figure = plots.seeds_by_encoding(LOSSES, label="loss, nats per byte")
    assert_closed_and_small(figure)
    (axes,) = figure.axes
    assert [name.get_text() for name in axes.get_yticklabels()] == ["ALiBi", "no positions", "RoPE"]
    assert axes.get_yticks().tolist() == [0, 1, 2]
    bottom, top = axes.get_ylim()
    assert bottom > 2 and top < 0, "row 0 is on top, and all rows are whole"
    assert axes.get_xlabel() == "loss, nats per byte"


def test_a_row_has_a_dot_for_each_seed_a_band_over_all_and_their_mean() -> None:
    found = rows(plots.seeds_by_encoding(LOSSES, label="loss"))
    expected = [
        ([1.25, 1.75], [1.25, 1.75], 1.5),
        ([4.1, 4.1], [4.1], 4.1),
        ([3.0, 5.5], [4.0, 3.0, 5.5], 12.5 / 3),
    ]
    for y, ((band, dots, mean), (ends, seeds, middle)) in enumerate(
        zip(found, expected, strict=True)
    ):
        assert band.get_xdata() == pytest.approx(ends)
        assert dots.get_xdata().tolist() == seeds
        assert mean.get_xdata() == pytest.approx([middle])
        assert {*band.get_ydata(), *dots.get_ydata(), *mean.get_ydata()} == {y}


def test_seeds_and_mean_are_told_apart_by_shape_and_by_colour() -> None:
    found = rows(plots.seeds_by_encoding(LOSSES, label="loss"))
    for kind, (band, dots, mean) in zip(("alibi", "none", "rope"), found, strict=True):
        assert (band.get_marker(), dots.get_marker(), mean.get_marker()) == ("None", "o", "|")
        assert dots.get_linestyle() == "None", "seeds have no order"
        assert band.get_color() == dots.get_color() == FAMILIES["light"][ENCODINGS[kind]["family"]]
        assert mean.get_color() == THEMES["light"]["ink"]


def test_thirteen_rows_fit_a_phone_and_a_row_is_as_high_as_any() -> None:
    def size(count: int) -> tuple[float, float]:
        losses = {kind: [1.0, 1.5] for kind in list(ENCODINGS)[:count]}
        figure = plots.seeds_by_encoding(losses, label="loss")
        assert_closed_and_small(figure)
        return tuple(figure.get_size_inches())

    assert size(13) == pytest.approx((5.2, 4), abs=0.1)
    assert size(13)[1] - size(12)[1] == pytest.approx(size(2)[1] - size(1)[1])


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ({}, "by_encoding: expected at least one encoding, got none"),
        ({"RoPE": [1.5]}, "by_encoding: expected encodings of the course, got 'RoPE'"),
        ({"t5": []}, "by_encoding['t5']: expected (seeds,), got (0,)"),
        ({"t5": 1.5}, "by_encoding['t5']: expected (seeds,), got ()"),
        ({"t5": [1.5], "xl": [[1.5]]}, "by_encoding['xl']: expected (seeds,), got (1, 1)"),
        ({"t5": [1.5, np.nan]}, "by_encoding['t5']: expected finite numbers, got [1.5, nan]"),
    ],
)
def test_what_cannot_be_drawn_is_refused(losses, message) -> None:
    with pytest.raises(ValueError, match=re.escape(message) + "$"):
        plots.seeds_by_encoding(losses, label="loss")

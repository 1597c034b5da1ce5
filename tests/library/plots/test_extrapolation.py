"""The picture of losses beyond the training length shows their means and their range."""

import numpy as np
import pytest
import torch

from pe_lib import plots
from tests.helpers import assert_closed_and_small, dash_of

LENGTHS = [128, 256, 512]
LOSSES = {
    "rope": torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 3.0]]),
    "alibi": [[1.5, 1.5, 1.5]],
}


def test_lines_are_means_and_bands_reach_from_seed_to_seed() -> None:
    figure = plots.losses_beyond(LENGTHS, LOSSES, trained=128)
    assert_closed_and_small(figure)
    (axes,) = figure.axes
    rope, alibi, end = axes.lines
    assert rope.get_xdata().tolist() == LENGTHS
    assert rope.get_ydata().tolist() == [1.5, 3.0, 3.0]
    assert alibi.get_ydata().tolist() == [1.5] * 3
    assert end.get_xdata()[0] == 128
    corners = axes.collections[0].get_paths()[0].vertices
    for place, low, high in [(128, 1, 2), (256, 2, 4), (512, 3, 3)]:
        own = corners[np.isclose(corners[:, 0], place), 1]
        assert (own.min(), own.max()) == (low, high)


def test_lines_have_names_and_are_told_apart_without_colour() -> None:
    figure = plots.losses_beyond(LENGTHS, LOSSES, trained=128)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["RoPE", "ALiBi"]
    rope, alibi, _ = figure.axes[0].lines
    assert dash_of(rope) != dash_of(alibi)


def test_an_encoding_looks_the_same_whatever_is_shown_with_it() -> None:
    def look(*kinds: str) -> tuple:
        figure = plots.losses_beyond(LENGTHS, {kind: [[1, 2, 3]] for kind in kinds}, trained=128)
        line, band = figure.axes[0].lines[len(kinds) - 1], figure.axes[0].collections[-1]
        return line.get_color(), dash_of(line), tuple(band.get_facecolor()[0])

    assert look("rope") == look("none", "t5", "rope")
    assert look("rope") != look("alibi")


def test_each_mark_is_twice_the_one_before() -> None:
    positions = [16.5, 48.5, 80.5, 112.5]
    figure = plots.losses_beyond(
        positions, {"rope": torch.ones(2, 4)}, trained=64, xlabel="position in the window"
    )
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["32", "64"]
    assert axes.get_xlabel() == "position in the window"


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        ({}, "losses: expected 1 to 5 encodings, got 0"),
        ({name: [[1, 2, 3]] for name in "abcdef"}, "losses: expected 1 to 5 encodings, got 6"),
        ({"a": [[1, 2, 3]]}, "losses: expected encodings of the course, got 'a'"),
        ({"t5": [[1, 2]]}, r"losses\['t5'\]: expected \(seeds, 3\), got \(1, 2\)"),
        ({"t5": [1, 2, 3]}, r"losses\['t5'\]: expected \(seeds, 3\), got \(3,\)"),
    ],
)
def test_losses_that_cannot_be_drawn_are_refused(losses, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.losses_beyond(LENGTHS, losses, trained=128)

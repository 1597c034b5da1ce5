"""The picture of what is found at a distance shows means, their range, and what a guess gets."""

import numpy as np
import pytest
import torch

from pe_lib import plots
from tests.helpers import assert_closed_and_small, dash_of

FIRSTS = [2, 16, 32]
SHARES = {
    "rope": torch.tensor([[1.0, 0.5, 0.0], [0.5, 0.5, 0.25]]),
    "alibi": [[0.25, 0.25, 0.25]],
}


def test_lines_are_means_and_bands_reach_from_seed_to_seed() -> None:
    figure = plots.found_by_distance(FIRSTS, SHARES, trained=16, chance=0.125)
    assert_closed_and_small(figure)
    (axes,) = figure.axes
    rope, alibi, end, guess = axes.lines
    assert rope.get_xdata().tolist() == FIRSTS
    assert rope.get_ydata().tolist() == [75, 50, 12.5]
    assert alibi.get_ydata().tolist() == [25] * 3
    assert (end.get_xdata()[0], guess.get_ydata()[0]) == (16, 12.5)
    corners = axes.collections[0].get_paths()[0].vertices
    for place, low, high in [(2, 50, 100), (16, 50, 50), (32, 0, 25)]:
        own = corners[np.isclose(corners[:, 0], place), 1]
        assert (own.min(), own.max()) == (low, high)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2", "16", "32"]


def test_lines_have_names_and_are_told_apart_without_colour() -> None:
    figure = plots.found_by_distance(FIRSTS, SHARES, trained=16, chance=0.125)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["RoPE", "ALiBi"]
    rope, alibi, *_ = figure.axes[0].lines
    assert dash_of(rope) != dash_of(alibi)


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({}, "shares: expected 1 to 5 encodings, got 0"),
        ({name: [[1, 1, 1]] for name in "abcdef"}, "shares: expected 1 to 5 encodings, got 6"),
        ({"a": [[1, 1, 1]]}, "shares: expected encodings of the course, got 'a'"),
        ({"t5": [[1, 1]]}, r"shares\['t5'\]: expected \(seeds, 3\), got \(1, 2\)"),
    ],
)
def test_shares_that_cannot_be_drawn_are_refused(shares, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.found_by_distance(FIRSTS, shares, trained=16, chance=0.125)

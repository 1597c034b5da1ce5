"""Pictures at several resolutions, and how well they are read."""

import numpy as np
import pytest
import torch

from pe_lib import plots
from tests.helpers import assert_closed_and_small, dash_of

SIZES = [8, 12, 24]
ACCURACIES = {
    "continued": {"rope2d": torch.tensor([[0.9, 0.3, 0.1], [0.8, 0.5, 0.1]])},
    "resized": {"learned": [[0.7, 0.6, 0.5]], "rope2d": [[0.9, 0.8, 0.7], [0.8, 0.8, 0.9]]},
}


def test_lines_are_means_in_percent_and_bands_reach_from_seed_to_seed() -> None:
    figure = plots.accuracy_by_resolution(SIZES, ACCURACIES, trained=8)
    assert_closed_and_small(figure)
    left, right = figure.axes
    assert [left.get_title(), right.get_title()] == ["continued", "resized"]
    assert left.lines[0].get_xdata().tolist() == SIZES
    np.testing.assert_allclose(left.lines[0].get_ydata(), [85, 40, 10])
    np.testing.assert_allclose(right.lines[0].get_ydata(), [85, 80, 80])
    np.testing.assert_allclose(right.lines[1].get_ydata(), [70, 60, 50])
    corners = right.collections[0].get_paths()[0].vertices
    for size, low, high in [(8, 80, 90), (12, 80, 80), (24, 70, 90)]:
        own = corners[np.isclose(corners[:, 0], size), 1]
        np.testing.assert_allclose((own.min(), own.max()), (low, high))


def test_a_kind_looks_the_same_in_every_panel_and_is_told_apart_without_colour() -> None:
    figure = plots.accuracy_by_resolution(SIZES, ACCURACIES, trained=8)
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["axial RoPE", "learned table"]
    for axes in figure.axes:
        rope, learned = axes.lines[:2]
        assert (rope.get_label(), learned.get_label()) == ("axial RoPE", "learned table")
        assert dash_of(rope) != dash_of(learned)
    looks = {(a.lines[0].get_color(), dash_of(a.lines[0])) for a in figure.axes}
    assert len(looks) == 1
    assert np.isnan(figure.axes[0].lines[1].get_ydata()).all(), "learned was not continued"


def test_panels_share_a_scale_that_begins_at_nothing_and_ends_at_everything() -> None:
    figure = plots.accuracy_by_resolution(SIZES, ACCURACIES, trained=12)
    for axes in figure.axes:
        assert axes.get_ylim() == (0, 100)
        assert axes.get_xticks().tolist() == SIZES
        *_, training, guessing = axes.lines
        assert set(training.get_xdata()) == {12}
        assert set(guessing.get_ydata()) == {10}


@pytest.mark.parametrize(
    ("accuracies", "message"),
    [
        ({}, "accuracies: expected 1 to 5 encodings, got 0"),
        ({"a": {}}, "accuracies: expected 1 to 5 encodings, got 0"),
        ({"a": {k: [[1, 2, 3]] for k in "abc"}, "b": {k: [[1, 2, 3]] for k in "def"}}, "got 6"),
        ({"a": {"b": [[1, 2, 3]]}}, "accuracies: expected encodings of the course, got 'b'"),
        (
            {"a": {"mixed": [[1, 2]]}},
            r"accuracies\['a'\]\['mixed'\]: expected \(seeds, 3\), got \(1, 2\)",
        ),
        (
            {"a": {"mixed": [1, 2, 3]}},
            r"accuracies\['a'\]\['mixed'\]: expected \(seeds, 3\), got \(3,\)",
        ),
    ],
)
def test_accuracies_that_cannot_be_drawn_are_refused(accuracies, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.accuracy_by_resolution(SIZES, accuracies, trained=8)


def test_every_picture_stands_above_its_label_in_the_row_of_its_resolution() -> None:
    coarse, fine = torch.rand(3, 1, 8, 8), torch.rand(3, 1, 24, 24)
    figure = plots.pictures([coarse, fine], labels=[4, "b", 7])
    assert_closed_and_small(figure)
    (axes,) = figure.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["4", "b", "7"]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["8 x 8", "24 x 24"]
    for drawn, picture in zip(axes.images, [*coarse, *fine], strict=True):
        np.testing.assert_allclose(drawn.get_array(), picture[0])
        assert drawn.get_clim() == (0, 1)
    places = [image.get_extent() for image in axes.images]
    centres = [(round((a + b) / 2), round((c + d) / 2)) for a, b, c, d in places]
    assert centres == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    assert all(bottom > top for _, _, bottom, top in places), "no picture is upside down"
    assert axes.get_ylim()[0] > axes.get_ylim()[1]


@pytest.mark.parametrize(
    ("images", "labels", "message"),
    [
        ([], [1], "images: expected at least one, got 0 x 1"),
        ([np.zeros((0, 1, 8, 8))], [], "images: expected at least one, got 1 x 0"),
        (
            [np.zeros((2, 1, 8, 8))],
            [1],
            r"images: expected \(1, 1, height, width\), got shape \(2, 1, 8, 8\)",
        ),
        (
            [np.zeros((1, 8, 8))],
            [1],
            r"images: expected \(1, 1, height, width\), got shape \(1, 8, 8\)",
        ),
    ],
)
def test_pictures_that_cannot_be_drawn_are_refused(images, labels, message) -> None:
    with pytest.raises(ValueError, match=message):
        plots.pictures(images, labels)

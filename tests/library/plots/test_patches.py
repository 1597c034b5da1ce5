"""Maps of scores show them on one scale, with the query outlined."""

import numpy as np
import pytest
import torch

from pe_lib import plots
from tests.helpers import assert_closed_and_small

WIDE = torch.arange(12).reshape(2, 6) / 24
TALL = -np.ones((16, 7))
MAPS = {"wide": WIDE, "tall": TALL, "small": [[0.5, 0.25], [0.0, 0.0]]}


def test_maps_are_the_scores_on_one_scale_from_the_lowest_to_the_highest() -> None:
    figure = plots.patch_scores(MAPS, query=(1, 1))
    assert_closed_and_small(figure)
    for axes, (title, scores) in zip(figure.axes, MAPS.items(), strict=False):
        assert axes.get_title() == title
        image = axes.images[0]
        assert np.allclose(image.get_array(), np.asarray(scores))
        assert image.get_clim() == (-1, 0.5)


def test_the_query_is_outlined_in_each() -> None:
    figure = plots.patch_scores(MAPS, query=(1, 0))
    for axes in figure.axes[: len(MAPS)]:
        (outline,) = axes.patches
        assert outline.get_xy() == (-0.5, 0.5)
        assert (outline.get_width(), outline.get_height()) == (1, 1)
        assert not outline.get_fill()


def test_rows_and_columns_are_numbered() -> None:
    wide, tall, small = plots.patch_scores(MAPS, query=(0, 0)).axes[:3]
    assert wide.get_xticks().tolist() == list(range(6))
    assert wide.get_yticks().tolist() == [0, 1]
    assert tall.get_yticks().tolist() == list(range(0, 16, 4))
    assert tall.get_xticks().tolist() == list(range(7))
    assert [axes.get_ylabel() for axes in (wide, tall, small)] == ["row", "", ""]


@pytest.mark.parametrize(
    ("maps", "query", "message"),
    [
        ({}, (0, 0), "maps: expected 1 to 3 maps, got 0"),
        ({name: [[1]] for name in "abcd"}, (0, 0), "maps: expected 1 to 3 maps, got 4"),
        ({"a": [1, 2]}, (0, 0), "maps['a']: expected two axes, got shape (2,)"),
        (
            {"a": [[1, 1]], "b": [[1]]},
            (0, 1),
            "query: expected a patch of 1 rows and 1 columns, got (0, 1)",
        ),
        ({"a": [[1, 1]]}, (-1, 0), "query: expected a patch of 1 rows and 2 columns, got (-1, 0)"),
        ({"a": [[1, 1]]}, (1, 0), "query: expected a patch of 1 rows and 2 columns, got (1, 0)"),
    ],
)
def test_what_cannot_be_drawn_is_refused(maps, query, message) -> None:
    with pytest.raises(ValueError) as caught:
        plots.patch_scores(maps, query=query)
    assert str(caught.value) == message


def test_a_single_map_leaves_no_empty_half() -> None:
    one, two = {"one": np.eye(4)}, {"one": np.eye(4), "two": np.eye(4)}
    alone = plots.patch_scores(one, query=(0, 0)).get_size_inches()
    both = plots.patch_scores(two, query=(0, 0)).get_size_inches()
    assert alone[0] < both[0]
    assert alone[1] == both[1]

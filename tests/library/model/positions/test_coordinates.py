"""Where tokens and patches stand, as types."""

import pytest
import torch

from pe_lib.model.positions.coordinates import PicturePositions, stretched_over, text_positions


def test_ids_say_what_is_padding():
    positions = text_positions(torch.tensor([[-1, -1, 0, 1], [0, 1, 2, -1]]))
    assert positions.ids[:, 2].tolist() == [0, 2]
    assert positions.padding.tolist() == [[True, True, False, False], [False, False, False, True]]
    assert text_positions(positions) is positions


@pytest.mark.parametrize("more", [1, 1.5, 2, 3, 0.5])
def test_patches_of_a_finer_grid_reach_from_edge_to_edge_of_the_coarse_one(more):
    count = int(8 * more)
    positions = stretched_over(PicturePositions(8, 8), count, 8)
    (moved, unmoved), (scale, _) = positions.offset, positions.scale
    first, last = moved * scale, (count - 1 + moved) * scale
    assert first - scale / 2 == pytest.approx(-0.5), "the upper edge of the first patch"
    assert last + scale / 2 == pytest.approx(7.5), "the lower edge of the last one"
    assert unmoved == 0

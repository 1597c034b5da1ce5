"""Where tokens and patches stand, as types."""

import torch

from pe_lib.model.positions.coordinates import text_positions


def test_ids_say_what_is_padding():
    positions = text_positions(torch.tensor([[-1, -1, 0, 1], [0, 1, 2, -1]]))
    assert positions.ids[:, 2].tolist() == [0, 2]
    assert positions.padding.tolist() == [[True, True, False, False], [False, False, False, True]]
    assert text_positions(positions) is positions

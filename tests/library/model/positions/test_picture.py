"""Every kind of position for pictures does in the model what its own function or module says."""

import pytest
import torch

from pe_lib import axial_rotary_cos_sin, sinusoidal_encoding_2d
from pe_lib.model.positions.coordinates import PicturePositions
from pe_lib.model.positions.picture import (
    LearnedGrid,
    RopeByAxes,
    RopeByIndex,
    RopeMixed,
    SinusoidalGrid,
)
from tests.helpers import randn


def test_what_enters_at_the_input_is_added():
    x, learned = randn(3, 16, 24, dtype=torch.float32), LearnedGrid(PicturePositions(4, 4), 24)
    assert torch.equal(learned.at_the_input(x, PicturePositions(4, 4)), x + learned.table)
    sinusoidal = SinusoidalGrid().at_the_input(x, PicturePositions(2, 8))
    assert torch.equal(sinusoidal, x + sinusoidal_encoding_2d(2, 8, 24))


def test_rows_and_columns_are_told_apart():
    q = torch.ones(1, 3, 6, 8)
    by_axes = RopeByAxes().at_q_and_k(q, q, PicturePositions(2, 3))[0].view(3, 2, 3, 8)
    first_half = [0, 1, 4, 5]  # pairs (0, 4) and (1, 5) turn with the column
    second_half = [2, 3, 6, 7]
    assert torch.equal(by_axes[:, 0, :, first_half], by_axes[:, 1, :, first_half])
    assert torch.equal(by_axes[:, :, 0, second_half], by_axes[:, :, 2, second_half])
    assert not torch.equal(by_axes[:, :, 0, first_half], by_axes[:, :, 1, first_half])
    by_index = RopeByIndex().at_q_and_k(q, q, PicturePositions(2, 3))[0]
    assert torch.equal(by_index, RopeByIndex().at_q_and_k(q, q, PicturePositions(6, 1))[0])
    assert len(by_index[0, 0].unique(dim=0)) == 6


def test_mixed_begins_as_axes_turned_by_an_angle():
    mixed = RopeMixed(8, 3)
    with torch.no_grad():
        size = mixed.rotary.frequencies.norm(dim=0)  # (heads, pairs), whatever the angle
        mixed.rotary.frequencies.zero_()
        mixed.rotary.frequencies[0, :, :2] = size[:, :2]
        mixed.rotary.frequencies[1, :, 2:] = size[:, 2:]
    q = randn(3, 3, 6, 8, dtype=torch.float32)
    cos, sin = axial_rotary_cos_sin(2, 3, 8, 10.0)
    a, b = q.chunk(2, dim=-1)
    turned = torch.cat((a * cos - b * sin, b * cos + a * sin), dim=-1)
    for result in mixed.at_q_and_k(q, q, PicturePositions(2, 3)):
        torch.testing.assert_close(result, turned, rtol=0, atol=1e-6)


def test_a_learned_grid_starts_small():
    torch.manual_seed(0)
    table = LearnedGrid(PicturePositions(20, 20), 24).table
    assert table.shape == (400, 24)
    assert table.std().item() == pytest.approx(0.02, rel=0.03)

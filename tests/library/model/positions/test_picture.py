"""Every encoding for pictures does in the model what its own function or module says."""

import math

import pytest
import torch

from pe_lib import axial_rotary_cos_sin, sinusoidal_encoding_2d
from pe_lib.model.positions.coordinates import PicturePositions, stretched_over
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


FINER = stretched_over(PicturePositions(4, 3), 8, 6)


def middles(count, scale):
    """Where the middles of so many patches are, counted in patches of the training."""
    return [(i + 0.5) * scale - 0.5 for i in range(count)]


def test_a_finer_grid_of_sines_stands_where_the_picture_stood():
    x = torch.zeros(1, 48, 8)
    found = SinusoidalGrid().at_the_input(x, FINER)[0].view(8, 6, 8)
    for row, y in enumerate(middles(8, 0.5)):
        for column, x_ in enumerate(middles(6, 0.5)):
            parts = [(f(p), f(p / 100)) for p in (x_, y) for f in (math.sin, math.cos)]
            expected = torch.tensor(parts).flatten()
            torch.testing.assert_close(found[row, column], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", [RopeByAxes, lambda: RopeMixed(8, 3)])
def test_rotations_of_a_finer_grid_meet_those_of_the_training_where_the_patches_do(kind):
    """Every third patch's middle is one of the training's where a patch is cut into 3 x 3."""
    kind, q = kind(), torch.ones(1, 3, 16, 8)
    trained = kind.at_q_and_k(q, q, PicturePositions(4, 4))[0].unflatten(2, (4, 4))
    q = torch.ones(1, 3, 144, 8)
    finer = stretched_over(PicturePositions(4, 4), 12, 12)
    found = kind.at_q_and_k(q, q, finer)[0].unflatten(2, (12, 12))
    torch.testing.assert_close(found[:, :, 1::3, 1::3], trained, rtol=0, atol=1e-6)


def test_numbers_of_a_finer_grid_are_spread_over_those_of_the_training():
    q = torch.ones(1, 1, 16, 2)
    found = RopeByIndex().at_q_and_k(q, q, stretched_over(PicturePositions(2, 2), 4, 4))[0][0, 0]
    angles = torch.arange(16) / 4
    expected = torch.stack((angles.cos() - angles.sin(), angles.cos() + angles.sin()), dim=1)
    torch.testing.assert_close(found, expected, rtol=0, atol=1e-6)


def test_a_learned_table_is_interpolated_as_an_image():
    """A table that rises evenly still does, within the patches of the training."""
    learned = LearnedGrid(PicturePositions(8, 8), 2)
    rows, columns = torch.meshgrid(torch.arange(8.0), torch.arange(8.0), indexing="ij")
    learned.table.data = torch.stack((rows, columns), dim=-1).flatten(0, 1)
    finer = stretched_over(learned.grid, 16, 24)
    found = learned.at_the_input(torch.zeros(1, 16 * 24, 2), finer)[0].view(16, 24, 2)
    inside = found[4:12, 6:18]  # further out there are no patches on both sides
    y, x = torch.tensor(middles(16, 0.5))[4:12], torch.tensor(middles(24, 1 / 3))[6:18]
    torch.testing.assert_close(inside[..., 0], y[:, None].expand(-1, 12), rtol=0, atol=1e-5)
    torch.testing.assert_close(inside[..., 1], x.expand(8, -1), rtol=0, atol=1e-5)
    noise = torch.where((rows + columns) % 2 == 0, 1.0, -1.0)  # finer than fewer patches can show
    learned.table.data = noise.flatten()[:, None].expand(-1, 2)
    coarser = stretched_over(learned.grid, 3, 3)
    assert learned.at_the_input(torch.zeros(1, 9, 2), coarser).abs().max() < 0.05


def test_a_learned_grid_starts_small():
    torch.manual_seed(0)
    table = LearnedGrid(PicturePositions(20, 20), 24).table
    assert table.shape == (400, 24)
    assert table.std().item() == pytest.approx(0.02, rel=0.03)

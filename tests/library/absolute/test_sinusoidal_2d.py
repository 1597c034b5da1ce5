"""The sinusoidal table of a picture: columns, then rows."""

import math

import pytest
import torch

from pe_lib import available_devices, sinusoidal_encoding, sinusoidal_encoding_2d
from tests.helpers import FLOATS


@pytest.mark.parametrize("dim", [4, 8, 12, 16, 20, 24, 32, 64])
def test_the_sinusoidal_table_is_dim_wide(dim):
    assert sinusoidal_encoding_2d(3, 5, dim).shape == (15, dim)


def test_blocks_of_the_sinusoidal_table():
    """sin x | cos x | sin y | cos y, each as the one-dimensional encoding has it."""
    table = sinusoidal_encoding_2d(3, 5, 16, 50).unflatten(0, (3, 5))
    x, y = sinusoidal_encoding(5, 8, 50), sinusoidal_encoding(3, 8, 50)
    for row in range(3):
        for column in range(5):
            parts = x[column, 0::2], x[column, 1::2], y[row, 0::2], y[row, 1::2]
            torch.testing.assert_close(table[row, column], torch.cat(parts), rtol=0, atol=1e-7)


def test_every_patch_has_the_same_length():
    norms = sinusoidal_encoding_2d(6, 9, 32, dtype=torch.float64).norm(dim=-1)
    torch.testing.assert_close(norms, torch.full_like(norms, math.sqrt(16)), rtol=1e-14, atol=0)


def test_as_vit_mae_in_transformers_but_for_the_order_of_the_axes():
    """There the rows come first; in the original code of masked autoencoders the columns do."""
    from transformers.models.vit_mae.modeling_vit_mae import build_2d_sinusoidal_position_embedding

    theirs = build_2d_sinusoidal_position_embedding(5, 7, 32, dtype=torch.float64)
    ours = sinusoidal_encoding_2d(5, 7, 32, dtype=torch.float64)
    torch.testing.assert_close(ours, theirs.roll(16, dims=-1), rtol=0, atol=1e-14)


def test_rows_and_columns_are_moved_and_stretched_as_for_axial_rotation():
    options = {"offset": (2, -0.5), "scale": (0.5, 3)}
    table = sinusoidal_encoding_2d(3, 4, 8, dtype=torch.float64, **options).unflatten(0, (3, 4))
    for row in range(3):
        for column in range(4):
            x, y = (column - 0.5) * 3, (row + 2) * 0.5
            angles = [[place * 10000 ** (-i / 2) for i in range(2)] for place in (x, y)]
            parts = [f(a) for own in angles for f in (math.sin, math.cos) for a in own]
            expected = torch.tensor(parts, dtype=torch.float64)
            torch.testing.assert_close(table[row, column], expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_rounded_once_at_the_end(dtype):
    exact = sinusoidal_encoding_2d(30, 40, 16, dtype=torch.float64)
    rounded = sinusoidal_encoding_2d(30, 40, 16, dtype=dtype)
    assert rounded.dtype == dtype
    assert torch.equal(rounded, exact.to(dtype))
    assert sinusoidal_encoding_2d(2, 2, 4).dtype == torch.float32


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_on_the_default_device(device):
    with torch.device(device):
        table = sinusoidal_encoding_2d(2, 3, 8)
    assert (table.device.type, table.shape) == (device, (6, 8))

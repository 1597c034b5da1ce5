"""flash-attention: its rotation, its positions and its xPos.

github.com/Dao-AILab/flash-attention at 0251105: flash_attn/layers/rotary.py, with the reference
that tests/test_rotary.py holds its GPU kernels against; no numbers are expected there. An x is
(batch, seq, heads, dim), so ``seq_dim=-3`` here.
"""

from itertools import pairwise

import pytest
import torch

from pe_lib import apply_rotary, rotary_cos_sin, xpos_scale
from tests.conformance.reference import close, frequencies, same_table_in_float32, turned
from tests.helpers import F64, randn

LAYOUTS = pytest.mark.parametrize("interleaved", [True, False])


def theirs(x, cos, sin, interleaved):
    """Its torch reference: tables (seq, pairs), or (batch, seq, pairs), on the first features."""
    width = 2 * cos.shape[-1]
    first, rest = x[..., :width], x[..., width:]
    if interleaved:
        cos, sin = (table.repeat_interleave(2, dim=-1).unsqueeze(-2) for table in (cos, sin))
        quarter = torch.stack((-first[..., 1::2], first[..., ::2]), dim=-1).flatten(-2)
    else:
        cos, sin = (table.repeat((1,) * (table.ndim - 1) + (2,)).unsqueeze(-2)
                    for table in (cos, sin))  # fmt: skip
        quarter = torch.cat((-first[..., width // 2 :], first[..., : width // 2]), dim=-1)
    return torch.cat((first * cos + quarter * sin, rest), dim=-1)


@LAYOUTS
@pytest.mark.parametrize("share", [1.0, 0.5])
@pytest.mark.parametrize("offsets", [0, 11, torch.tensor([3, 0, 40])])
def test_offsets_of_each_text(interleaved, share, offsets):
    """``seqlen_offsets``: one for all texts or one for each, rows taken out of a longer table."""
    x, width = randn(3, 7, 2, 16), int(16 * share)
    table = [function(torch.arange(64)[:, None] * frequencies(width))
             for function in (torch.cos, torch.sin)]  # fmt: skip
    rows = torch.as_tensor(offsets)[..., None] + torch.arange(7)  # (7,) or (3, 7)
    expected = theirs(x, *(t[rows] for t in table), interleaved)
    result = apply_rotary(
        x, *rotary_cos_sin(rows, width, dtype=F64), interleaved=interleaved, seq_dim=-3
    )
    close(result, expected)
    # The same with complex numbers, which know nothing of tables.
    angles = rows[..., None, None] * frequencies(width)
    close(result, turned(x, angles, interleaved=interleaved))


@LAYOUTS
def test_texts_in_one_row(interleaved):
    """``cu_seqlens``: the positions begin anew with each text."""
    ends = [0, 3, 4, 9]  # of three texts, of 3, 1 and 5 tokens
    x = randn(9, 2, 16)
    positions = torch.cat([torch.arange(b - a) for a, b in pairwise(ends)])
    tables = rotary_cos_sin(positions, 16, dtype=F64)
    result = apply_rotary(x, *tables, interleaved=interleaved, seq_dim=-3)
    for start, end in pairwise(ends):
        angles = torch.arange(end - start)[:, None] * frequencies(16)
        expected = theirs(x[start:end], angles.cos(), angles.sin(), interleaved)
        close(result[start:end], expected)


@LAYOUTS
def test_a_gradient_is_turned_back(interleaved):
    """Its backward pass is the rotation with ``conjugate``, the sines' signs changed."""
    x, gradient = randn(2, 7, 2, 16).requires_grad_(), randn(2, 7, 2, 16, seed=1)
    cos, sin = rotary_cos_sin(7, 8, dtype=F64)
    result = apply_rotary(x, cos, sin, interleaved=interleaved, seq_dim=-3)
    (back,) = torch.autograd.grad(result, x, gradient)
    close(back, theirs(gradient, cos, -sin, interleaved))


@pytest.mark.parametrize("length", [100, 4096])
@pytest.mark.parametrize("dim", [32, 128])
def test_xpos(length, dim):
    """``scale_base``: queries times the scale, keys divided by it, 1 at position length // 2.

    Its tables are float32: the scales' powers, down to 0.29 ** 4, are right to 2^-20 of themselves.
    """
    base = 512
    even = torch.arange(0, dim, 2, dtype=torch.float32)
    power = (torch.arange(length, dtype=torch.float32) - length // 2) / base
    expected = ((even + 0.4 * dim) / (1.4 * dim)) ** power[:, None]
    scale = xpos_scale(length, dim, base, center=length // 2, dtype=F64)
    torch.testing.assert_close(scale, expected.double(), rtol=2.0**-20, atol=0)
    angles = torch.arange(length, dtype=torch.float32)[:, None] / 10_000 ** (even / dim)
    same_table_in_float32(rotary_cos_sin(length, dim, dtype=F64), angles)


@LAYOUTS
def test_xpos_scores(interleaved):
    """A scale of each pair times cosine and sine is a table like any other, there and here."""
    q, k = randn(40, 1, 16), randn(40, 1, 16, seed=1)
    cos, sin = rotary_cos_sin(40, 16, dtype=F64)
    scale = xpos_scale(40, 16, center=20, dtype=F64)
    zeta = (torch.arange(0, 16, 2, dtype=F64) + 0.4 * 16) / (1.4 * 16)
    their_scale = zeta ** ((torch.arange(40, dtype=F64) - 20) / 512)[:, None]
    for x, ours, factor in ((q, scale, their_scale), (k, 1 / scale, 1 / their_scale)):
        result = apply_rotary(x, cos * ours, sin * ours, interleaved=interleaved, seq_dim=-3)
        close(result, theirs(x, cos * factor, sin * factor, interleaved))

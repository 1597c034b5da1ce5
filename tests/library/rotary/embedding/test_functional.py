"""apply_rotary_emb and slice_at_dim give the numbers of rotary-embedding-torch's functions."""

import pytest
import rotary_embedding_torch as other
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import RotaryEmbedding, apply_rotary_emb, slice_at_dim


def randn(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def close(ours, theirs):
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-12)


@given(st.integers(0, 4), st.integers(0, 10), st.floats(-2, 2), st.integers(0, 3))
def test_turning_by_any_angles_agrees(start_index, more_rows, scale, seed):
    """Also where the two columns of a pair hold different angles, which is no rotation."""
    angles, t = randn(5 + more_rows, 4, seed=seed), randn(2, 3, 5, 8, seed=seed)
    close(
        apply_rotary_emb(angles, t, start_index, scale),
        other.apply_rotary_emb(angles, t, start_index, scale),
    )
    factors = randn(5, 4, seed=seed + 1)
    close(
        apply_rotary_emb(angles, t, start_index, factors),
        other.apply_rotary_emb(angles, t, start_index, factors),
    )


@pytest.mark.parametrize(
    ("freqs", "t", "options"),
    [
        ((4,), (2, 3, 5, 8), {}),
        ((1, 4), (2, 3, 1, 8), {}),
        ((2, 1, 5, 4), (2, 3, 5, 8), {}),
        ((2, 1, 9, 4), (2, 3, 5, 8), {"freqs_seq_dim": 2}),
        ((2, 1, 9, 4), (2, 3, 5, 8), {"freqs_seq_dim": -2}),
        ((3, 5, 4), (2, 3, 5, 8), {}),
        ((9, 1, 4), (2, 5, 3, 8), {"seq_dim": -3, "freqs_seq_dim": 0}),
        ((9, 1, 4), (2, 5, 3, 8), {"seq_dim": 1, "freqs_seq_dim": 0}),
        ((7, 6, 4), (2, 7, 6, 8), {}),
        ((5, 0), (2, 5, 4), {}),
        ((5, 0), (2, 5, 0), {}),
        ((5, 4), (2, 5, 4), {"scale": torch.tensor(3.0).double()}),
        ((5, 4), (2, 5, 4), {"scale": torch.arange(1.0, 6.0).double()[:, None]}),
        ((3, 5, 4), (2, 3, 5, 8), {"scale": torch.arange(1.0, 4.0).double()[:, None, None]}),
    ],
)
def test_angles_of_every_shape_agree(freqs, t, options):
    angles, t = randn(*freqs), randn(*t, seed=1)
    close(apply_rotary_emb(angles, t, **options), other.apply_rotary_emb(angles, t, **options))


@pytest.mark.parametrize("seq_dim", [-4, -3, -2, 0, 1, 2])
def test_a_table_is_laid_along_any_axis(seq_dim):
    """Two axes of angles, or of scales, need no axes of length 1 from the caller."""
    t = randn(5, 5, 5, 8)
    angles, scale = randn(7, 4, seed=1), randn(5, 4, seed=2)
    expected = apply_rotary_emb(angles, t.movedim(seq_dim, -2), scale=scale).movedim(-2, seq_dim)
    assert torch.equal(apply_rotary_emb(angles, t, scale=scale, seq_dim=seq_dim), expected)


def test_unbatched_grids_are_turned_whole():
    angles, t = RotaryEmbedding(4).get_axial_freqs(6, 3), randn(6, 3, 8)
    expected = torch.stack([apply_rotary_emb(a, x) for a, x in zip(angles, t, strict=True)])
    assert torch.equal(apply_rotary_emb(angles, t), expected)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32], ids=str)
def test_low_precision_angles_and_features_are_rounded_once(dtype):
    angles, t = randn(5, 8).to(dtype), randn(2, 5, 8, seed=1).to(dtype)
    expected = apply_rotary_emb(angles.float(), t.float()).to(dtype)
    result = apply_rotary_emb(angles, t)
    assert result.dtype == dtype
    assert torch.equal(result, expected)


def test_slice_at_dim():
    t = randn(3, 4, 5)
    for dim in (-3, -2, -1, 0, 1, 2):
        for part in (slice(1, 3), slice(-2, None), slice(None, None, 2), slice(None)):
            result = slice_at_dim(t, part, dim=dim)
            assert torch.equal(result, other.rotary_embedding_torch.slice_at_dim(t, part, dim=dim))
            assert result._base is t


def test_features_left_alone_on_both_sides():
    rotary, t = RotaryEmbedding(4), randn(2, 5, 8)
    angles = rotary.forward(rotary.get_seq_pos(5))
    result = apply_rotary_emb(angles, t, start_index=3)
    assert torch.equal(result[..., :3], t[..., :3])
    turned = rotary.rotate_queries_or_keys(t[..., 3:7])
    torch.testing.assert_close(result[..., 3:7], turned, rtol=0, atol=1e-15)
    assert torch.equal(result[..., 7:], t[..., 7:])
    with pytest.raises(ValueError, match=r"^freqs: expected start_index .* dim = 8, got 5 \+ 4$"):
        apply_rotary_emb(angles, t, start_index=5)

"""Queries beside keys, also cached ones: the scores of the full sequence, with xPos too."""

import math

import pytest
import torch

from pe_lib import RotaryEmbedding


def randn(*shape, seed=0, dtype=torch.float32):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


def difference(a, b):
    return (a.double() - b.double()).abs().max().item()


def scores(q, k):
    return q @ k.transpose(-1, -2)


def test_the_scale_of_xpos_does_not_remember_longer_sequences():
    rotary, t = RotaryEmbedding(6, use_xpos=True), torch.arange(50.0)
    zeta = torch.tensor([2 / 7, 11 / 21, 16 / 21], dtype=torch.float64)
    expected = (zeta ** ((t.double()[:, None] - 25) / 512)).repeat_interleave(2, dim=-1)
    for _ in range(2):
        torch.testing.assert_close(rotary.get_scale(t, seq_len=50), expected, rtol=1e-14, atol=0)
        rotary.get_scale(torch.arange(500.0), seq_len=500)


def test_the_scale_of_a_later_part_does_not_depend_on_earlier_calls():
    rotary, part = RotaryEmbedding(6, use_xpos=True), torch.arange(2.0, 6.0)
    first = [(2 / 7) ** (p / 512) for p in (0, 1, 2, 3)]  # the center is len(t) // 2 = 2
    for _ in range(2):
        scale = rotary.get_scale(part, seq_len=4, offset=2)
        assert scale[:, 0].tolist() == pytest.approx(first, rel=1e-14)
        rotary.get_scale(torch.arange(8.0), seq_len=8)


def test_xpos_by_hand_needs_a_scale_and_its_inverse():
    q, k = randn(2, 5, 8), randn(2, 5, 8, seed=1)
    rotary = RotaryEmbedding(8, use_xpos=True)
    with pytest.raises(
        ValueError, match=r"scale: expected get_scale.* inverse for keys.* got None"
    ):
        rotary.rotate_queries_or_keys(q)
    scale = rotary.get_scale(rotary.get_seq_pos(5))
    by_hand = (
        rotary.rotate_queries_or_keys(q, scale=scale),
        rotary.rotate_queries_or_keys(k, scale=scale**-1),
    )
    torch.testing.assert_close(rotary.rotate_queries_and_keys(q, k), by_hand)


def test_queries_and_keys_are_rotated_together_without_xpos_too():
    q, k = randn(2, 5, 8), randn(2, 5, 8, seed=1)
    rotary = RotaryEmbedding(8)
    together = rotary.rotate_queries_and_keys(q, k)
    assert torch.equal(together[0], rotary.rotate_queries_or_keys(q))
    assert torch.equal(together[1], rotary.rotate_queries_or_keys(k))


@pytest.mark.parametrize("lengths", [(1, 50), (3, 50), (50, 1)])
def test_queries_and_keys_of_different_lengths_are_refused(lengths):
    q, k = (randn(1, length, 8) for length in lengths)
    message = rf"^k: expected q's {lengths[0]} positions, got {lengths[1]} \(rotate_queries_with"
    for use_xpos in (False, True):
        with pytest.raises(ValueError, match=message):
            RotaryEmbedding(8, use_xpos=use_xpos).rotate_queries_and_keys(q, k)


@pytest.mark.parametrize("scale_base", [512, 16])
@pytest.mark.parametrize("q_len", [1, 3, 50])
def test_cached_keys_with_xpos_give_the_scores_of_the_full_sequence(q_len, scale_base):
    q, k = randn(1, 50, 6, dtype=torch.float64), randn(1, 50, 6, seed=1, dtype=torch.float64)
    rotary = RotaryEmbedding(6, use_xpos=True, xpos_scale_base=scale_base)
    full = scores(*rotary.rotate_queries_and_keys(q, k))[:, -q_len:]
    ours = scores(*rotary.rotate_queries_with_cached_keys(q[:, -q_len:], k))
    torch.testing.assert_close(ours, full, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("use_xpos", [False, True])
@pytest.mark.parametrize("offset", [3, -7, 1_000_000])
def test_an_offset_moves_queries_and_cached_keys_alike(offset, use_xpos):
    q, k = randn(1, 3, 8, dtype=torch.float64), randn(1, 50, 8, seed=1, dtype=torch.float64)
    rotary = RotaryEmbedding(8, use_xpos=use_xpos)
    here = rotary.rotate_queries_with_cached_keys(q, k)
    moved = rotary.rotate_queries_with_cached_keys(q, k, offset=offset)
    assert difference(moved[0], here[0]) > 0.1
    assert difference(moved[1], here[1]) > 0.1
    assert difference(scores(*moved), scores(*here)) < 1e-8
    if not use_xpos:
        assert torch.equal(moved[0], rotary.rotate_queries_or_keys(q, offset=offset + 47))
        assert torch.equal(moved[1], rotary.rotate_queries_or_keys(k, offset=offset))


def test_cached_keys_with_xpos_work_where_heads_come_after_positions():
    q, k = randn(2, 3, 4, 8), randn(2, 9, 4, 8, seed=1)  # (batch, seq, heads, dim)
    ours = RotaryEmbedding(8, use_xpos=True, seq_before_head_dim=True)
    heads_first = RotaryEmbedding(8, use_xpos=True).rotate_queries_with_cached_keys(
        q.transpose(1, 2), k.transpose(1, 2)
    )
    for mine, expected in zip(ours.rotate_queries_with_cached_keys(q, k), heads_first, strict=True):
        assert torch.equal(mine, expected.transpose(1, 2))


def test_xpos_leaves_the_range_of_float16_before_that_of_bfloat16():
    """In the nature of xPos, and documented: keys grow with the length."""
    rotary = RotaryEmbedding(64, use_xpos=True)
    scale = rotary.get_scale(rotary.get_seq_pos(8192))
    assert scale.min().item() == pytest.approx(4.45e-5, rel=1e-3)
    assert scale.max().item() == pytest.approx(22518.7, rel=1e-5)
    ones = torch.ones(1, 16384, 64)
    for dtype, finite in ((torch.float16, False), (torch.bfloat16, True)):
        _, k = rotary.rotate_queries_and_keys(ones.to(dtype), ones.to(dtype))
        assert k.isfinite().all() == finite
    limit = math.log(torch.finfo(torch.float16).max) / math.log(1.4 / 0.4) * 512 * 2
    assert limit == pytest.approx(9065, abs=1)  # "near 9,000 tokens"

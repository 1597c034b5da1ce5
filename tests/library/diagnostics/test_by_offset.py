"""Means by offset against closed forms, and against loops that define them."""

import itertools
import math
import statistics

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    alibi_bias,
    apply_rotary,
    inverse_frequencies,
    rotary_cos_sin,
    score_by_offset,
    similarity_by_offset,
    sinusoidal_encoding,
)
from tests.helpers import F64, randn


def close(result, expected, tolerance=1e-12):
    expected = torch.as_tensor(expected, dtype=F64)
    torch.testing.assert_close(result, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("length", "dim"), [(100, 512), (37, 6), (3, 2)])
def test_sinusoidal_similarities_are_the_sums_of_cosines(length, dim):
    offset, mean, std = similarity_by_offset(sinusoidal_encoding(length, dim, dtype=F64))
    assert offset.tolist() == list(range(length))
    frequencies = inverse_frequencies(dim)
    close(mean, (torch.arange(length)[:, None] * frequencies).cos().sum(-1))
    assert std.max() < 1e-12


def test_a_learned_table_is_not_consistent_by_offset():
    table = randn(100, 128) * 0.1
    _, mean, std = similarity_by_offset(table)
    assert mean[0] == pytest.approx(1.28, abs=0.05)
    assert (std[:90] > 0.02).all()
    assert std[-1] == 0  # one pair


def test_the_numbers_of_100_positions():
    mean = similarity_by_offset(sinusoidal_encoding(100, 512, dtype=F64)).mean
    close(mean[[0, 1, 5, 10, 50]], [256, 249.102098, 189.596668, 173.789725, 131.090761], 2e-9)


def test_a_table_that_says_nothing():
    assert not similarity_by_offset(torch.zeros(100, 8)).mean.any()


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
def test_scores_by_offset_as_a_loop(q_len, k_len, seed):
    scores = randn(2, 3, q_len, k_len, seed=seed)
    offset, mean, std = score_by_offset(scores)
    assert offset.tolist() == list(range(1 - k_len, q_len))
    assert mean.shape == std.shape == (2, 3, q_len + k_len - 1)
    for heads in itertools.product(range(2), range(3)):
        groups = {}
        for i, j in itertools.product(range(q_len), range(k_len)):
            query = i + k_len - q_len
            groups.setdefault(j - query, []).append(scores[(*heads, i, j)].item())
        close(mean[heads], [statistics.fmean(groups[o]) for o in offset.tolist()])
        close(std[heads], [statistics.pstdev(groups[o]) for o in offset.tolist()])


@given(st.integers(2, 9), st.integers(1, 5), st.integers(0, 99))
def test_similarities_by_offset_as_a_loop(length, dim, seed):
    table = randn(length, dim, seed=seed)
    _, mean, std = similarity_by_offset(table)
    for offset in range(length):
        dots = [float(sum(table[i] * table[i + offset])) for i in range(length - offset)]
        close(mean[offset], statistics.fmean(dots))
        close(std[offset], statistics.pstdev(dots))


def test_encodings_that_act_on_the_scores():
    """RoPE sees the offset alone where q and k are the same everywhere, ALiBi always."""
    cos, sin = rotary_cos_sin(40, 16, dtype=F64)
    q, k = randn(16), randn(16, seed=1)

    def scores(q, k):
        q, k = (apply_rotary(x.expand(40, 16).contiguous(), cos, sin) for x in (q, k))
        return q @ k.T

    offset, mean, std = score_by_offset(scores(q, k))
    assert std.max() < 1e-13
    close(mean[offset == 0], (q @ k)[None])
    turned = apply_rotary(k[None], cos[7:8], sin[7:8])[0]
    close(mean[offset == 7], (q @ turned)[None])
    assert score_by_offset(scores(randn(40, 16), k)).std[5:-5].min() > 0.1

    offset, mean, std = score_by_offset(alibi_bias(2, 5, 8, causal=False))
    assert offset.tolist() == list(range(-7, 5))
    close(mean, torch.tensor([[2.0**-4], [2.0**-8]]) * -offset.abs())
    assert not std.any()


def test_masked_scores():
    offset, mean, std = score_by_offset(alibi_bias(2, 3))
    assert mean[:, offset > 0].tolist() == [[-math.inf] * 2] * 2
    assert std[:, offset > 0].isnan().all()
    assert not std[:, offset <= 0].any()

"""ALiBi: the slopes of the paper for every head count, and a bias made of distances."""

import itertools
import math
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from torch.nn.functional import scaled_dot_product_attention
from torch.utils._python_dispatch import TorchDispatchMode

from pe_lib import alibi_bias, alibi_score_mod, alibi_slopes, attention, available_devices
from tests.helpers import F64, FLOATS, randn

mp.dps = 40
randn32 = partial(randn, dtype=torch.float32)
DTYPES = pytest.mark.parametrize("dtype", FLOATS, ids=str)
CAUSAL = pytest.mark.parametrize("causal", [True, False])


def papers_slopes(num_heads):
    """Section 3 for powers of two, and what the authors' code does with other counts."""
    power_of_two = 1
    while power_of_two * 2 <= num_heads:
        power_of_two *= 2
    first = [mpf(2) ** (mpf(-8) * h / power_of_two) for h in range(1, power_of_two + 1)]
    twice = [mpf(2) ** (mpf(-8) * h / (2 * power_of_two)) for h in range(1, 2 * power_of_two + 1)]
    return first + twice[0::2][: num_heads - power_of_two]


def test_slopes_written_out():
    assert alibi_slopes(8).dtype == F64
    assert alibi_slopes(8).tolist() == [2.0**-h for h in range(1, 9)]
    assert alibi_slopes(1).tolist() == [2.0**-8]
    assert alibi_slopes(2).tolist() == [2.0**-4, 2.0**-8]
    assert alibi_slopes(3).tolist() == [2.0**-4, 2.0**-8, 2.0**-2]
    assert alibi_slopes(6).tolist() == [2.0**-h for h in (2, 4, 6, 8, 1, 3)]
    assert alibi_slopes(12).tolist() == [
        *(2.0**-h for h in range(1, 9)),
        *(pytest.approx(2**-h, rel=1e-15) for h in (0.5, 1.5, 2.5, 3.5)),
    ]


def test_slopes_are_the_paper_s_to_rounding():
    for num_heads in range(1, 129):
        slopes = alibi_slopes(num_heads).tolist()
        for slope, exact in zip(slopes, papers_slopes(num_heads), strict=True):
            assert abs(mpf(slope) - exact) <= mpf(2) ** -53 * exact


def test_slopes_down_to_another_limit():
    for num_heads, max_bias in itertools.product([*range(1, 20), 32, 40, 112], [8, 4, 16.5]):
        power_of_two = 2 ** int(math.log2(num_heads))
        steps = [
            *range(1, power_of_two + 1),
            *(h + 0.5 for h in range(num_heads - power_of_two)),
        ]
        expected = [2 ** (-float(max_bias) * step / power_of_two) for step in steps]
        slopes = alibi_slopes(num_heads, max_bias)
        assert slopes.tolist() == pytest.approx(expected, rel=1e-14)
        bias = alibi_bias(num_heads, 2, 5, max_bias=max_bias, dtype=F64)
        assert torch.equal(bias[:, 1, 1], -3 * slopes)
        score_mod = alibi_score_mod(num_heads, max_bias=max_bias)
        nothing, heads = torch.zeros(num_heads, dtype=F64), torch.arange(num_heads)
        scores = score_mod(nothing, nothing, heads, torch.tensor(4), torch.tensor(1))
        torch.testing.assert_close(scores, -3 * slopes, rtol=1e-15, atol=0)


def exact_bias(num_heads, q_len, k_len, causal):
    """The definition, one number at a time."""
    bias = torch.empty(num_heads, q_len, k_len, dtype=F64)
    for head, slope in enumerate(alibi_slopes(num_heads).tolist()):
        for i in range(q_len):
            for j in range(k_len):
                query = i + k_len - q_len
                bias[head, i, j] = -math.inf if causal and j > query else -slope * abs(query - j)
    return bias


@CAUSAL
@DTYPES
def test_every_element_is_the_distance_times_the_slope(causal, dtype):
    for num_heads in [1, 3, 8, 12]:
        for q_len, k_len in [(1, 1), (5, 5), (1, 7), (3, 7), (7, 3), (3, 1)]:
            bias = alibi_bias(num_heads, q_len, k_len, causal=causal, dtype=dtype)
            assert bias.dtype == dtype
            assert torch.equal(bias, exact_bias(num_heads, q_len, k_len, causal).to(dtype))


def test_as_many_keys_as_queries_and_causal_where_nothing_is_said():
    assert alibi_bias(2, 3).dtype == torch.float32
    assert alibi_bias(2, 3).tolist() == [
        [[0, -math.inf, -math.inf], [-(2**-4), 0, -math.inf], [-(2**-3), -(2**-4), 0]],
        [[0, -math.inf, -math.inf], [-(2**-8), 0, -math.inf], [-(2**-7), -(2**-8), 0]],
    ]


@pytest.mark.usefixtures("without_shape_checks")
def test_counts_from_numpy():
    numbers = np.array([6, 3, 5])
    assert torch.equal(alibi_bias(*numbers), alibi_bias(6, 3, 5))
    assert torch.equal(alibi_slopes(6, np.float32(5)), alibi_slopes(6, 5))


def test_no_minus_zero():
    assert not alibi_bias(4, 5, causal=False).diagonal(dim1=1, dim2=2).signbit().any()


@given(st.integers(1, 20), st.integers(1, 30), st.integers(1, 30), st.booleans())
def test_the_distance_is_all_that_counts(num_heads, q_len, k_len, causal):
    """So the rows of a longer sequence are those of a shorter one, pushed along."""
    bias = alibi_bias(num_heads, q_len + 1, k_len + 1, causal=causal)
    assert torch.equal(bias[:, 1:, 1:], bias[:, :-1, :-1])


@given(st.integers(1, 20), st.integers(1, 30), st.integers(0, 30), st.booleans())
def test_cached_decoding_sees_the_last_rows(num_heads, q_len, cached, causal):
    whole = alibi_bias(num_heads, q_len + cached, causal=causal, dtype=torch.bfloat16)
    last = alibi_bias(num_heads, q_len, q_len + cached, causal=causal, dtype=torch.bfloat16)
    assert torch.equal(last, whole[:, cached:])
    assert last[:, -1].any() or (q_len + cached == 1)  # and they are not zero


@DTYPES
def test_far_away_it_is_rounded_once(dtype):
    row = alibi_bias(12, 1, 16_001, dtype=dtype)[:, 0]
    for head, slope in enumerate(papers_slopes(12)):
        for key in (0, 1, 8_000, 15_000, 15_743, 15_999):
            exact = -slope * (16_000 - key)
            # Half a unit in the last place, and float64's own rounding before.
            bound = (mpf(torch.finfo(dtype).eps) / 2 + mpf(2) ** -51) * abs(exact)
            assert abs(mpf(row[head, key].item()) - exact) <= bound


class Elements(TorchDispatchMode):
    """Counts the elements of every tensor that is made."""

    def __init__(self):
        super().__init__()
        self.made = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if not function.is_view:
            self.made += result.numel()
        return result


def test_nothing_as_large_as_the_bias_is_made_on_the_way():
    with Elements() as elements:
        bias = alibi_bias(8, 200, dtype=torch.bfloat16)
    assert bias.numel() == 8 * 200 * 200
    assert bias.numel() <= elements.made < bias.numel() + 100 * 400
    assert bias.untyped_storage().nbytes() == bias.numel() * 2
    with Elements() as elements:
        alibi_bias(8, 1, 200)  # cached decoding
    assert elements.made < 100 * 200


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_results_are_on_the_default_device(device):
    with torch.device(device):
        assert alibi_bias(4, 5).device.type == device
        assert alibi_bias(4, 5).shape == (4, 5, 5)
        assert alibi_slopes(4).device.type == "cpu"


# In attention


def test_queries_before_every_key_get_nothing():
    q, k, v = randn(2, 6, 5, 16), randn(2, 6, 3, 16, seed=1), randn(2, 6, 3, 16, seed=2)
    bias = alibi_bias(6, 5, 3, dtype=F64)
    assert (bias[:, :2] == -math.inf).all()
    assert (bias[:, 2:] > -math.inf).any(-1).all()
    result = attention(q, k, v, bias=bias)
    assert not result[:, :, :2].any()
    torch.testing.assert_close(result[:, :, 2:], attention(q[:, :, 2:], k, v, bias=bias[:, 2:]))
    both_ways = alibi_bias(6, 5, 3, causal=False, dtype=F64)
    torch.testing.assert_close(result, attention(q, k, v, bias=both_ways, causal=True))


def test_as_a_mask_of_pytorch_s_attention():
    q, k, v = (randn32(2, 6, 40, 16, seed=seed) for seed in range(3))
    scores = q @ k.mT / 16**0.5 + alibi_bias(6, 40)
    result = scaled_dot_product_attention(q, k, v, attn_mask=alibi_bias(6, 40))
    torch.testing.assert_close(result, scores.softmax(-1) @ v, rtol=0, atol=1e-5)

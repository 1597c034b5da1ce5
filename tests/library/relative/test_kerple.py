"""KERPLE: the logarithmic kernel, right to rounding, with r1 and r2 that stay positive."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import KerpleBias

mp.dps = 40
HEADS = 3


def module(seed=0):
    torch.manual_seed(seed)
    return KerpleBias(HEADS)


def r1_and_r2(bias):
    """What the stored logarithms say, at 40 digits."""
    return [[mp.exp(mpf(x)) for x in log.tolist()] for log in (bias.log_r1, bias.log_r2)]


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (4, 4), (2, 6), (6, 2), (1, 2000)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_kernel(q_len, k_len, dtype):
    """-r1 log(1 + r2 |j - i|), one number at a time."""
    bias = module().to(dtype)
    result = bias(q_len, k_len)
    assert result.dtype == dtype
    r1, r2 = r1_and_r2(bias)
    ulp = torch.finfo(dtype).eps
    for head in range(HEADS):
        for i in range(q_len):
            for j in range(0, k_len, max(1, k_len // 50)):
                distance = abs(j - (k_len - q_len + i))
                exact = -r1[head] * mp.log(1 + r2[head] * distance)
                got = mpf(result[head, i, j].item())
                assert abs(got - exact) <= 4 * ulp * abs(exact)


def test_nothing_for_the_present_and_less_for_the_farther():
    row = module()(1, 500)[:, 0]
    assert (row[:, -1] == 0).all()
    assert (row.diff() > 0).all()
    assert (row.diff().diff() > -1e-5).all()  # it flattens out: each step back costs less


@given(st.integers(1, 20), st.integers(1, 20))
def test_the_distance_is_all_that_counts(q_len, k_len):
    bias = module()(q_len + 1, k_len + 1)
    assert torch.equal(bias[:, 1:, 1:], bias[:, :-1, :-1])
    whole = module()(q_len)
    assert torch.equal(whole, whole.mT)


@given(st.integers(1, 20), st.integers(0, 300))
def test_cached_decoding_sees_the_last_rows(q_len, cached):
    bias = module()
    assert torch.equal(bias(q_len, q_len + cached), bias(q_len + cached)[:, cached:])


def test_r1_and_r2_at_first():
    torch.manual_seed(0)
    bias = KerpleBias(20_000)
    r1, r2 = bias.log_r1.exp(), bias.log_r2.exp()
    assert r1.histc(4, 0.01, 2).sum() == r2.histc(4, 0.01, 1).sum() == 20_000
    assert r1.histc(4, 0.01, 2).min() > 4500
    assert r2.histc(4, 0.01, 1).min() > 4500
    assert not torch.equal(bias.log_r1, bias.log_r2)


def test_a_long_step_of_an_optimizer_leaves_them_positive():
    bias = module()
    optimizer = torch.optim.SGD(bias.parameters(), lr=1.0)
    for _ in range(5):
        optimizer.zero_grad()
        (-bias(8).sum()).backward()  # a bias that wants to be 0
        optimizer.step()
    result = bias(8)
    assert (result <= 0).all()
    assert result.isfinite().all()


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_rounded_once(dtype):
    """Distances past 256 stay apart: only the result is rounded."""
    bias = module().to(dtype)
    exact = bias(1, 3000)
    same = KerpleBias(HEADS)
    same.load_state_dict(bias.state_dict())
    assert torch.equal(exact, same(1, 3000).to(dtype))


def test_gradients_are_right():
    bias = module().double()

    def call(r1, r2):
        return torch.func.functional_call(bias, {"log_r1": r1, "log_r2": r2}, (3, 5))

    assert torch.autograd.gradcheck(call, (bias.log_r1, bias.log_r2))

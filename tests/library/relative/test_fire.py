"""FIRE: the paper's formula, absolute query positions, and padding that does not count."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pe_lib import FireBias

HEADS = 3


def module(c=0.1, threshold=512.0, width=32):
    torch.manual_seed(0)
    bias = FireBias(HEADS, width).double()
    nn.init.constant_(bias.log_c, math.log(c))
    nn.init.constant_(bias.log_threshold, math.log(threshold))
    return bias


def formula(bias, query, key):
    """f(psi(|i - j|) / psi(max(i, L))) for one query and key, a number for each head."""
    c, threshold = bias.log_c.exp().item(), bias.log_threshold.exp().item()
    share = math.log(1 + c * abs(query - key)) / math.log(1 + c * max(query, threshold))
    weight, shift = (
        p[:, 0].tolist() if p.ndim == 2 else p.tolist() for p in bias.hidden.parameters()
    )
    hidden = [max(0.0, w * share + b) for w, b in zip(weight, shift, strict=True)]
    return [
        sum(w * h for w, h in zip(row, hidden, strict=True)) + b
        for row, b in zip(bias.output.weight.tolist(), bias.output.bias.tolist(), strict=True)
    ]


@pytest.mark.parametrize(("c", "threshold"), [(0.1, 512), (2.0, 3.5), (0.5, 1e-3)])
@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (5, 5), (2, 9), (6, 2)])
@torch.no_grad()
def test_the_formula(c, threshold, q_len, k_len):
    bias = module(c, threshold, width=7)
    result = bias(q_len, k_len)
    assert result.shape == (HEADS, q_len, k_len)
    for i in range(q_len):
        for j in range(k_len):
            expected = formula(bias, k_len - q_len + i, j)
            assert result[:, i, j].tolist() == pytest.approx(expected, rel=1e-12)


def test_the_authors_values_at_first():
    bias = FireBias(HEADS)
    assert bias.log_c.exp().item() == pytest.approx(0.1)
    assert bias.log_threshold.exp().item() == pytest.approx(512)
    assert bias.hidden.weight.shape == (32, 1)
    assert bias.output.weight.shape == (HEADS, 32)


@torch.no_grad()
def share(bias, *lengths):
    """What the network is given."""
    nn.init.ones_(bias.hidden.weight)
    nn.init.zeros_(bias.hidden.bias)
    nn.init.constant_(bias.output.weight, 1 / bias.output.in_features)
    nn.init.zeros_(bias.output.bias)
    return bias(*lengths)[0]


def test_the_first_key_is_a_share_of_1_however_long_the_text():
    for length in (600, 3000):
        shares = share(module(), 1, length)[0]
        assert shares[0].item() == pytest.approx(1, abs=1e-14)
        assert shares[-1] == 0
        assert (shares.diff() < 0).all()
    early = share(module(), 1, 100)[0]  # before the threshold
    assert early[0].item() == pytest.approx(math.log(1 + 9.9) / math.log(1 + 51.2), abs=1e-14)


@given(st.integers(1, 10), st.integers(0, 30), st.integers(0, 10))
@torch.no_grad()
def test_padding_before_a_text_does_not_count(q_len, cached, padding):
    """The text's part of the bias is that of the text alone."""
    bias = module(threshold=4)
    k_len = q_len + cached
    alone = bias(q_len, k_len)
    padded = bias(q_len, padding + k_len, padding=torch.tensor([padding, 0]))
    assert padded.shape == (2, HEADS, q_len, padding + k_len)
    torch.testing.assert_close(padded[0, :, :, padding:], alone, rtol=0, atol=1e-14)
    torch.testing.assert_close(padded[1], bias(q_len, padding + k_len), rtol=0, atol=1e-14)


@torch.no_grad()
def test_padding_of_any_shape():
    bias = module(threshold=2)
    padding = torch.tensor([[0, 3], [1, 2]], dtype=torch.int32)
    many = bias(4, 9, padding=padding)
    assert many.shape == (2, 2, HEADS, 4, 9)
    for row in range(2):
        for column in range(2):
            assert torch.equal(many[row, column], bias(4, 9, padding=padding[row, column]))
    assert bias(4, 9, padding=torch.tensor(0)).shape == (HEADS, 4, 9)


@given(st.integers(1, 20), st.integers(0, 50))
@torch.no_grad()
def test_cached_decoding_sees_the_last_rows(q_len, cached):
    bias = module(threshold=5)
    whole = bias(q_len + cached)[:, cached:]
    torch.testing.assert_close(bias(q_len, q_len + cached), whole, rtol=0, atol=1e-14)


@torch.no_grad()
def test_the_query_s_own_position_counts_past_the_threshold():
    bias = module(threshold=3)
    result = bias(8)
    assert torch.equal(result[:, 1, 0], result[:, 3, 2])  # both before it
    assert not torch.allclose(result[:, 1, 0], result[:, 7, 6])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@torch.no_grad()
def test_half_precision_is_rounded_once(dtype):
    """Shares of neighbours far away stay apart: only the result is rounded."""
    bias = module(threshold=4).to(dtype)
    same = FireBias(HEADS)
    same.load_state_dict(bias.state_dict())
    result = bias(2, 3000)
    assert result.dtype == dtype
    torch.testing.assert_close(
        result.float(), same(2, 3000), rtol=torch.finfo(dtype).eps, atol=1e-4
    )


def test_gradients_are_right():
    bias = module(c=0.5, threshold=5.3, width=3)
    names, values = zip(*bias.named_parameters(), strict=True)

    def call(*values):
        named = dict(zip(names, values, strict=True))
        padding = {"padding": torch.tensor([0, 2])}
        return torch.func.functional_call(bias, named, (3, 7), padding)

    assert torch.autograd.gradcheck(call, values)
    bias(3, 7).sum().backward()
    for name, parameter in bias.named_parameters():
        assert parameter.grad.abs().sum() > 0, name


@pytest.mark.parametrize("assign", [False, True])
def test_a_checkpoint_that_holds_scalars_loads(assign):
    before, after = FireBias(4), FireBias(4)
    nn.init.constant_(before.log_c, 0.5)
    state = before.state_dict()
    state |= {name: state[name].reshape(()) for name in ("log_c", "log_threshold")}
    after.load_state_dict(state, assign=assign)
    assert after.log_c.shape == (1,)
    assert torch.equal(after(5), before(5))

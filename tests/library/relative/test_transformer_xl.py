"""Transformer-XL: the four terms one by one, the shift, and an implementation beside it."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pe_lib import TransformerXLRelativePosition, sinusoidal_encoding
from tests.helpers import F64

DIM, HEADS, HEAD_DIM = 12, 3, 4


def module():
    torch.manual_seed(0)
    xl = TransformerXLRelativePosition(DIM, HEADS).double()
    for parameter in xl.parameters():
        nn.init.normal_(parameter)
    return xl


def queries_and_keys(q_len, k_len, *batch):
    torch.manual_seed(1)
    q = torch.randn(*batch, HEADS, q_len, HEAD_DIM, dtype=F64)
    return q, torch.randn(*batch, HEADS, k_len, HEAD_DIM, dtype=F64)


def four_terms(xl, q, k, head, i, j):
    """(a) + (b) + (c) + (d) of the paper's section 3.3, query i and key j of one head."""
    q_len, k_len = q.shape[-2], k.shape[-2]
    distance = (k_len - q_len + i) - j
    encoding = []
    for pair in range(DIM // 2):
        angle = distance * 10000.0 ** (-2 * pair / DIM)
        encoding += [math.sin(angle), math.cos(angle)]
    weight = xl.projection.weight[head * HEAD_DIM : (head + 1) * HEAD_DIM]
    r = weight @ torch.tensor(encoding, dtype=F64)
    query, key = q[head, i], k[head, j]
    return query @ key + query @ r + xl.u[head] @ key + xl.v[head] @ r


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (4, 4), (1, 6), (3, 6), (6, 2), (2, 1)])
@torch.no_grad()
def test_the_four_terms(q_len, k_len):
    xl = module()
    q, k = queries_and_keys(q_len, k_len)
    score = q @ k.mT + xl(q, k)
    assert score.shape == (HEADS, q_len, k_len)
    for head in range(HEADS):
        for i in range(q_len):
            for j in range(k_len):
                expected = four_terms(xl, q, k, head, i, j)
                assert score[head, i, j].item() == pytest.approx(expected.item(), abs=1e-12)


@pytest.mark.parametrize("batch", [(2,), (2, 3)])
@torch.no_grad()
def test_a_batch_of_any_shape(batch):
    xl = module()
    q, k = queries_and_keys(3, 5, *batch)
    together = xl(q, k)
    assert together.shape == (*batch, HEADS, 3, 5)
    for index in torch.cartesian_prod(*(torch.arange(n) for n in batch)).reshape(-1, len(batch)):
        alone = xl(q[tuple(index)], k[tuple(index)])
        torch.testing.assert_close(together[tuple(index)], alone, rtol=0, atol=1e-12)


def shifted(x):
    """Appendix B: pad on the left, read as one row fewer, cut; right on and below the diagonal."""
    heads, n, m = x.shape
    padded = torch.cat((x.new_zeros(heads, n, 1), x), dim=-1)
    return padded.reshape(heads, m + 1, n)[:, 1:].reshape(heads, n, m)


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (5, 5), (3, 8)])
@torch.no_grad()
def test_the_shift_of_appendix_b(q_len, k_len):
    """A second way to the same numbers, for keys of the past."""
    xl = module()
    q, k = queries_and_keys(q_len, k_len)
    back = torch.arange(k_len - 1, -1, -1)
    rows = xl.projection(sinusoidal_encoding(back, DIM, dtype=F64))
    rows = rows.view(k_len, HEADS, HEAD_DIM).transpose(0, 1)
    expected = (q @ k.mT) + shifted((q + xl.v[:, None]) @ rows.mT) + xl.u[:, None] @ k.mT
    score = q @ k.mT + xl(q, k)
    past = torch.ones(q_len, k_len).tril(k_len - q_len).bool()
    torch.testing.assert_close(score[:, past], expected[:, past], rtol=0, atol=1e-12)


@given(st.integers(1, 8), st.integers(0, 12))
@torch.no_grad()
def test_cached_decoding_sees_the_last_rows(q_len, cached):
    xl = module()
    q, k = queries_and_keys(q_len + cached, q_len + cached)
    whole = xl(q, k)[:, cached:]
    torch.testing.assert_close(xl(q[:, cached:], k), whole, rtol=0, atol=1e-12)


@torch.no_grad()
def test_distances_stay_exact_far_away():
    """The key 9,999 back, beside the formula in float64, from a module in float32."""
    xl = module()
    q, k = queries_and_keys(1, 10_000)
    exact = [four_terms(xl, q, k, 0, 0, j) - q[0, 0] @ k[0, j] for j in range(3)]
    low = xl.float()(q.float(), k.float())[0, 0, :3]
    assert low.tolist() == pytest.approx([x.item() for x in exact], abs=2e-5)


def test_parameters():
    torch.manual_seed(0)
    xl = TransformerXLRelativePosition(512, 8)
    assert [(name, p.shape) for name, p in xl.named_parameters()] == [
        ("u", (8, 64)),
        ("v", (8, 64)),
        ("projection.weight", (512, 512)),
    ]
    for bias in (xl.u, xl.v):
        assert bias.std().item() == pytest.approx(0.02, rel=0.1)
    assert not torch.equal(xl.u, xl.v)


def test_gradients_are_right():
    xl = module()
    names, values = zip(*xl.named_parameters(), strict=True)
    q, k = (x.requires_grad_() for x in queries_and_keys(2, 4))

    def call(q, k, *values):
        return torch.func.functional_call(xl, dict(zip(names, values, strict=True)), (q, k))

    assert torch.autograd.gradcheck(call, (q, k, *values))


def test_heads_share_the_features():
    with pytest.raises(ValueError, match=r"^dim: expected a multiple of num_heads = 3, got 8$"):
        TransformerXLRelativePosition(8, 3)


@torch.no_grad()
def test_keys_of_another_dtype():
    """As from a cache in half precision: the queries say in which dtype to compute."""
    xl = module()
    q, k = queries_and_keys(2, 4)
    mixed = xl(q, k.bfloat16())
    assert mixed.dtype == F64
    torch.testing.assert_close(mixed, xl(q, k.bfloat16().double()), rtol=0, atol=0)


@pytest.mark.parametrize(("q_len", "k_len", "name"), [(0, 4, "q_len"), (3, 0, "k_len")])
def test_no_queries_or_no_keys(q_len, k_len, name):
    with pytest.raises(ValueError, match=rf"^{name}: expected an int >= 1, got 0$"):
        module()(*queries_and_keys(q_len, k_len))

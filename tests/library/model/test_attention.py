"""attention beside PyTorch's own, and where it is defined and PyTorch's is not."""

import math

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention as sdpa

from pe_lib import attention, attention_weights, available_devices
from pe_lib.model.attention import fused_attention

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
ATOL = {torch.float16: 1e-3, torch.bfloat16: 8e-3, torch.float32: 1e-6, torch.float64: 1e-14}


def qkv(*batch, q_len=5, k_len=5, dtype=torch.float32):
    torch.manual_seed(0)
    lengths = (q_len, 8), (k_len, 8), (k_len, 6)
    return [torch.randn(*batch, *length).to(dtype) for length in lengths]


def aligned_at_the_end(q_len, k_len):
    """True where a query may look."""
    past = torch.arange(k_len) - torch.arange(q_len)[:, None] - (k_len - q_len)
    return past <= 0


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("batch", [(), (3,), (2, 3), (2, 1, 3)], ids=str)
@pytest.mark.parametrize("k_len", [5, 9])
def test_agrees_with_pytorch(batch, k_len, dtype):
    q, k, v = qkv(*batch, k_len=k_len, dtype=dtype)
    bias = torch.randn(5, k_len).to(dtype)
    for options, theirs in (
        ({}, {}),
        ({"bias": bias}, {"attn_mask": bias}),
        ({"causal": True}, {"attn_mask": aligned_at_the_end(5, k_len)}),
    ):
        result, expected = attention(q, k, v, **options), sdpa(q, k, v, **theirs)
        assert result.dtype == dtype
        torch.testing.assert_close(result, expected, rtol=0, atol=ATOL[dtype])


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_a_square_causal_mask_is_pytorchs(dtype):
    q, k, v = qkv(2, 3, dtype=dtype)
    expected = sdpa(q, k, v, is_causal=True)
    torch.testing.assert_close(attention(q, k, v, causal=True), expected, rtol=0, atol=ATOL[dtype])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=str)
def test_half_precision_is_rounded_once(dtype):
    q, k, v = qkv(2, 3, dtype=dtype)
    bias = torch.randn(3, 5, 5)
    exact = attention(q.double(), k.double(), v.double(), bias=bias.double())
    assert torch.equal(attention(q, k, v, bias=bias), exact.to(dtype))
    assert attention_weights(q, k).dtype == torch.float32


@pytest.mark.parametrize("q_len", [1, 2, 4])
def test_few_queries_are_the_last_rows_of_many(q_len):
    q, k, v = qkv(2, 3)
    full = attention(q, k, v, causal=True)
    last = attention(q[..., -q_len:, :], k, v, causal=True)
    torch.testing.assert_close(last, full[..., -q_len:, :], rtol=0, atol=1e-6)


def test_pytorchs_own_causal_mask_is_aligned_at_the_start():
    q, k, v = qkv(2, 3, q_len=1)
    assert torch.allclose(sdpa(q, k, v, is_causal=True), v[..., :1, :])  # sees only the first key
    torch.testing.assert_close(attention(q, k, v, causal=True), sdpa(q, k, v), rtol=0, atol=1e-6)


def test_more_queries_than_keys_leave_the_first_without_any():
    q, k, v = qkv(2, 3, q_len=5, k_len=3)
    result = attention(q, k, v, causal=True)
    assert torch.equal(result[..., :2, :], torch.zeros(2, 3, 2, 6))
    torch.testing.assert_close(
        result[..., 2:, :], attention(q[..., 2:, :], k, v, causal=True), rtol=0, atol=1e-6
    )


def test_a_query_that_sees_no_key_gets_zeros_and_no_gradient_turns_nan():
    q, k, v = (t.requires_grad_() for t in qkv(2, 3))
    bias = torch.zeros(5, 5)
    bias[1] = -math.inf
    bias[3, 2:] = -math.inf
    result = attention(q, k, v, bias=bias)
    assert torch.equal(result[..., 1, :], torch.zeros(2, 3, 6))
    torch.testing.assert_close(
        result[..., 3, :], attention(q, k[..., :2, :], v[..., :2, :])[..., 3, :]
    )
    result.sum().backward()
    assert all(t.grad.isfinite().all() for t in (q, k, v))
    assert torch.equal(q.grad[..., 1, :], torch.zeros(2, 3, 8))


def test_no_keys_at_all_is_zero():
    q, k, v = qkv(2, 3, k_len=0)
    assert torch.equal(attention(q, k, v), torch.zeros(2, 3, 5, 6))


@pytest.mark.parametrize("lengths", [(5, 5), (2, 5), (5, 2), (1, 7), (1, 0), (0, 0), (0, 3)])
@pytest.mark.parametrize("causal", [True, False])
def test_a_bias_of_zeros_changes_no_bit(lengths, causal):
    q, k, v = qkv(2, 3, q_len=lengths[0], k_len=lengths[1])
    plain = attention(q, k, v, causal=causal)
    assert torch.equal(attention(q, k, v, bias=torch.zeros(()), causal=causal), plain)
    assert plain.isfinite().all()


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)], ids=str)
@pytest.mark.parametrize("lengths", [(5, 5), (2, 5), (5, 2), (1, 7), (40, 40)], ids=str)
@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("bias_dtype", [None, torch.float32, torch.float64], ids=str)
def test_the_fused_kernel_gives_the_same_and_its_gradients(batch, lengths, causal, bias_dtype):
    q_len, k_len = lengths
    q, k, v = (torch.randn(*batch, n, 8, requires_grad=True) for n in (q_len, k_len, k_len))
    bias = None
    if bias_dtype is not None:
        bias = torch.randn(q_len, k_len, dtype=bias_dtype)
        bias[0] = -torch.inf  # a query that sees no key
        bias[:, -1] = -torch.inf
    given = torch.randn(*batch, q_len, 8)
    plain, fused = (f(q, k, v, bias=bias, causal=causal) for f in (attention, fused_attention))
    torch.testing.assert_close(fused, plain)
    for ours, theirs in zip(
        torch.autograd.grad((plain * given).sum(), (q, k, v)),
        torch.autograd.grad((fused * given).sum(), (q, k, v)),
        strict=True,
    ):
        torch.testing.assert_close(theirs, ours, rtol=1e-4, atol=1e-5)


def test_nan_is_not_hidden():
    q, k, v = qkv(2, 3)
    q[0, 0, 2, 0] = math.nan
    result = attention(q, k, v, causal=True)
    assert result[0, 0, 2].isnan().all()
    assert result.isnan().sum() == 6


@pytest.mark.parametrize("shape", [(), (5,), (5, 1), (1, 9), (3, 1, 1), (2, 1, 5, 9), (2, 3, 5, 9)])
def test_bias_broadcasts_and_is_added_after_the_scale(shape):
    q, k, v = qkv(2, 3, q_len=5, k_len=9)
    if shape == (5,):
        q, k, v = qkv(2, 3)
    bias = torch.randn(shape)
    scores = q @ k.transpose(-1, -2) / 8**0.5 + bias
    torch.testing.assert_close(
        attention(q, k, v, bias=bias), scores.softmax(-1) @ v, rtol=0, atol=1e-6
    )


def test_weights_are_the_map_behind_the_output():
    q, k, v = qkv(2, 3, q_len=2)
    weights = attention_weights(q, k, causal=True)
    assert weights.shape == (2, 3, 2, 5)
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 3, 2))
    assert torch.equal(weights[..., 0, 4], torch.zeros(2, 3))
    assert torch.equal(weights @ v, attention(q, k, v, causal=True))


def test_keys_may_come_in_any_order():
    q, k, v = qkv(2, 3)
    order = torch.tensor([3, 0, 4, 2, 1])
    shuffled = attention(q, k[..., order, :], v[..., order, :])
    torch.testing.assert_close(shuffled, attention(q, k, v), rtol=0, atol=1e-6)


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_runs_where_its_arguments_are(device):
    q, k, v = (t.to(device) for t in qkv(2, 3))
    result = attention(q, k, v, causal=True)
    assert result.device.type == device
    assert result.shape == (2, 3, 5, 6)


@pytest.mark.usefixtures("without_shape_checks")
def test_compiles_to_one_graph():
    torch.compiler.reset()
    fast = torch.compile(attention, fullgraph=True, backend="eager")
    for q_len in (5, 1):
        q, k, v = qkv(2, 3, q_len=q_len)
        bias = torch.randn(3, q_len, 5)
        expected = attention(q, k, v, bias=bias, causal=True)
        assert torch.equal(fast(q, k, v, bias=bias, causal=True), expected)

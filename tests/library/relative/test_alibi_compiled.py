"""ALiBi as a score_mod of FlexAttention, compiled, and exported."""

from functools import partial

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from pe_lib import alibi_bias, alibi_score_mod
from tests.helpers import F64, compiled, randn

randn32 = partial(randn, dtype=torch.float32)
CAUSAL = pytest.mark.parametrize("causal", [True, False])


def flex(function, num_heads, q_len, k_len, dtype=torch.float32, causal=False):
    """FlexAttention's output and the one with a bias, for the same random tensors."""
    from torch.nn.attention.flex_attention import create_block_mask

    q = randn(2, num_heads, q_len, 16, dtype=dtype)
    k, v = (randn(2, num_heads, k_len, 16, seed=seed, dtype=dtype) for seed in (1, 2))
    bias = alibi_bias(num_heads, q_len, k_len, causal=causal, dtype=dtype)
    offset, mask = k_len - q_len, None
    if causal:
        mask = create_block_mask(
            lambda b, h, i, j: j <= i + offset, None, None, q_len, k_len, device="cpu"
        )
    score_mod = alibi_score_mod(num_heads, offset=offset)
    result = function(q, k, v, score_mod=score_mod, block_mask=mask)
    return result, scaled_dot_product_attention(q, k, v, attn_mask=bias)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile:UserWarning")
@pytest.mark.parametrize("num_heads", [6, pytest.param(8, marks=pytest.mark.slow)])
class TestFlexAttention:
    @CAUSAL
    @pytest.mark.parametrize("q_len", [40, 3])
    def test_as_a_bias(self, num_heads, q_len, causal):
        from torch.nn.attention.flex_attention import flex_attention

        for dtype, tolerance in ((torch.float32, 2e-6), (torch.bfloat16, 0.04)):
            result, expected = flex(flex_attention, num_heads, q_len, 40, dtype, causal)
            assert result.dtype == dtype
            torch.testing.assert_close(result, expected, rtol=0, atol=tolerance)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own
    @pytest.mark.parametrize("q_len", [40, 3])
    def test_compiled(self, num_heads, q_len):
        from torch.nn.attention.flex_attention import flex_attention

        fast = compiled(flex_attention, "inductor")
        q = randn(2, num_heads, q_len, 16, dtype=torch.float32)
        k = randn(2, num_heads, 40, 16, seed=1, dtype=torch.float32)
        if not torch.allclose(fast(q, k, k), scaled_dot_product_attention(q, k, k), atol=1e-5):
            pytest.skip("torch's compiled flex_attention is wrong here even without a score_mod")
        result, expected = flex(fast, num_heads, q_len, 40)
        torch.testing.assert_close(result, expected, rtol=0, atol=2e-6)


def test_the_score_mod_alone():
    """At the aligned end, on many scores at once, in the scores' own dtype."""
    q_idx, kv_idx = torch.arange(3)[:, None], torch.arange(7)
    for dtype in (torch.float32, F64):
        score_mod = alibi_score_mod(12, offset=4)
        for head, expected in enumerate(alibi_bias(12, 3, 7, causal=False, dtype=dtype)):
            zeros = torch.zeros(3, 7, dtype=dtype)
            result = score_mod(zeros, torch.tensor(0), torch.tensor(head), q_idx, kv_idx)
            torch.testing.assert_close(result, expected, rtol=2 * torch.finfo(dtype).eps, atol=0)
    first = alibi_score_mod(8)(torch.ones(()), *torch.tensor([0, 0, 5, 2]))
    assert first.item() == 1 - 0.5 * 3


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.parametrize("backend", ["eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_compiled(backend):
    def attention_scores(scores):
        return scores + alibi_bias(6, *scores.shape[-2:], dtype=scores.dtype)

    fast = compiled(attention_scores, backend)
    for shape in ((2, 6, 5, 5), (2, 6, 9, 9), (2, 6, 1, 10), (2, 6, 1, 11)):
        scores = randn32(*shape)
        assert torch.equal(fast(scores), attention_scores(scores))


@pytest.mark.usefixtures("without_shape_checks")
def test_lengths_share_one_graph():
    graphs = []

    def counting(graph, inputs):
        graphs.append(graph)
        return graph

    fast = compiled(lambda x: x + alibi_bias(6, x.shape[-2], x.shape[-1]), counting, dynamic=True)
    for q_len, k_len in ((5, 7), (9, 12), (33, 50)):
        x = randn32(6, q_len, k_len)
        assert torch.equal(fast(x), x + alibi_bias(6, q_len, k_len))
    assert len(graphs) == 1


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize("strict", [True, False])
def test_exported_with_lengths_left_open(strict):
    class Penalised(torch.nn.Module):
        def forward(self, scores):
            return scores + alibi_bias(6, scores.shape[-2], scores.shape[-1])

    lengths = {1: torch.export.Dim("q_len", min=3), 2: torch.export.Dim("k_len", min=4)}
    model = torch.export.export(
        Penalised(), (randn32(6, 5, 7),), dynamic_shapes=(lengths,), strict=strict
    )
    for shape in ((6, 3, 9), (6, 19, 20)):
        scores = randn32(*shape)
        assert torch.equal(model.module()(scores), Penalised()(scores))

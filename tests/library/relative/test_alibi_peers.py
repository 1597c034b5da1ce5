"""ALiBi as other libraries have it: the same slopes, and what their biases come to."""

import math

import pytest
import torch

from pe_lib import alibi_bias, alibi_slopes
from tests.helpers import F64, randn


def blooms(num_heads, length):
    """Bloom's bias: (heads, 1, k_len), made from the position of the key."""
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    return build_alibi_tensor(torch.ones(1, length, dtype=torch.int64), num_heads, torch.float32)


def test_slopes_as_in_bloom():
    for num_heads in range(1, 129):
        theirs = blooms(num_heads, 2)[:, 0, 1]
        torch.testing.assert_close(alibi_slopes(num_heads).float(), theirs, rtol=2e-6, atol=0)


def test_slopes_as_in_falcon():
    """Whose bias is (heads, 1, k_len), made in bfloat16 from the position of the key."""
    for num_heads in range(1, 129):
        from transformers.models.falcon.modeling_falcon import build_alibi_tensor

        mask = torch.ones(1, 2, dtype=torch.int64)
        theirs = build_alibi_tensor(mask, num_heads, torch.float32)[:, 0, 1]
        torch.testing.assert_close(alibi_slopes(num_heads).float(), theirs, rtol=2**-8, atol=0)


def test_slopes_as_in_mpt():
    """In the same order, though it thins out the next larger power of two's slopes."""
    for max_bias in [8, 4, 16]:
        for num_heads in range(1, 129):
            from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

            theirs = -build_mpt_alibi_tensor(num_heads, 2, max_bias)[:, 0, 0]
            ours = alibi_slopes(num_heads, max_bias).float()
            torch.testing.assert_close(ours, theirs, rtol=2e-6, atol=0)


def weights(scores, bias):
    """Softmax in float64, so that only the bias is rounded."""
    causal = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return (scores + bias.double()).masked_fill(~causal, -math.inf).softmax(-1)


@pytest.mark.parametrize("num_heads", [8, 12])
def test_the_same_attention_as_bloom_in_float32_and_in_bfloat16_near_it(num_heads):
    scores = randn(num_heads, 512, 512)
    exact = weights(scores, alibi_bias(num_heads, 512, dtype=F64))

    def error(bias):
        return (weights(scores, bias) - exact).abs().max().item()

    assert error(alibi_bias(num_heads, 512)) < 1e-6
    assert error(blooms(num_heads, 512)) < 1e-5
    assert error(alibi_bias(num_heads, 512, dtype=torch.bfloat16)) < 2e-3


def test_in_bfloat16_neighbours_stay_apart():
    """Positions 256 and 257 are one number in bfloat16, the distances 1 and 2 are two."""
    ours = alibi_bias(8, 512, dtype=torch.bfloat16)
    assert (ours[:, 258, 256] < ours[:, 258, 257]).all()


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # x-transformers' own
@pytest.mark.parametrize("num_heads", [1, 2, 3, 6, 8, 12, 40])
@pytest.mark.parametrize(("q_len", "k_len"), [(5, 5), (1, 7), (3, 7)])
def test_as_x_transformers(num_heads, q_len, k_len):
    from x_transformers.x_transformers import AlibiPositionalBias

    theirs = AlibiPositionalBias(num_heads)(q_len, k_len)
    ours = alibi_bias(num_heads, q_len, k_len, causal=False)
    torch.testing.assert_close(ours, theirs, rtol=3e-7, atol=0)

"""The learned biases as a score_mod of FlexAttention: as the bias itself, added to the scores."""

import pytest
import torch

from pe_lib import FireBias, KerpleBias, T5RelativeBias, attention
from tests.helpers import F64, compiled, randn

BIASES = {
    "kerple": lambda heads: KerpleBias(heads),
    "fire": lambda heads: FireBias(heads, width=8),
    "t5": lambda heads: T5RelativeBias(heads, num_buckets=8, max_distance=12),
    "t5 looking back": lambda heads: T5RelativeBias(
        heads, bidirectional=False, num_buckets=8, max_distance=12
    ),
}
KINDS = pytest.mark.parametrize("kind", BIASES)


@KINDS
@pytest.mark.parametrize("q_len", [40, 3, 1])
def test_every_score(kind, q_len):
    torch.manual_seed(0)
    bias = BIASES[kind](3).double()
    expected = bias(q_len, 40)
    score_mod = bias.score_mod(offset=40 - q_len)
    heads, queries, keys = (torch.arange(n) for n in (3, q_len, 40))
    score = torch.full((3, q_len, 40), 0.25, dtype=F64)
    zero = torch.tensor(0)
    result = score_mod(score, zero, heads[:, None, None], queries[:, None], keys)
    torch.testing.assert_close(result, expected + 0.25, rtol=0, atol=1e-14)


def test_fire_behind_padding():
    bias, pads = FireBias(2).double(), torch.tensor([0, 3])
    score_mod = bias.score_mod(offset=4, padding=pads)
    batch, heads = torch.arange(2)[:, None, None, None], torch.arange(2)[:, None, None]
    result = score_mod(
        torch.zeros(2, 2, 6, 10, dtype=F64),
        batch,
        heads,
        torch.arange(6)[:, None],
        torch.arange(10),
    )
    torch.testing.assert_close(result, bias(6, 10, padding=pads), rtol=0, atol=1e-14)


def test_gradients_reach_the_parameters():
    for kind, make in BIASES.items():
        own, other = make(2).double(), make(2).double()
        other.load_state_dict(own.state_dict())
        index = torch.arange(5)
        weights = randn(2, 5, 5)
        mod = own.score_mod()
        zeros = torch.zeros(2, 5, 5, dtype=F64)
        scores = mod(zeros, torch.tensor(0), torch.arange(2)[:, None, None], index[:, None], index)
        (scores * weights).sum().backward()
        (other(5) * weights).sum().backward()
        for (name, mine), theirs in zip(own.named_parameters(), other.parameters(), strict=True):
            torch.testing.assert_close(mine.grad, theirs.grad, msg=f"{kind}: {name}")


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:flex_attention called without torch.compile:UserWarning")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@KINDS
@pytest.mark.parametrize("how", ["as it is", pytest.param("compiled", marks=pytest.mark.slow)])
@pytest.mark.parametrize("q_len", [40, 3])
def test_in_flex_attention(kind, how, q_len):
    from torch.nn.attention.flex_attention import flex_attention

    bias = BIASES[kind](4).requires_grad_(False)
    q = randn(2, 4, q_len, 16, dtype=torch.float32)
    k, v = (randn(2, 4, 40, 16, seed=seed, dtype=torch.float32) for seed in (1, 2))
    flex = flex_attention if how == "as it is" else compiled(flex_attention, "inductor")
    if how == "compiled" and not torch.allclose(flex(q, k, v), attention(q, k, v), atol=1e-5):
        pytest.skip("torch's compiled flex_attention is wrong here even without a score_mod")
    result = flex(q, k, v, score_mod=bias.score_mod(offset=40 - q_len))
    expected = attention(q, k, v, bias=bias(q_len, 40))
    torch.testing.assert_close(result, expected, rtol=0, atol=5e-6)

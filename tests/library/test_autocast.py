"""Under autocast products are rounded as everywhere; dtypes are those that the docstrings say."""

import pytest
import torch

from pe_lib import (
    ContextualPosition,
    FireBias,
    KerpleBias,
    ShawRelativePosition,
    T5RelativeBias,
    TransformerXLRelativePosition,
    alibi_bias,
    attention,
)
from pe_lib.model import attention_weights

torch.manual_seed(0)
Q, K, V = torch.randn(3, 2, 4, 10, 8)  # each (batch, heads, seq, head_dim)
SCORES = Q @ K.mT / 8**0.5

SHAW, XL = ShawRelativePosition(8, 5), TransformerXLRelativePosition(32, 4)
T5, KERPLE, FIRE = T5RelativeBias(4), KerpleBias(4), FireBias(4)
COPE = ContextualPosition(8, 6)
torch.nn.init.normal_(COPE.weight)
CALLS = {
    "Shaw": lambda: SHAW(Q),
    "Shaw's values": lambda: SHAW.value_term(SCORES.softmax(-1)),
    "Transformer-XL": lambda: XL(Q, K),
    "CoPE": lambda: COPE(Q, SCORES),
    "T5": lambda: T5(10),
    "KERPLE": lambda: KERPLE(10),
    "FIRE": lambda: FIRE(10),
    "attention": lambda: attention(Q, K, V, causal=True),
    "weights": lambda: attention_weights(Q, K, bias=alibi_bias(4, 10)),
}


@pytest.mark.parametrize("name", CALLS)
@torch.no_grad()
def test_dtypes_stay_and_numbers_are_those_of_rounded_products(name: str) -> None:
    expected = CALLS[name]()
    with torch.autocast("cpu", torch.bfloat16):
        found = CALLS[name]()
    assert found.dtype == expected.dtype == torch.float32
    torch.testing.assert_close(found, expected, rtol=0, atol=0.03 * expected.abs().max().item())


@torch.no_grad()
def test_far_biases_are_not_rounded() -> None:
    """Keys at neighbouring distances around 4,000 would become one in bfloat16."""
    q, k = torch.zeros(1, 1, 8), torch.zeros(1, 4096, 8)
    bias = alibi_bias(1, 1, 4096)
    with torch.autocast("cpu", torch.bfloat16):
        weights = attention_weights(q, k, bias=64 * bias)
    assert torch.equal(weights, attention_weights(q, k, bias=64 * bias))

"""The same rotations as in the libraries that models run on, given the same angles."""

import pytest
import torch

from pe_lib import apply_rotary, inverse_frequencies, rotary_cos_sin, xpos_scale
from tests.helpers import F64, randn

POSITIONS = torch.tensor([[0, 1, 2, 3, 4], [0, 0, 100_000, 7, 12_345]])


def close(result, expected):
    torch.testing.assert_close(result, expected, rtol=0, atol=2e-15)


def both(table):
    """A column for each feature, half-split, as Hugging Face's models keep them."""
    return torch.cat((table, table), dim=-1)


def each_twice(table):
    """A column for each feature, interleaved."""
    return table.repeat_interleave(2, dim=-1)


@pytest.mark.parametrize("width", [8, 4])
@pytest.mark.parametrize("seq_dim", [-2, -3])
def test_as_llama_and_gpt_neox_in_transformers(width, seq_dim):
    from transformers.models.gpt_neox import modeling_gpt_neox as neox
    from transformers.models.llama import modeling_llama as llama

    q, k = randn(2, 5, 5, 8), randn(2, 5, 5, 8) + 1
    cos, sin = rotary_cos_sin(POSITIONS, width, dtype=F64)
    for module in [neox] if width < 8 else [neox, llama]:
        heads = 1 if seq_dim == -2 else 2
        theirs = module.apply_rotary_pos_emb(q, k, both(cos), both(sin), unsqueeze_dim=heads)
        for x, expected in zip((q, k), theirs, strict=True):
            close(apply_rotary(x, cos, sin, seq_dim=seq_dim), expected)


def test_tables_as_llama_in_transformers():
    """Its tables are float32 all the way: equal to within what that costs at small positions."""
    from transformers import LlamaConfig
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    config = LlamaConfig(hidden_size=64, num_attention_heads=1, num_key_value_heads=1)
    positions = torch.arange(100)[None]
    theirs = LlamaRotaryEmbedding(config)(torch.zeros(1), positions)
    for table, expected in zip(rotary_cos_sin(positions, 64), theirs, strict=True):
        torch.testing.assert_close(both(table), expected, rtol=0, atol=2e-5)


def test_as_gptj_in_transformers():
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb

    x = randn(2, 5, 3, 8)  # (batch, seq, heads, dim)
    cos, sin = rotary_cos_sin(POSITIONS, 8, dtype=F64)
    expected = apply_rotary_pos_emb(x, sin, cos)
    close(apply_rotary(x, cos, sin, interleaved=True, seq_dim=-3), expected)


@pytest.mark.parametrize("width", [8, 4])
def test_as_rotary_embedding_torch(width):
    import rotary_embedding_torch

    x, positions = randn(2, 3, 5, 8), torch.arange(100_000, 100_005)
    angles = positions[:, None] * inverse_frequencies(width)
    expected = rotary_embedding_torch.apply_rotary_emb(each_twice(angles), x)
    cos, sin = rotary_cos_sin(positions, width, dtype=F64)
    close(apply_rotary(x, cos, sin, interleaved=True), expected)


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # x-transformers' own
@pytest.mark.parametrize("width", [8, 4])
def test_as_x_transformers(width):
    from x_transformers import x_transformers

    x = randn(2, 3, 5, 8)
    angles = POSITIONS[..., None] * inverse_frequencies(width)
    expected = x_transformers.apply_rotary_pos_emb(x, each_twice(angles))
    cos, sin = rotary_cos_sin(POSITIONS, width, dtype=F64)
    close(apply_rotary(x, cos, sin, interleaved=True), expected)

    theirs = x_transformers.RotaryEmbedding(width, use_xpos=True)
    _, scale = theirs(torch.arange(6))
    ours = xpos_scale(6, width, center=3)
    torch.testing.assert_close(each_twice(ours), scale[0], rtol=1e-6, atol=0)
    expected = x_transformers.apply_rotary_pos_emb(x, each_twice(angles), scale)
    ours = ours[1:].double()  # it takes the last 5 rows
    close(apply_rotary(x, cos * ours, sin * ours, interleaved=True), expected)

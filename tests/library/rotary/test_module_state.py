"""RotaryPositionalEmbedding as a module: it has no state, and a model's configuration makes one."""

import copy
import pickle

import pytest
import torch

from pe_lib import (
    Llama3Scaling,
    RotaryPositionalEmbedding,
    RotarySettings,
    YarnScaling,
    apply_rotary,
    query_temperature,
    rotary_cos_sin,
)
from tests.helpers import randn

ORIGINAL = "original_max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 16}
MINISTRAL = {
    "model_type": "ministral3",
    "head_dim": 8,
    "rope_parameters": {**YARN, "rope_theta": 1e6, "llama_4_scaling_beta": 0.1},
}


@pytest.mark.parametrize(
    "change",
    [
        torch.nn.Module.half,
        torch.nn.Module.double,
        lambda module: module.to(torch.bfloat16),
        lambda module: module.to("meta"),
        lambda module: module.eval(),
        copy.deepcopy,
        lambda module: pickle.loads(pickle.dumps(module)),
    ],
)
def test_nothing_changes_it(change):
    q, k = randn(2, 1, 4, 30, 8, dtype=torch.float32)
    scaling = YarnScaling(4.0, 8)
    first = RotaryPositionalEmbedding(8, 500.0, scaling=scaling, interleaved=True)
    expected = first(q, k, offset=100_000)
    changed = change(first)
    assert changed.settings == RotarySettings(8, 500.0, scaling, interleaved=True)
    for a, b in zip(changed(q, k, offset=100_000), expected, strict=True):
        assert torch.equal(a, b)


def test_nothing_is_saved_with_a_model():
    rotary = RotaryPositionalEmbedding(8)
    assert not rotary.state_dict()
    assert not [*rotary.parameters(), *rotary.buffers()]
    rotary.load_state_dict({})
    q = randn(1, 3, 8, dtype=torch.float32)
    rotary(q, q)
    assert not rotary.state_dict()


def test_repr():
    assert repr(RotaryPositionalEmbedding(8)) == "RotaryPositionalEmbedding(dim=8)"
    scaling = Llama3Scaling(8.0, 1.0, 4.0, 8192)
    rotary = RotaryPositionalEmbedding(8, 5e5, scaling=scaling, interleaved=True)
    assert repr(rotary) == (
        f"RotaryPositionalEmbedding(dim=8, theta=500000.0, scaling={scaling}, interleaved=True)"
    )


@pytest.mark.parametrize("offset", [0, 1000])
def test_as_llama_with_yarn(offset):
    """transformers computes in float32: 1e-4 for angles of up to 1,000 radians."""
    from transformers import LlamaConfig
    from transformers.models.llama import modeling_llama as llama

    config = LlamaConfig(
        hidden_size=64,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
        rope_parameters={**YARN, "rope_theta": 1e5},
    )
    q, k = randn(2, 4, 40, 16, dtype=torch.float32), randn(2, 2, 40, 16, dtype=torch.float32)
    tables = llama.LlamaRotaryEmbedding(config)(q, torch.arange(40)[None] + offset)
    theirs = llama.apply_rotary_pos_emb(q, k, *tables)
    for ours, expected in zip(
        RotaryPositionalEmbedding.from_config(config)(q, k, offset=offset), theirs, strict=True
    ):
        torch.testing.assert_close(ours, expected, rtol=0, atol=5e-4)


def test_from_config_has_the_settings_of_the_layer():
    gemma = {
        "model_type": "gemma3_text",
        "head_dim": 8,
        "rope_theta": 1e6,
        "rope_local_base_freq": 10_000.0,
        "layer_types": ["sliding_attention", "full_attention"],
    }
    for layer, theta in (("sliding_attention", 1e4), ("full_attention", 1e6), (0, 1e4), (1, 1e6)):
        rotary = RotaryPositionalEmbedding.from_config(gemma, layer)
        assert type(rotary) is RotaryPositionalEmbedding
        assert rotary.settings == RotarySettings(8, theta)


def test_from_config_has_the_layout():
    gptj = {"model_type": "gptj", "n_embd": 32, "n_head": 2, "rotary_dim": 8}
    q, k = randn(2, 1, 2, 5, 16)
    ours = RotaryPositionalEmbedding.from_config(gptj)(q, k)
    tables = rotary_cos_sin(5, 8, dtype=torch.float64)
    for x, turned in zip((q, k), ours, strict=True):
        assert torch.equal(turned, apply_rotary(x, *tables, interleaved=True))


@pytest.mark.parametrize(
    "positions", [None, torch.arange(50), torch.arange(50) - 3 * torch.ones(2, 1).long()]
)
def test_queries_get_their_temperature(positions):
    """Ministral 3: 1 + beta ln(1 + floor(p / L)) for the queries, nothing for the keys."""
    q, k = randn(2, 2, 3, 50, 8)
    rotary = RotaryPositionalEmbedding.from_config(MINISTRAL)
    plain = RotaryPositionalEmbedding(8, 1e6, scaling=rotary.settings.scaling)
    turned_q, turned_k = rotary(q, k, positions=positions)
    plain_q, plain_k = plain(q, k, positions=positions)
    places = torch.arange(50) if positions is None else positions
    temperature = query_temperature(places, 16, 0.1, dtype=torch.float64)
    temperature = temperature[:, None, :, None] if places.ndim == 2 else temperature[:, None]
    assert turned_q.dtype == q.dtype
    torch.testing.assert_close(turned_q, plain_q * temperature, rtol=1e-14, atol=0)
    assert (temperature > 1.0).any()
    assert torch.equal(turned_k, plain_k)


def test_a_temperature_keeps_half_precision():
    q, k = randn(2, 1, 1, 40, 8, dtype=torch.bfloat16)
    for turned in RotaryPositionalEmbedding.from_config(MINISTRAL)(q, k):
        assert turned.dtype == torch.bfloat16


@pytest.mark.parametrize(
    ("config", "layer", "message"),
    [
        (
            {"model_type": "cohere2", "head_dim": 8, "sliding_window": 16},
            "full_attention",
            "config: expected a layer that rotates, got one that does not",
        ),
        (
            {"model_type": "bloom", "hidden_size": 64, "n_head": 8},
            None,
            "config: expected a layer that rotates, got one that does not",
        ),
        (
            {"model_type": "nanochat", "head_dim": 8, "rope_theta": 1e4},
            None,
            "config: expected a model whose pairs are interleaved or half-split, got one where "
            "they are neither; its settings' cos_sin gives the tables",
        ),
    ],
)
def test_what_has_no_module_is_refused(config, layer, message):
    with pytest.raises(ValueError) as caught:
        RotaryPositionalEmbedding.from_config(config, layer)
    assert str(caught.value) == message


def test_positions_of_pictures_and_of_models_that_see():
    """What the settings describe: (seq, axes) for a picture, (3, batch, seq) beside sections."""
    q, k = randn(2, 2, 1, 6, 8)
    pixtral = {"model_type": "pixtral", "head_dim": 8, "rope_theta": 1e4, "patch_size": 16}
    rotary = RotaryPositionalEmbedding.from_config(pixtral)
    places = torch.cartesian_prod(torch.arange(2), torch.arange(3))
    tables = rotary.settings.cos_sin(places, dtype=torch.float64)
    assert torch.equal(rotary(q, k, positions=places)[0], apply_rotary(q, *tables))
    qwen = {"model_type": "qwen2_vl", "head_dim": 8, "rope_scaling": {"mrope_section": [2, 1, 1]}}
    rotary = RotaryPositionalEmbedding.from_config(qwen)
    places = torch.arange(36).view(3, 2, 6)
    tables = rotary.settings.cos_sin(places, dtype=torch.float64)
    assert torch.equal(rotary(q, k, positions=places)[1], apply_rotary(k, *tables))

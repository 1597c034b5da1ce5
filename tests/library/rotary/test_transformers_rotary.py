"""TransformersRotary in models of transformers: their logits, their caches, their texts."""

import pytest
import torch
from transformers import (
    DeepseekV3Config,
    DeepseekV3ForCausalLM,
    DynamicCache,
    Gemma3ForCausalLM,
    Gemma3TextConfig,
    LlamaConfig,
    LlamaForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
    StaticCache,
)

from pe_lib import TransformersRotary
from pe_lib.rotary.config.conventions import TABLES_OF_THEIR_OWN
from tests.conformance.rotary_classes import RotaryClass, computed, rotary_classes

SIZES = {
    "vocab_size": 97,
    "hidden_size": 64,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
}
YARN = {
    "rope_type": "yarn",
    "rope_theta": 10_000.0,
    "factor": 4.0,
    "original_max_position_embeddings": 1024,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
}
LATENT = {
    "num_key_value_heads": 4,
    "q_lora_rank": 16,
    "kv_lora_rank": 16,
    "qk_rope_head_dim": 8,
    "qk_nope_head_dim": 8,
    "v_head_dim": 16,
    "first_k_dense_replace": 2,
    "rope_parameters": YARN,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500_000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 1024,
}
MODELS = {
    "llama": (LlamaForCausalLM, LlamaConfig, {"rope_parameters": LLAMA3}),
    "qwen3": (Qwen3ForCausalLM, Qwen3Config, {"head_dim": 16}),
    "deepseek_v3": (DeepseekV3ForCausalLM, DeepseekV3Config, LATENT),
    "gemma3": (Gemma3ForCausalLM, Gemma3TextConfig, {"head_dim": 16}),  # two types of layers
}
EACH = pytest.mark.parametrize("name", MODELS)


def model(name: str) -> torch.nn.Module:
    kind, config, settings = MODELS[name]
    torch.manual_seed(0)
    return kind(config(**{**SIZES, **settings})).eval()


def replaced(name: str) -> tuple[torch.nn.Module, torch.nn.Module]:
    """The model as it is, and the same one with our tables."""
    theirs, ours = model(name), model(name)
    ours.model.rotary_emb = TransformersRotary(ours.config)
    return theirs, ours


@EACH
@torch.no_grad()
def test_logits_with_padding_on_either_side(name: str) -> None:
    theirs, ours = replaced(name)
    tokens = torch.randint(97, (3, 12), generator=torch.Generator().manual_seed(0))
    mask = torch.ones_like(tokens)
    mask[1, :5], mask[2, 9:] = 0, 0
    expected = theirs(tokens, attention_mask=mask).logits
    result = ours(tokens, attention_mask=mask).logits
    torch.testing.assert_close(result[mask > 0], expected[mask > 0], rtol=0, atol=2e-5)
    assert result.dtype == expected.dtype


@EACH
@pytest.mark.parametrize("cache", ["dynamic", "static"])
@torch.no_grad()
def test_token_by_token_from_a_cache(name: str, cache: str) -> None:
    theirs, ours = replaced(name)
    tokens = torch.randint(97, (2, 12), generator=torch.Generator().manual_seed(1))
    expected = theirs(tokens).logits
    kept = DynamicCache(config=ours.config) if cache == "dynamic" else None
    kept = kept or StaticCache(config=ours.config, max_cache_len=16)
    steps = [ours(tokens[:, :7], past_key_values=kept).logits]
    for i in range(7, 12):
        steps.append(ours(tokens[:, [i]], past_key_values=kept).logits)
    torch.testing.assert_close(torch.cat(steps, dim=1), expected, rtol=0, atol=2e-5)


@EACH
@pytest.mark.parametrize("cache", ["dynamic", "static"])
def test_generates_the_same_text(name: str, cache: str) -> None:
    theirs, ours = replaced(name)
    tokens = torch.randint(1, 97, (2, 9), generator=torch.Generator().manual_seed(2))
    mask = torch.ones_like(tokens)
    mask[1, :4] = 0
    options = {"max_new_tokens": 12, "do_sample": False, "cache_implementation": cache}
    options |= {"attention_mask": mask, "pad_token_id": 0}
    assert torch.equal(ours.generate(tokens, **options), theirs.generate(tokens, **options))


@EACH
def test_a_cast_of_the_model_leaves_it_alone(name: str) -> None:
    theirs, ours = (model.to(torch.bfloat16) for model in replaced(name))
    assert not [*ours.model.rotary_emb.buffers(), *ours.model.rotary_emb.parameters()]
    x, places = torch.zeros(1, 3, 64, dtype=torch.bfloat16), torch.tensor([[0, 5, 100_000]])
    layer = (None,) if name != "gemma3" else ("sliding_attention",)
    tables = ours.model.rotary_emb(x, places, *layer)
    assert [table.dtype for table in tables] == [torch.bfloat16] * 2
    exact = model(name).model
    exact.rotary_emb = TransformersRotary(exact.config)
    for table, other in zip(tables, exact.rotary_emb(x.double(), places, *layer), strict=True):
        assert torch.equal(table, other.bfloat16())  # rounded once
    assert theirs.model.rotary_emb(x, places, *layer)[0].shape == tables[0].shape


@pytest.mark.slow
@pytest.mark.parametrize("kind", rotary_classes(), ids=str)
def test_every_class_is_replaced_or_refused(kind: RotaryClass) -> None:
    try:
        config, theirs = kind.default()
    except (AttributeError, KeyError, TypeError):
        pytest.skip("its own default is none")
    try:
        ours = TransformersRotary(config)
    except ValueError as error:
        assert "config: expected" in str(error)
        return
    if str(kind) in ELSEWHERE:
        return
    x, places = torch.zeros(2, 7, 64), torch.arange(7)[None] + torch.tensor([[0], [3]])
    for layer in computed(theirs):
        arguments = (x, places) if layer is None else (x, places, layer)
        for mine, other in zip(ours(*arguments), theirs(*arguments), strict=True):
            torch.testing.assert_close(mine, other, rtol=0, atol=1e-5)


# Another part of a model whose language model is read; a default that contradicts its class.
ELSEWHERE = {
    "minimax_m3_vl.MiniMaxM3VLRotaryEmbedding",
    "musicflamingo.MusicFlamingoRotaryEmbedding",
}


@pytest.mark.slow
def test_most_classes_are_replaced() -> None:
    replaced = 0
    for kind in rotary_classes():
        try:
            replaced += bool(TransformersRotary(kind.default()[0]))
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
    assert replaced >= 160


@pytest.mark.parametrize("kind", sorted(TABLES_OF_THEIR_OWN))
def test_what_has_tables_of_its_own_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match=r"^config: expected a model whose code takes cosines"):
        TransformersRotary({"model_type": kind, "head_dim": 64, "rope_theta": 1e4})

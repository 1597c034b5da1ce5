"""A configuration's settings, whatever holds them."""

from copy import deepcopy
from types import MappingProxyType, SimpleNamespace

import pytest

from pe_lib import RotarySettings, rotary_from_config
from pe_lib.rotary.config.read import text_source

LLAMA = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 5e5}


class Configuration:
    """What Hugging Face's have in common, without them."""

    def __init__(self, settings):
        self.settings = settings

    def to_dict(self):
        return self.settings


@pytest.mark.parametrize(
    "config", [LLAMA, MappingProxyType(LLAMA), Configuration(LLAMA)], ids=["dict", "view", "object"]
)
def test_a_dict_or_an_object(config):
    assert text_source(config) == LLAMA
    assert rotary_from_config(config) == RotarySettings(16, 5e5)


PARTS = ["text_config", "llm_config", "language_config", "thinker_config"]


@pytest.mark.parametrize("part", PARTS)
def test_the_language_model_of_several_parts(part):
    """What stands around it is not its own."""
    config = {"hidden_size": 999, "rope_theta": 7.0, "vision_config": {"depth": 32}, part: LLAMA}
    assert text_source(config) == LLAMA
    assert text_source(Configuration({part: Configuration(LLAMA)})) == LLAMA
    assert text_source({**LLAMA, part: None}) == LLAMA
    assert rotary_from_config(config) == RotarySettings(16, 5e5)


def test_parts_in_parts():
    """Qwen2.5-Omni: the thinker's text."""
    config = {"thinker_config": {"audio_config": {}, "text_config": LLAMA}, "rope_theta": 7.0}
    assert text_source(config) == LLAMA


def test_settings_of_the_attention():
    config = {"d_model": 64, "n_heads": 4, "attn_config": {"rope_theta": 5e5}, "model_type": "dbrx"}
    assert text_source(config)["rope_theta"] == 5e5
    assert rotary_from_config(config) == RotarySettings(16, 5e5)


@pytest.mark.parametrize(
    ("config", "got"),
    [
        (None, "None (NoneType)"),
        (8, "8 (int)"),
        (Configuration([1]), "Configuration"),
        (SimpleNamespace(rope_theta=1e4), "namespace(rope_theta=10000.0) (SimpleNamespace)"),
        (Configuration, "(type)"),
        ({"text_config": "llama"}, "'llama' (str)"),
    ],
)
def test_neither_a_dict_nor_an_object(config, got):
    with pytest.raises(TypeError) as caught:
        text_source(config)
    start = "config: expected a Hugging Face configuration or its dict (config.json), got "
    assert str(caught.value).startswith(start)
    assert got in str(caught.value)


def test_settings_by_the_names_that_they_have_here():
    config = {"model_type": "qwen2_vl", "n_head": 4, "head_dim": None, "rope_theta": None}
    expected = {"model_type": "qwen2_vl_text", "n_head": 4, "num_attention_heads": 4}
    assert text_source(config) == expected
    assert text_source(expected) == expected
    assert text_source({}) == {"model_type": ""}


@pytest.mark.parametrize(
    "config",
    [
        LLAMA,
        {"text_config": LLAMA},
        {
            "model_type": "phi3",
            "head_dim": 4,
            "max_position_embeddings": 64,
            "original_max_position_embeddings": 16,
            "rope_scaling": {"type": "su", "short_factor": [1.0] * 2, "long_factor": [2.0] * 2},
        },
        {
            "model_type": "gemma3_text",
            "head_dim": 4,
            "layer_types": ["full_attention"],
            "rope_parameters": {"full_attention": {"rope_theta": 1e6}, "rope_theta": 1e4},
        },
        {"model_type": "ernie4_5_vl_moe_text", "head_dim": 8,
         "rope_scaling": {"type": "mrope", "mrope_section": [1, 1, 2]}},
    ],
)  # fmt: skip
def test_what_is_given_stays_as_it_is(config):
    before = deepcopy(config)
    rotary_from_config(config)
    rotary_from_config(Configuration(config))
    assert config == before


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        ("LlamaConfig", {"head_dim": 32}, RotarySettings(32)),
        ("GPTNeoXConfig", {"hidden_size": 64, "num_attention_heads": 2, "rotary_pct": 0.5},
         RotarySettings(16)),
        ("GPTJConfig", {"rotary_dim": 32}, RotarySettings(32, interleaved=True)),
        ("Qwen3Config", {"rope_theta": 1e6}, RotarySettings(128, 1e6)),
        ("BloomConfig", {}, None),
    ],
)  # fmt: skip
def test_configurations_of_transformers(name, settings, expected):
    import transformers

    config = getattr(transformers, name)(**settings)
    assert rotary_from_config(config) == expected
    assert rotary_from_config(config.to_dict()) == expected
    assert rotary_from_config(config.to_diff_dict()) == expected

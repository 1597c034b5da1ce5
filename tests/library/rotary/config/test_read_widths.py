"""rotary_from_config: how many features a head has, and how many of them are rotated."""

import pytest

from pe_lib import ProportionalScaling, RotarySettings, rotary_from_config

HEADS = {"hidden_size": 64, "num_attention_heads": 4}


def read(config, **more):
    return rotary_from_config({**config, **more})


@pytest.mark.parametrize(
    "heads",
    [
        {"head_dim": 16},
        {"attention_head_dim": 16},
        {"kv_channels": 16},
        {"head_dim": 16, **HEADS, "hidden_size": 999},
        HEADS,
        {"head_dim": None, **HEADS},
        {"embed_dim": 64, "num_heads": 4},
        {"n_embd": 64, "n_head": 4},
        {"d_model": 64, "n_heads": 4},
        {"hidden_size": 64, "encoder_num_attention_heads": 4},
        {"hidden_size": 67, "num_attention_heads": 4},
    ],
    ids=str,
)
def test_width_of_a_head(heads):
    assert read(heads, rope_theta=1e4) == RotarySettings(16)


def test_a_width_that_is_known_by_the_model():
    """Gemma's first files have no head_dim: 3072 / 16 is not 256."""
    gemma = {"model_type": "gemma", "hidden_size": 3072, "num_attention_heads": 16}
    assert read(gemma) == RotarySettings(256)
    assert read(gemma, head_dim=128) == RotarySettings(128)


@pytest.mark.parametrize(
    "share",
    [
        {"partial_rotary_factor": 0.25},
        {"rotary_pct": 0.25},
        {"rope_pct": 0.25},
        {"rotary_emb_fraction": 0.25},
        {"rope_parameters": {"rope_theta": 1e4, "partial_rotary_factor": 0.25}},
        {"rope_parameters": {"partial_rotary_factor": 0.25}, "partial_rotary_factor": 0.5},
        {"rotary_dim": 4},
    ],
    ids=str,
)
def test_a_part_of_the_head(share):
    assert read(HEADS, rope_theta=1e4, **share) == RotarySettings(4)


@pytest.mark.parametrize("share", [{}, {"partial_rotary_factor": 0.5}], ids=str)
def test_a_part_apart_is_the_last_of_the_head(share):
    settings = read(HEADS, rope_theta=1e4, qk_rope_head_dim=4, **share)
    assert settings == RotarySettings(4, rotates_last=True)


def test_a_share_that_is_known_by_the_model():
    assert read(HEADS, model_type="gpt_neox") == RotarySettings(4)
    assert read(HEADS, model_type="gpt_neox", rotary_pct=1.0) == RotarySettings(16)


@pytest.mark.parametrize("share", [{"rotary_pct": 0.0}, {"partial_rotary_factor": 0}], ids=str)
def test_a_share_of_nothing(share):
    assert read(HEADS, model_type="gpt_neox", **share) is None


def test_a_share_is_rounded_down():
    """As transformers has it: int(80 * 0.4) = 32, int(18 * 0.25) = 4."""
    phi = {"model_type": "phi", "hidden_size": 2560, "num_attention_heads": 32}
    assert read(phi, partial_rotary_factor=0.4) == RotarySettings(32)
    assert read({"head_dim": 18, "rope_theta": 1e4}, rotary_pct=0.25) == RotarySettings(4)


@pytest.mark.parametrize("place", ["dict", "beside"])
def test_proportional_keeps_the_whole_head(place):
    rope = {"rope_type": "proportional", "rope_theta": 1e6}
    share = {"partial_rotary_factor": 0.25}
    config = (
        {"rope_parameters": rope | share} if place == "dict" else {"rope_parameters": rope, **share}
    )
    expected = RotarySettings(16, 1e6, ProportionalScaling(0.25))
    assert read(HEADS, **config) == expected
    none = {"rope_parameters": rope | {"partial_rotary_factor": 0.0}}
    assert read(HEADS, **none) == RotarySettings(16, 1e6, ProportionalScaling(0.0))


DEEPSEEK = {"model_type": "deepseek_v2", "hidden_size": 1280, "num_attention_heads": 10}


def test_deepseek_s_part_that_rotates():
    assert read(DEEPSEEK, qk_rope_head_dim=64) == RotarySettings(
        64, interleaved=True, rotates_last=True
    )
    # Without one (the small model of DeepSeek-VL2) it is an ordinary attention, in halves.
    assert read(DEEPSEEK, qk_rope_head_dim=0) == RotarySettings(128)
    assert read(DEEPSEEK, qk_rope_head_dim=0, head_dim=0) == RotarySettings(128)

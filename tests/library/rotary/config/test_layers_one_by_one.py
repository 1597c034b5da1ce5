"""Configurations with something for every layer: a base, a width, or whether it rotates."""

import pytest

from pe_lib import RotarySettings, YarnScaling, rotary_from_config

WINDOW, FULL = "sliding_attention", "full_attention"
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 1024}
STRETCHED = YarnScaling(4.0, 1024)
TYPES = [WINDOW, WINDOW, FULL]


def found(config, *layers):
    return [rotary_from_config(config, layer) for layer in layers]


STEP = {"model_type": "step3p5", "head_dim": 16, "layer_types": [FULL, WINDOW, FULL, WINDOW],
        "rope_theta": [5e6, 1e4, 5e6, 1e4]}  # fmt: skip


def test_a_base_for_every_layer_of_step_3_5():
    full, window = RotarySettings(16, 5e6), RotarySettings(16, 1e4)
    assert found(STEP, FULL, WINDOW, 0, 1, 2, 3) == [full, window] * 3
    shares = {**STEP, "partial_rotary_factors": [0.5, 1.0, 0.5, 1.0]}
    assert found(shares, FULL, WINDOW) == [RotarySettings(8, 5e6), window]
    # As in transformers' Step 3.7, what stretches is for the full layers.
    scaled = {**shares, "rope_scaling": YARN}
    assert found(scaled, 0, 1) == [RotarySettings(8, 5e6, STRETCHED), window]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"layer_types": None},
            "config: expected layer_types, and as many numbers in rope_theta and "
            "partial_rotary_factors, got 0, 4 and 4",
        ),
        (
            {"rope_theta": [5e6, 1e4, 6e6, 1e4]},
            "config: expected one rope_theta and share for all layers of type 'full_attention', "
            "got {'rope_theta': 5000000.0, 'partial_rotary_factor': None} and "
            "{'rope_theta': 6000000.0, 'partial_rotary_factor': None}",
        ),
    ],
)
def test_bases_that_do_not_belong_to_the_types(changes, message):
    with pytest.raises(ValueError) as caught:
        rotary_from_config({**STEP, **changes}, 0)
    assert str(caught.value) == message


@pytest.mark.parametrize("kind", ["smollm3", "llama4_text"])
@pytest.mark.parametrize(
    ("given", "rotating"),
    [
        ({"no_rope_layers": [1, 0, 0, 1, 1, 1, 1, 1]}, [0, 3, 4, 5, 6, 7]),  # 1: it rotates
        ({"no_rope_layers": []}, [0, 1, 2, 4, 5, 6]),  # every fourth does not
        ({"no_rope_layers": None}, [0, 1, 2, 4, 5, 6]),
        ({}, [0, 1, 2, 4, 5, 6]),
        ({"no_rope_layer_interval": 3}, [0, 1, 3, 4, 6, 7]),
        ({"nope_layer_interval": 2}, [0, 2, 4, 6]),
    ],
    ids=str,
)
def test_layers_by_number(kind, given, rotating):
    config = {"model_type": kind, "head_dim": 16, "num_hidden_layers": 8, "rope_theta": 1e4}
    layers = found({**config, **given}, *range(8))
    assert [number for number, settings in enumerate(layers) if settings] == rotating
    rotates = RotarySettings(16, 1e4, interleaved=kind == "llama4_text")
    assert {settings for settings in layers if settings} == {rotates}
    assert rotary_from_config({**config, **given}) == rotates


def test_a_base_for_every_layer_of_granite():
    """0 or null stands for a layer that does not rotate."""
    config = {"model_type": "granite_swa", "head_dim": 16, "rope_theta": 1e4,
              "layer_types": [WINDOW, FULL, WINDOW, FULL], "num_hidden_layers": 4}  # fmt: skip
    thetas = {**config, "layer_rope_theta": [1e4, 0, 5e5, None]}
    expected = [RotarySettings(16, 1e4), None, RotarySettings(16, 5e5), None]
    assert found(thetas, 0, 1, 2, 3) == expected
    assert found({**config, "layer_rope_theta": None}, 0, 1, None) == [RotarySettings(16)] * 3
    for layer in (None, WINDOW):
        with pytest.raises(ValueError) as caught:
            rotary_from_config(thetas, layer)
        assert str(caught.value) == (
            "layer_type: expected the number of a layer, as these layers do not rotate alike, "
            f"got {layer!r}"
        )
    # Where all layers of a type have one base, the type is enough.
    alike = {**config, "layer_rope_theta": [5e5, 0, 5e5, 0]}
    assert found(alike, WINDOW, FULL, None) == [RotarySettings(16, 5e5), None, expected[2]]
    assert rotary_from_config({**config, "layer_rope_theta": [0, 0, 0, 0]}) is None


GEMMA_4 = {
    "model_type": "gemma4_text", "head_dim": 16, "layer_types": TYPES,
    "rope_parameters": {
        WINDOW: {"rope_type": "default", "rope_theta": 1e4},
        FULL: {"rope_type": "default", "rope_theta": 1e6},
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "wider",
    [
        {"global_head_dim": 32},
        {"per_layer_config": {2: {"head_dim": 32}}},
        {"per_layer_config": {"2": {"head_dim": 32}}},  # as JSON has it
        {"head_dim": 32, "swa_head_dim": 16},
    ],
    ids=str,
)
def test_heads_of_another_width(wider):
    window, full = RotarySettings(16, 1e4), RotarySettings(32, 1e6)
    assert found({**GEMMA_4, **wider}, *TYPES) == [window, window, full]
    assert found({**GEMMA_4, **wider}, 0, 1, 2) == [window, window, full]


def test_layers_that_compare_nothing():
    types = ["linear_attention", "mamba", "conv", FULL]
    config = {"model_type": "qwen3_next", "head_dim": 64, "rope_theta": 1e7, "layer_types": types}
    rotates = RotarySettings(16, 1e7)
    assert found(config, *types, None) == [None, None, None, rotates, rotates]
    assert found(config, 0, 1, 2, 3) == [None, None, None, rotates]


def test_a_layer_s_own_width_counts_whatever_the_model_calls_it():
    config = {"model_type": "llama", "attention_head_dim": 64, "num_hidden_layers": 2}
    own = {**config, "per_layer_config": {"1": {"kv_channels": 32}}}
    assert found(own, 0, 1) == [RotarySettings(64), RotarySettings(32)]
    none = {**config, "per_layer_config": {"1": {"rope_parameters": None}}}
    assert found(none, 0, 1) == [RotarySettings(64), None]

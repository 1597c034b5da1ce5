"""Configurations whose layers differ: which rotation each of them has."""

import pytest

from pe_lib import LinearScaling, RotarySettings, YarnScaling, rotary_from_config

WINDOW, FULL = "sliding_attention", "full_attention"
ORIGINAL = "original_max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 1024}
STRETCHED = YarnScaling(4.0, 1024)
TYPES = [WINDOW, WINDOW, FULL]
LINEAR = {"rope_type": "linear", "factor": 8.0}

GEMMA = {"model_type": "gemma3_text", "head_dim": 16, "layer_types": TYPES}
GEMMA_3 = {  # old, old with the local base left out, new
    "old": {**GEMMA, "rope_theta": 1e6, "rope_local_base_freq": 1e4, "rope_scaling": LINEAR},
    "silent": {**GEMMA, "rope_scaling": LINEAR},
    "new": {
        **GEMMA,
        "rope_parameters": {
            WINDOW: {"rope_type": "default", "rope_theta": 1e4},
            FULL: {**LINEAR, "rope_theta": 1e6},
        },
    },
    "half new": {  # as transformers writes what it read
        **GEMMA,
        "rope_parameters": {
            WINDOW: {"rope_type": "default", "rope_theta": 1e4},
            FULL: {**LINEAR, "rope_theta": 1e6},
            "rope_theta": 7.0,
            "rope_type": "default",
        },
    },
}


def found(config, *layers):
    return [rotary_from_config(config, layer) for layer in layers]


@pytest.mark.parametrize("form", GEMMA_3)
def test_gemma_3(form):
    window, full = RotarySettings(16, 1e4), RotarySettings(16, 1e6, LinearScaling(8.0))
    expected = [window, full, window, window, full]
    assert found(GEMMA_3[form], WINDOW, FULL, 0, 1, 2) == expected


def test_what_stands_beside_the_dicts():
    """It is for all types, but an older form's base and kind, which the dicts replace, are not."""
    rope = {WINDOW: {"rope_theta": 1e4}, FULL: {"rope_theta": 1e6}, "partial_rotary_factor": 0.5}
    config = {"model_type": "x", "head_dim": 16, "rope_parameters": {**rope, **LINEAR}}
    del config["rope_parameters"]["factor"]
    assert found(config, WINDOW, FULL) == [RotarySettings(8, 1e4), RotarySettings(8, 1e6)]


def test_modernbert():
    config = {"model_type": "modernbert", "hidden_size": 64, "num_attention_heads": 4,
              "global_rope_theta": 160_000.0, "local_rope_theta": 10_000.0,
              "layer_types": [FULL, WINDOW]}  # fmt: skip
    expected = [RotarySettings(16, 160_000.0), RotarySettings(16, 10_000.0)]
    assert found(config, 0, 1) == found(config, FULL, WINDOW) == expected


def test_olmo_3_stretches_the_full_layers_only():
    config = {"model_type": "olmo3", "head_dim": 16, "rope_theta": 5e5, "layer_types": TYPES}
    assert rotary_from_config(config) == RotarySettings(16, 5e5)
    scaled = {**config, "rope_scaling": YARN}
    plain, stretched = RotarySettings(16, 5e5), RotarySettings(16, 5e5, STRETCHED)
    assert found(scaled, WINDOW, FULL, 0, 2) == [plain, stretched, plain, stretched]


V4 = {"model_type": "deepseek_v4", "head_dim": 64, "qk_rope_head_dim": 16, "rope_theta": 1e4,
      "compress_rope_theta": 160_000.0, "rope_scaling": YARN,
      "layer_types": ["heavily_compressed_attention", "compressed_sparse_attention", WINDOW],
      }  # fmt: skip


def test_deepseek_v4():
    """Layers with a compressor have another base and YaRN, without its attention factor."""
    main = RotarySettings(16, 1e4, interleaved=True, rotates_last=True)
    stretched = YarnScaling(4.0, 1024, attention_factor=1.0)
    compress = RotarySettings(16, 160_000.0, stretched, interleaved=True, rotates_last=True)
    assert found(V4, "main", "compress") == [main, compress]
    assert found(V4, *V4["layer_types"]) == found(V4, 0, 1, 2) == [compress, compress, main]
    new = {
        **{key: value for key, value in V4.items() if "rope_" not in key},
        "qk_rope_head_dim": 16,
        "rope_parameters": {
            "main": {"rope_type": "default", "rope_theta": 1e4},
            "compress": {**YARN, "rope_theta": 160_000.0, "attention_factor": 1.0},
        },
    }
    assert found(new, *new["layer_types"]) == [compress, compress, main]
    unscaled = {**V4, "rope_scaling": None}
    assert rotary_from_config(unscaled, 0) == RotarySettings(
        16, 160_000.0, interleaved=True, rotates_last=True
    )


@pytest.mark.parametrize("kind", ["cohere2", "exaone4", "llama4_text"])
def test_full_layers_that_do_not_rotate(kind):
    """Where the other layers have a window; EXAONE 4's small model has none, and rotates."""
    window = "attention_chunk_size" if kind == "llama4_text" else "sliding_window"
    config = {"model_type": kind, "head_dim": 16, "rope_theta": 5e4, window: 4096,
              "layer_types": [WINDOW, FULL], "no_rope_layers": [1, 0]}  # fmt: skip
    rotates = RotarySettings(16, 5e4, interleaved=kind != "exaone4")
    assert found(config, WINDOW, FULL, 0, 1, None) == [rotates, None, rotates, None, rotates]
    without = {key: value for key, value in config.items() if key != "layer_types"}
    assert found(without, WINDOW, FULL) == [rotates, None]
    assert found({**config, window: None, "no_rope_layers": None}, FULL) == [rotates]


def test_a_type_whose_dict_is_null_does_not_rotate():
    config = {"model_type": "x", "head_dim": 16, "layer_types": [FULL, WINDOW],
              "rope_parameters": {FULL: None, WINDOW: {"rope_theta": 1e4}}}  # fmt: skip
    assert found(config, FULL, WINDOW, 0, 1) == [None, RotarySettings(16, 1e4)] * 2


def test_layers_alike():
    types = {"model_type": "qwen2", "head_dim": 16, "rope_theta": 1e6, "layer_types": TYPES}
    assert found(types, None, WINDOW, FULL, 0, 2) == [RotarySettings(16, 1e6)] * 5


@pytest.mark.parametrize(
    ("config", "layer", "message"),
    [
        (
            GEMMA_3["new"],
            None,
            "layer_type: expected one of 'full_attention', 'sliding_attention', as they do not "
            "rotate alike, got None",
        ),
        (
            GEMMA_3["old"],
            "global",
            "layer_type: expected one of 'full_attention', 'sliding_attention', got 'global'",
        ),
        (V4, FULL, "layer_type: expected one of 'compress', 'compressed_sparse_attention', "
         "'heavily_compressed_attention', 'main', 'sliding_attention', got 'full_attention'"),
        (
            {**GEMMA_3["new"], "layer_types": None},
            0,
            "config: expected layer_types, to know the type of layer 0, got None",
        ),
        (
            {"model_type": "llama", "head_dim": 16},
            FULL,
            "layer_type: expected None, as all layers rotate alike, got 'full_attention'",
        ),
        (
            {"model_type": "llama", "head_dim": 16, "n_layer": 4},
            4,
            "layer_type: expected a layer from 0 to 3, got 4",
        ),
        ({**GEMMA_3["new"]}, 3, "layer_type: expected a layer from 0 to 2, got 3"),
        (
            {"model_type": "llama", "head_dim": 16},
            -1,
            "layer_type: expected a layer from 0 on, got -1",
        ),
        (
            {"model_type": "smollm3", "head_dim": 16, "no_rope_layers": [1, 0]},
            2,
            "layer_type: expected a layer from 0 to 1, got 2",
        ),
    ],
)  # fmt: skip
def test_layers_that_are_not_there(config, layer, message):
    with pytest.raises(ValueError) as caught:
        rotary_from_config(config, layer)
    assert str(caught.value) == message

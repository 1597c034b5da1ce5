"""Configurations whose layers differ: which rotation each of them has."""

import pytest

from pe_lib import LinearScaling, RotarySettings, YarnScaling, rotary_from_config

WINDOW, FULL, CHUNK = "sliding_attention", "full_attention", "chunked_attention"
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
    main = RotarySettings(16, 1e4, interleaved=True)
    stretched = YarnScaling(4.0, 1024, attention_factor=1.0)
    compress = RotarySettings(16, 160_000.0, stretched, interleaved=True)
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
    assert rotary_from_config(unscaled, 0) == RotarySettings(16, 160_000.0, interleaved=True)


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
            "config: expected layer_types beside the list rope_theta, got "
            "[5000000.0, 10000.0, 5000000.0, 10000.0] without",
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
            "layer_type: expected the number of a layer, as layer_rope_theta has 2 values for "
            f"them, got {layer!r}"
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

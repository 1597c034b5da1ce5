"""Which type each layer is, where a configuration says it in another way or not at all."""

import pytest

from pe_lib import RotarySettings, rotary_from_config

SIZES = {"hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 8, "rope_theta": 5e4}
COHERE = {"model_type": "cohere2", "sliding_window": 4096, **SIZES}
LLAMA = {"model_type": "llama", **SIZES}


def unrotated(config):
    return [i for i in range(8) if rotary_from_config(config, i) is None]


@pytest.mark.parametrize(
    ("said", "layers"),
    [
        ({"sliding_window_pattern": 4}, [3, 7]),
        ({"_sliding_window_pattern": 3}, [2, 5]),
        ({"sliding_window_pattern": "LLLG"}, [3, 7]),
        ({"sliding_window_pattern": "LG"}, [1, 3, 5, 7]),
        ({}, [3, 7]),  # every fourth, as its code has it
        ({"sliding_window": None}, []),  # without windows all rotate
        ({"layer_types": ["full_attention", *["sliding_attention"] * 7]}, [0]),
        ({"layers_block_type": ["full_attention", *["sliding_attention"] * 7]}, [0]),
        # As many as there are layers count.
        ({"layer_types": [*["sliding_attention"] * 8, "full_attention"]}, []),
    ],
    ids=str,
)
def test_layers_without_a_window_do_not_rotate(said, layers):
    assert unrotated({**COHERE, **said}) == layers


def test_published_exaone_4_5_is_read_by_its_own_name():
    assert unrotated({**COHERE, "model_type": "exaone4_5_text", "sliding_window_pattern": 4}) == [
        3,
        7,
    ]


def test_gemma_3_without_a_word_about_its_layers():
    gemma = {"model_type": "gemma3_text", "hidden_size": 64, "num_hidden_layers": 6, "head_dim": 16}
    local, whole = RotarySettings(16, 1e4), RotarySettings(16, 1e6)
    assert [rotary_from_config(gemma, i) for i in range(6)] == [*[local] * 5, whole]


@pytest.mark.parametrize(
    ("kind", "said", "types"),
    [
        ("deepseek_v4", {"compress_ratios": [0, 4, 128, 4]}, ["main", *["compress"] * 3]),
        ("mimo_v2_flash", {"hybrid_layer_pattern": [0, 1, 1, 0]}, "full sliding sliding full"),
        ("modernbert", {"global_attn_every_n_layers": 2}, "full sliding full sliding"),
        ("modernbert", {}, "full sliding sliding full"),
    ],
)
def test_other_words_for_the_types(kind, said, types):
    config = {"model_type": kind, "head_dim": 16, "num_hidden_layers": 4, "rope_theta": 5e6}
    deepseek = {"compress_rope_theta": 1e5, "qk_rope_head_dim": 8}
    config |= deepseek if kind == "deepseek_v4" else {"swa_rope_theta": 1e4}
    if isinstance(types, str):
        types = [f"{name}_attention" for name in types.split()]
    for layer, name in enumerate(types):
        assert rotary_from_config({**config, **said}, layer) == rotary_from_config(config, name)


def test_linear_layers_do_not_rotate():
    config = {"model_type": "qwen3_next", **SIZES}
    assert unrotated(config) == [0, 1, 2, 4, 5, 6]
    assert unrotated({**config, "full_attention_interval": 2}) == [0, 2, 4, 6]


def test_where_nothing_says_which_layers_have_a_window():
    with pytest.raises(ValueError) as caught:
        rotary_from_config({**COHERE, "model_type": "cohere2_moe"}, 3)
    assert (
        str(caught.value) == "config: expected layer_types, to know the type of layer 3, got None"
    )


def test_which_layers_rotate_need_not_be_known_to_read_how():
    assert rotary_from_config({**COHERE, "model_type": "cohere2_moe"}) == RotarySettings(
        32, 5e4, interleaved=True
    )


def test_layers_that_are_scaled():
    yarn = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 64}
    molmo = {**LLAMA, "rope_scaling": yarn, "rope_scaling_layers": [0, 1]}
    assert rotary_from_config(molmo, 1).scaling is not None
    assert rotary_from_config(molmo, 2) == RotarySettings(32, 5e4)
    with pytest.raises(ValueError) as caught:
        rotary_from_config(molmo)
    assert str(caught.value) == (
        "layer_type: expected the number of a layer, as these layers do not rotate alike, got None"
    )


def test_a_layer_with_settings_of_its_own():
    own = {"3": {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}}}
    config = {**LLAMA, "per_layer_config": {**own, "4": {"head_dim": 16}}}
    assert rotary_from_config(config, 3).scaling.factor == 2.0
    assert rotary_from_config(config, 3).theta == 1e4
    assert rotary_from_config(config, 4).dim == 16
    assert rotary_from_config(config, 5) == RotarySettings(32, 5e4)
    with pytest.raises(ValueError, match="layer_type: expected the number of a layer"):
        rotary_from_config(config)


def test_a_type_without_a_rotary_dict():
    types = ["sliding_attention", "full_attention"] * 4
    ropes = {"sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}
    config = {**LLAMA, "layer_types": types, "rope_parameters": ropes}
    assert rotary_from_config(config, "sliding_attention") == RotarySettings(32, 1e4)
    for asked in (None, 1, "full_attention"):
        with pytest.raises(ValueError) as caught:
            rotary_from_config(config, asked)
        assert str(caught.value) == (
            "config: expected a rotary dict for layers of type 'full_attention' too, "
            "got only 'sliding_attention'"
        )


@pytest.mark.parametrize("asked", ["mamba", "every layer", "linear_attention", "main"])
def test_a_type_that_no_layer_has(asked):
    with pytest.raises(ValueError) as caught:
        rotary_from_config(LLAMA, asked)
    assert str(caught.value) == (
        f"layer_type: expected None, as all layers rotate alike, got {asked!r}"
    )


def test_a_model_of_which_no_layer_rotates():
    assert rotary_from_config({**LLAMA, "no_rope_layers": [0] * 8}) is None


STRINGS, NUMBERS, EACH = "a list of strings", "a list of numbers", "one for each of the 8 layers"
OWN, COUNT = "a dict for each number of a layer", "an int >= 1"


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("name", "value", "error", "expected", "got"),
    [
        ("layer_types", "full", TypeError, STRINGS, "'full' (str)"),
        ("layer_types", [None], TypeError, STRINGS, "[None] (list)"),
        ("layer_types", ["a"] * 3, ValueError, EACH, "3"),
        ("sliding_window_pattern", "LX", ValueError, "only 'L', 'G'", "('L', 'X')"),
        ("sliding_window_pattern", 0, ValueError, COUNT, "0"),
        ("no_rope_layers", 4, TypeError, NUMBERS, "4 (int)"),
        ("no_rope_layers", ["0"], TypeError, NUMBERS, "['0'] (list)"),
        ("no_rope_layers", [1], ValueError, EACH, "1"),
        ("layer_rope_theta", b"x", TypeError, NUMBERS, "b'x' (bytes)"),
        ("compress_ratios", [1] * 8, ValueError, "only 0, 4, 128", str([1] * 8)),
        ("num_hidden_layers", "8", TypeError, COUNT, "'8' (str)"),
        ("per_layer_config", [1], TypeError, OWN, "[1] (list)"),
        ("per_layer_config", {"a": {}}, TypeError, OWN, "{'a': {}} (dict)"),
        ("per_layer_config", {"1": None}, TypeError, OWN, "{'1': None} (dict)"),
        ("attn_config", "x", TypeError, "a dict or None", "'x' (str)"),
        ("model_type", ["llama"], TypeError, "a str or None", "['llama'] (list)"),
    ],
)
def test_what_is_said_in_no_known_way(name, value, error, expected, got):
    with pytest.raises(error) as caught:
        rotary_from_config({**LLAMA, name: value}, 3)
    assert str(caught.value) == f"{name}: expected {expected}, got {got}"


@pytest.mark.usefixtures("without_shape_checks")
def test_an_interval_that_is_no_number():
    with pytest.raises(TypeError) as caught:
        rotary_from_config({**LLAMA, "model_type": "smollm3", "no_rope_layer_interval": "x"}, 3)
    assert str(caught.value) == "no_rope_layer_interval: expected an int >= 1, got 'x' (str)"


def test_a_part_of_itself_has_an_end():
    config = dict(LLAMA)
    config["text_config"] = config
    assert rotary_from_config(config) == RotarySettings(32, 5e4)

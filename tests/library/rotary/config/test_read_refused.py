"""Configurations that rotary_from_config does not read: it says why, and guesses nothing."""

import pytest

from pe_lib import rotary_from_config
from pe_lib.rotary.config.conventions import REFUSED, ROTATED_APART

HEADS = {"hidden_size": 64, "num_attention_heads": 4}
LLAMA = {"model_type": "llama", **HEADS}
DESCRIBED = "config: expected a model whose rotation the encodings here describe, got model_type "
UNKNOWN = (
    "config: expected rope_parameters, rope_theta or a model_type that is known to rotate without "
    "them, got neither and model_type "
)
NO_WIDTH = "config: expected head_dim, or hidden_size and num_attention_heads, got "
SHARE = "partial_rotary_factor: expected a number from 0 to 1, got "
LINEAR = {"rope_type": "linear", "factor": 2.0}
SECTIONS = "mrope_section: expected three numbers of pairs, got "


def refuse(config):
    with pytest.raises((TypeError, ValueError)) as caught:
        rotary_from_config(config)
    return type(caught.value), str(caught.value)


@pytest.mark.parametrize("model_type", REFUSED)
def test_models_that_nothing_here_describes(model_type):
    assert refuse({"model_type": model_type, **HEADS}) == (
        ValueError,
        f"{DESCRIBED}{model_type!r}: {REFUSED[model_type]}",
    )


@pytest.mark.parametrize("kind", sorted(ROTATED_APART - set(REFUSED)))
def test_a_part_of_the_head_whose_width_nobody_says(kind):
    config = {"model_type": kind, **HEADS, "rope_theta": 1e4}
    assert refuse(config) == (
        ValueError,
        "config: expected qk_rope_head_dim, the number of rotated features of a head, which a "
        f"{kind} has to say, got none",
    )
    assert rotary_from_config({**config, "qk_rope_head_dim": 8}, 0).dim == 8


def test_baichuan_s_7b_says_that_it_rotates():
    settings = rotary_from_config({"model_type": "baichuan", **HEADS, "rope_theta": 1e4})
    assert settings.dim == 16


@pytest.mark.parametrize(
    ("setting", "off", "on"),
    [
        ("position_encoding_2d", False, True),
        ("rope_position_scale", 1, 4.0),
        ("use_dynamic_ntk", False, True),
    ],
)
def test_settings_that_nothing_here_describes(setting, off, on):
    assert refuse({**LLAMA, setting: on}) == (
        ValueError,
        f"config: expected {setting} to be {off}, got {on!r}",
    )
    for fine in (off, None):
        assert rotary_from_config({**LLAMA, setting: fine}) == rotary_from_config(LLAMA)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (HEADS, f"{UNKNOWN}None"),
        ({**HEADS, "model_type": "some_new_one"}, f"{UNKNOWN}'some_new_one'"),
        ({**HEADS, "rope_theta": None, "rope_scaling": None}, f"{UNKNOWN}None"),
        (
            {"rope_theta": 1e4},
            f"{NO_WIDTH}hidden_size None and num_attention_heads None",
        ),
        (
            {"rope_theta": 1e4, "hidden_size": 64},
            f"{NO_WIDTH}hidden_size 64 and num_attention_heads None",
        ),
        (
            {"rope_theta": 1e4, "num_attention_heads": 4},
            f"{NO_WIDTH}hidden_size None and num_attention_heads 4",
        ),
        ({"rope_theta": 1e4, "head_dim": -1}, "head_dim: expected an int >= 1, got -1"),
        (
            {"rope_theta": 1e4, "head_dim": 0},  # this says nothing
            f"{NO_WIDTH}hidden_size None and num_attention_heads None",
        ),
        ({**LLAMA, "hidden_size": -64}, "hidden_size: expected an int >= 1, got -64"),
        ({**LLAMA, "num_attention_heads": 0}, "num_attention_heads: expected an int >= 1, got 0"),
        # 2 features for 4 heads: no head has one.
        ({**LLAMA, "hidden_size": 2}, "head_dim: expected an int >= 1, got 0"),
        ({**LLAMA, "rope_theta": 0}, "rope_theta: expected a finite number > 0, got 0"),
        (
            {**LLAMA, "rope_parameters": {"rope_theta": 0.0}, "rope_theta": 1e4},
            "rope_theta: expected a finite number > 0, got 0.0",
        ),
        ({**LLAMA, "rope_ratio": 0}, "rope_ratio: expected a finite number > 0, got 0"),
        ({**LLAMA, "rotary_pct": 1.5}, f"{SHARE}1.5"),
        ({**LLAMA, "partial_rotary_factor": -0.5}, f"{SHARE}-0.5"),
        ({**LLAMA, "rotary_dim": -2}, "rotary_dim: expected an int >= 0, got -2"),
        (
            {**LLAMA, "rotary_dim": 3},
            "config: expected an even number of rotated features, got 3 "
            "(head_dim 16, partial_rotary_factor 1.0)",
        ),
        (
            {**LLAMA, "partial_rotary_factor": 0.2},
            "config: expected an even number of rotated features, got 3 "
            "(head_dim 16, partial_rotary_factor 0.2)",
        ),
        (
            {**LLAMA, "rope_parameters": LINEAR, "rope_scaling": {"type": "linear", "factor": 4.0}},
            "config: expected rope_parameters and rope_scaling, its older name, to be the same, "
            "got {'rope_type': 'linear', 'factor': 2.0} and {'type': 'linear', 'factor': 4.0}",
        ),
        (
            {**LLAMA, "rope_scaling": {"type": "linear"}},
            "rope_parameters: expected 'factor' too, which rope_type 'linear' needs, "
            "got no setting",
        ),
        (
            {**LLAMA, "rope_scaling": {"factor": 2.0}},
            "rope_parameters: expected only keys that rope_type 'default' has "
            "(original_max_position_embeddings), got 'factor'",
        ),
        (
            {**LLAMA, "rope_scaling": {"mrope_section": [2, 4]}},
            f"{SECTIONS}[2, 4] (list)",
        ),
        (
            {**LLAMA, "rope_scaling": {"mrope_section": [2, 3, 4]}},
            "sections: expected three numbers of pairs (time, height, width) that sum to "
            "dim/2 = 8, got (2, 3, 4) with the sum 9",
        ),
        (
            {**LLAMA, "model_type": "hunyuan_vl", "rope_theta": 1e4,
             "rope_scaling": {"type": "xdrope", "alpha": 1000.0, "mrope_section": [2, 3, 3]}},
            "config: expected no mrope_section, as the code of 'hunyuan_vl' turns the two features "
            "of a pair by different axes, which is no rotation, got [2, 3, 3]",
        ),
        (
            {**LLAMA, "rope_scaling": {"rope_type": "default", "llama_4_scaling_beta": 0.1}},
            "temperature_beta: expected 0 beside sections, and without a scaling that has "
            "original_max_position, got 0.1",
        ),
        (
            {"model_type": "some_new_vision", "head_dim": 16, "rope_theta": 1e4, "patch_size": 14},
            "config: expected a vision encoder whose axes are known, got model_type "
            "'some_new_vision' with patch_size and rope_type None",
        ),
        (
            {"model_type": "pixtral", "head_dim": 16, "rope_scaling": LINEAR},
            "config: expected no scaling in a vision encoder, got rope_type 'linear'",
        ),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("without_shape_checks")
def test_values_that_cannot_be(config, message):
    assert refuse(config) == (ValueError, message)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {**LLAMA, "rope_theta": "1e4"},
            "rope_theta: expected a finite number > 0, got '1e4' (str)",
        ),
        ({**LLAMA, "rope_ratio": "2"}, "rope_ratio: expected a finite number > 0, got '2' (str)"),
        ({**LLAMA, "head_dim": 16.0}, "head_dim: expected an int >= 1, got 16.0 (float)"),
        ({**LLAMA, "hidden_size": "64"}, "hidden_size: expected an int >= 1, got '64' (str)"),
        (
            {**LLAMA, "num_attention_heads": 4.0},
            "num_attention_heads: expected an int >= 1, got 4.0 (float)",
        ),
        ({**LLAMA, "rotary_dim": 8.0}, "rotary_dim: expected an int >= 0, got 8.0 (float)"),
        ({**LLAMA, "rotary_pct": "all"}, f"{SHARE}'all' (str)"),
        ({**LLAMA, "rope_interleave": 1}, "interleaved: expected a bool, got 1 (int)"),
        (
            {**LLAMA, "rope_parameters": [1]},
            "config: expected rope_parameters to be a dict or None, got [1] (list)",
        ),
        ({**LLAMA, "rope_scaling": {"mrope_section": 8}}, f"{SECTIONS}8 (int)"),
        (
            {**LLAMA, "rope_scaling": {"mrope_section": [2, 3, 3], "mrope_interleaved": "yes"}},
            "sections_interleaved: expected a bool, got 'yes' (str)",
        ),
        (
            {**LLAMA, "max_position_embeddings": "4k", "rope_scaling": LINEAR},
            "max_position_embeddings: expected an int >= 1, got '4k' (str)",
        ),
    ],
)
@pytest.mark.usefixtures("without_shape_checks")
def test_values_of_another_type(config, message):
    assert refuse(config) == (TypeError, message)


@pytest.mark.parametrize("name", ["position_encoding_2d", "use_dynamic_ntk"])
def test_settings_that_change_the_positions_in_other_ways(name):
    assert rotary_from_config({**LLAMA, name: False}) == rotary_from_config(LLAMA)
    with pytest.raises(ValueError) as caught:
        rotary_from_config({**LLAMA, name: True})
    assert str(caught.value) == f"config: expected {name} to be False, got True"


def test_more_rotated_than_there_is():
    config = {**LLAMA, "head_dim": 32, "rotary_dim": 64}
    with pytest.raises(ValueError) as caught:
        rotary_from_config(config)
    assert str(caught.value) == "rotary_dim: expected at most head_dim = 32, got 64"
    assert rotary_from_config({**config, "rotary_dim": 32}).dim == 32
    # DeepSeek's rotated part stands beside the rest of a head.
    assert rotary_from_config({**LLAMA, "head_dim": 32, "qk_rope_head_dim": 64}).dim == 64


GROK_2 = {
    "model_type": "git",
    "hidden_size": 8192,
    "num_attention_heads": 64,
    "head_dim": 128,
    "rope_theta": 208_533_496,
    "max_position_embeddings": 131_072,
    "rope_type": "original",
    "original_max_position_embeddings": 8192,
    "scaling_factor": 16.0,
    "extrapolation_factor": 1.0,
    "attn_factor": 1.0,
    "beta_fast": 8,
    "beta_slow": 1,
}
BESIDE = (
    "config: expected what changes a rotation in rope_parameters, under the names of Hugging Face "
    "transformers, got {} beside it"
)


def test_a_scaling_flat_beside_the_other_settings():
    assert refuse(GROK_2) == (ValueError, BESIDE.format("rope_type = 'original'"))
    plain = {key: value for key, value in GROK_2.items() if key != "rope_type"}
    assert rotary_from_config(plain).theta == 208_533_496


@pytest.mark.parametrize(
    ("name", "value", "off"),
    [
        ("rope_type", "yarn", ("default", None)),
        ("rope_scaling_factor", 32.0, (1.0, None)),  # gpt-oss's own form
        ("rope_ntk_alpha", 4.0, (None,)),
        ("rotary_scaling_factor", 2.0, (1, None)),  # Nomic's
        ("rotary_emb_scale_base", 512, (None, False)),  # flash-attention's xPos
        ("rotary_value", True, (False,)),  # RoFormer's values turn too
        ("rope_is_neox_style", False, (True,)),
        ("yarn_factor", 4.0, (1,)),
        ("ntk_alpha", 2, (None,)),
    ],
)
def test_what_changes_a_rotation_under_a_name_that_is_not_read(name, value, off):
    kind, message = refuse({**LLAMA, name: value})
    assert kind is ValueError
    assert f"{name} = {value!r}" in message or f"{name} to be" in message
    for fine in off:
        assert rotary_from_config({**LLAMA, name: fine}) == rotary_from_config(LLAMA)


def test_a_kind_said_twice_alike():
    twice = {**LLAMA, "rope_type": "linear", "rope_scaling": LINEAR}
    assert rotary_from_config(twice) == rotary_from_config({**LLAMA, "rope_scaling": LINEAR})
    assert refuse({**twice, "rope_type": "yarn"})[0] is ValueError

"""rotary_from_config for models with vision: sections of the text, axes of the pictures."""

import math

import pytest
import torch

from pe_lib import RotarySettings, YarnScaling, nd_rotary_cos_sin, rotary_from_config

HEADS = {"hidden_size": 512, "num_attention_heads": 4}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        (  # Qwen2-VL, old form, one file for all parts
            {"model_type": "qwen2_vl", "rope_theta": 1e6,
             "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}},
            RotarySettings(128, 1e6, sections=(16, 24, 24)),
        ),
        ({"model_type": "qwen2_vl"}, RotarySettings(128, 1e6, sections=(16, 24, 24))),
        (
            {"model_type": "qwen2_5_vl_text", "rope_theta": 1e6,
             "rope_scaling": {**YARN, "mrope_section": [16, 24, 24]}},
            RotarySettings(128, 1e6, YarnScaling(4.0, 32768), sections=(16, 24, 24)),
        ),
        (  # said in the dict, under both names
            {"rope_parameters": {"rope_theta": 1e6, "mrope_section": [24, 20, 20],
                                 "mrope_interleaved": True}},
            RotarySettings(128, 1e6, sections=(24, 20, 20), sections_interleaved=True),
        ),
        (
            {"rope_parameters": {"rope_theta": 1e6, "mrope_section": [24, 20, 20],
                                 "interleaved": True}},
            RotarySettings(128, 1e6, sections=(24, 20, 20), sections_interleaved=True),
        ),
        (  # known by the model
            {"model_type": "qwen3_vl_text", "rope_theta": 5e6},
            RotarySettings(128, 5e6, sections=(24, 20, 20), sections_interleaved=True),
        ),
        (
            {"model_type": "qwen3_vl_text", "rope_theta": 5e6, "rope_scaling": {
                "mrope_section": [16, 24, 24], "mrope_interleaved": False}},
            RotarySettings(128, 5e6, sections=(16, 24, 24)),
        ),
        (  # half of the head: 64 pairs in 256 features, and interleaved as all of GLM
            {"model_type": "glm4v_text", "partial_rotary_factor": 0.5},
            RotarySettings(64, sections=(8, 12, 12), interleaved=True),
        ),
        # A smaller head has other sections; without them the text has one position.
        ({"model_type": "qwen2_vl", "head_dim": 64}, RotarySettings(64, 1e6)),
    ],
)  # fmt: skip
def test_sections(config, expected):
    assert rotary_from_config({**HEADS, **config}) == expected


def test_ernie_s_sections_are_height_width_time():
    """Height and width take turns in the fast pairs, the time has the slow ones."""
    config = {"model_type": "ernie4_5_vl_moe_text", "head_dim": 12, "rope_theta": 5e5,
              "rope_scaling": {"type": "default", "mrope_section": [2, 2, 2]}}  # fmt: skip
    settings = rotary_from_config(config)
    assert settings == RotarySettings(
        12, 5e5, sections=(2, 2, 2), pair_axes=(1, 2, 1, 2, 0, 0), interleaved=True
    )
    three = {"mrope_section": [2, 2, 1], "rope_theta": 5e5}
    settings = rotary_from_config({**config, "head_dim": 10, "rope_scaling": three})
    assert settings.sections == (1, 2, 2)
    assert settings.pair_axes == (1, 2, 1, 2, 0)
    full = rotary_from_config({**config, "head_dim": 128, "rope_scaling": None})
    assert full.sections == (20, 22, 22)
    assert full.pair_axes == (1, 2) * 22 + (0,) * 20


AS_QWEN = {"depth": 32, "embed_dim": 1280, "num_heads": 16, "spatial_merge_size": 2}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "qwen2_vl", **AS_QWEN}, RotarySettings(80, widths=(40, 40))),
        ({"model_type": "qwen2_vl_vision", **AS_QWEN}, RotarySettings(80, widths=(40, 40))),
        (
            {"model_type": "qwen2_5_vl", "depth": 32, "hidden_size": 1280, "num_heads": 16},
            RotarySettings(80, widths=(40, 40)),
        ),
        (
            {"model_type": "qwen3_vl", "depth": 27, "hidden_size": 1152, "num_heads": 16},
            RotarySettings(72, widths=(36, 36)),
        ),
        (
            {"model_type": "pixtral", "head_dim": 64, "patch_size": 16, "rope_theta": 1e4},
            RotarySettings(64, widths=(32, 32), coordinate_scale=(1.0, 1e4 ** (-2 / 64))),
        ),
        (
            {"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6,
             "rope_theta": 100.0, "patch_size": 16},
            RotarySettings(64, 100.0, widths=(32, 32), coordinate_scale=(2 * math.pi,) * 2),
        ),
        (
            {"model_type": "llama4_vision_model", "hidden_size": 1408, "num_attention_heads": 16,
             "rope_parameters": {"rope_type": "default", "rope_theta": 1e4}},
            RotarySettings(88, widths=(44, 44), interleaved=True),
        ),
        (  # a third of 80, rounded down to whole pairs: two features are left alone
            {"model_type": "clip_vision_model", "rope_mode": "3d", "hidden_size": 1280,
             "num_attention_heads": 16, "rope_theta": 1e4},
            RotarySettings(78, widths=(26, 26, 26)),
        ),
        (  # where it attends to what it has seen: 128 features for each of two heads
            {"model_type": "sam2_video", "memory_attention_hidden_size": 512,
             "memory_attention_downsample_rate": 2, "memory_attention_num_attention_heads": 2,
             "rope_parameters": {"rope_type": "axial", "rope_theta": 1e4}},
            RotarySettings(128, widths=(64, 64), interleaved=True),
        ),
        (  # column first
            {"model_type": "inkling2_vision", "head_dim": 8, "rope_theta": 1e4},
            RotarySettings(8, widths=(4, 4), pair_axes=(1, 1, 0, 0), interleaved=True),
        ),
        (  # column and row in turn
            {"model_type": "kimi_k25_vision", "head_dim": 8, "rope_theta": 1e4},
            RotarySettings(8, widths=(4, 4), pair_axes=(1, 0, 1, 0)),
        ),
        (  # a third of 64 is odd
            {"model_type": "clip_vision_model", "rope_mode": "3d", "head_dim": 64,
             "rope_theta": 1e4},
            RotarySettings(60, widths=(20, 20, 20)),
        ),
        (  # unknown to the tables, but it says so
            {"model_type": "some_new_one", "head_dim": 64, "patch_size": 14,
             "rope_parameters": {"rope_type": "axial", "rope_theta": 100}},
            RotarySettings(64, 100.0, widths=(32, 32)),
        ),
    ],
    ids=lambda value: value.get("model_type") if isinstance(value, dict) else "",
)  # fmt: skip
def test_vision_encoders(config, expected):
    assert rotary_from_config(config) == expected


def test_dinov3_turns_once_from_edge_to_edge():
    """Its fastest pairs make one full turn from -1 to 0: the far corner is where they began."""
    settings = rotary_from_config(
        {"model_type": "dinov3_vit", "hidden_size": 384, "num_attention_heads": 6}
    )
    assert settings.theta == 100.0
    cos, sin = settings.cos_sin(torch.tensor([[-1.0, 0.25]]), dtype=torch.float64)
    ours = torch.stack((cos[0, [0, 16]], sin[0, [0, 16]]))
    expected = torch.tensor([[1.0, 0.0], [0.0, 1.0]], dtype=torch.float64)
    torch.testing.assert_close(ours, expected, rtol=0, atol=1e-14)


def test_pixtral_s_columns_lie_between_its_rows():
    """Of theta ** (-2i/64) the even i are the rows' frequencies, the odd ones the columns'."""
    settings = rotary_from_config({"model_type": "pixtral", "head_dim": 64, "rope_theta": 1e4})
    cos, sin = settings.cos_sin(torch.tensor([[3, 5]]), dtype=torch.float64)
    every = 1e4 ** (-torch.arange(32, dtype=torch.float64) / 32)
    angles = torch.cat((3 * every[::2], 5 * every[1::2]))
    torch.testing.assert_close(cos[0], angles.cos(), rtol=0, atol=1e-13)
    torch.testing.assert_close(sin[0], angles.sin(), rtol=0, atol=1e-13)


def test_time_row_and_column_of_a_video():
    settings = rotary_from_config(
        {"model_type": "clip_vision_model", "rope_mode": "3d", "head_dim": 80, "rope_theta": 1e4}
    )
    places = torch.cartesian_prod(*map(torch.arange, (2, 3, 4)))
    for a, b in zip(settings.cos_sin(places), nd_rotary_cos_sin(places, (26,) * 3), strict=True):
        assert torch.equal(a, b)


def test_the_vision_encoder_has_to_be_given():
    """Of the whole the language model is read."""
    config = {
        "text_config": {"model_type": "qwen2_vl_text", **HEADS},
        "vision_config": {"model_type": "qwen2_vl", **AS_QWEN},
    }
    assert rotary_from_config(config) == RotarySettings(128, 1e6, sections=(16, 24, 24))
    assert rotary_from_config(config["vision_config"]) == RotarySettings(80, widths=(40, 40))


def test_height_and_width_take_turns_in_pairs_of_one():
    ernie = {"model_type": "ernie4_5_vl_moe_text", "head_dim": 32, "rope_theta": 5e5}
    with pytest.raises(ValueError) as caught:
        rotary_from_config({**ernie, "rope_scaling": {"mrope_section": [4, 6, 6]}})
    assert str(caught.value) == (
        "mrope_section: expected as many pairs for the height as for the width, got [4, 6, 6]"
    )
    assert rotary_from_config({**ernie, "rope_scaling": {"mrope_section": [6, 6, 4]}}).sections == (
        4, 6, 6,
    )  # fmt: skip

"""Configurations: which scaling is read from them, and which are refused."""

from types import MappingProxyType

import pytest

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    ProportionalScaling,
    YarnScaling,
    scaling_from_config,
)

ORIGINAL = "original_max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 1024}
LISTS = {"short_factor": [1.0, 1.0], "long_factor": [2.0, 4.0]}
LONGROPE = {"rope_type": "longrope", **LISTS, ORIGINAL: 1024}
LLAMA3 = {"rope_type": "llama3", "factor": 8, "low_freq_factor": 1, "high_freq_factor": 4}


@pytest.mark.parametrize(
    "nothing",
    [
        None,
        {},
        {"rope_type": "default"},
        {"type": "default", "rope_theta": 1e6},
        {"partial_rotary_factor": 0.5},
        {"mrope_section": [16, 24, 24], "rope_type": None},
        {"type": "mrope", "mrope_section": [16, 24, 24]},
        {"type": "mrope", "rope_type": "default"},  # as transformers writes Qwen2-VL's
        {"rope_type": "default", "mrope_section": [24, 20, 20], "mrope_interleaved": True},
        {"rope_type": "axial", "rope_theta": 100},
    ],
    ids=str,
)
def test_no_scaling(nothing):
    assert scaling_from_config(nothing) is None
    assert scaling_from_config(nothing, 4096) is None


@pytest.mark.parametrize(
    ("rope", "longest", "expected"),
    [
        ({"type": "linear", "factor": 2}, None, LinearScaling(2)),
        ({"rope_type": "linear", "type": "linear", "factor": 2}, 4096, LinearScaling(2)),
        ({"rope_type": "dynamic", "factor": 2.0}, 4096, DynamicNTKScaling(2.0, 4096)),
        (YARN, None, YarnScaling(4.0, 1024)),
        (YARN, 1024, YarnScaling(4.0, 1024)),
        (YARN, 8192, YarnScaling(4.0, 1024)),  # Qwen 3's recipe: its factor is what counts
        ({**YARN, "factor": None}, 8192, YarnScaling(8.0, 1024)),
        ({"rope_type": "yarn", "factor": 4.0}, 1024, YarnScaling(4.0, 1024)),
        (
            {**YARN, "beta_fast": 16, "beta_slow": 2, "truncate": False, "attention_factor": 1.0},
            None,
            YarnScaling(
                4.0, 1024, beta_fast=16, beta_slow=2, truncate=False, attention_factor=1.0
            ),
        ),
        (
            {**YARN, "mscale": 0.5, "mscale_all_dim": 2, "attention_factor": None},
            None,
            YarnScaling(4.0, 1024, mscale=0.5, mscale_all_dim=2),
        ),
        (LONGROPE, 8192, LongRopeScaling([1, 1], [2, 4], 1024, factor=8)),
        ({**LONGROPE, "factor": 3}, 8192, LongRopeScaling([1, 1], [2, 4], 1024, factor=3)),
        (
            {**LONGROPE, "attention_factor": 1.2},
            None,
            LongRopeScaling([1, 1], [2, 4], 1024, attention_factor=1.2),
        ),
        ({**LLAMA3, ORIGINAL: 8192}, None, Llama3Scaling(8, 1, 4, 8192)),
        (LLAMA3, 8192, Llama3Scaling(8, 1, 4, 8192)),
        (LLAMA3, 8192.0, Llama3Scaling(8, 1, 4, 8192)),
        (
            {"rope_type": "llama3", "factor": 16.0, "low_freq_factor": 1.0,
             "high_freq_factor": 1.0, ORIGINAL: 8192},
            10485760,
            Llama3Scaling(16.0, 1.0, 1.0, 8192),  # Llama 4 Scout
        ),
        ({**YARN, ORIGINAL: 1024.0}, None, YarnScaling(4.0, 1024)),
        ({**YARN, "finetuned": True}, None, YarnScaling(4.0, 1024)),  # Yarn-Llama-2
        ({**YARN, "type": "deepseek_yarn"}, None, YarnScaling(4.0, 1024)),
        ({**YARN, "mscale": 1.0}, None, YarnScaling(4.0, 1024)),
        ({**YARN, "mscale": 0.7, "mscale_all_dim": 0}, None, YarnScaling(4.0, 1024)),
        ({**YARN, "mscale_all_dim": 0.7}, None, YarnScaling(4.0, 1024)),
        (
            {**YARN, "factor": None, "max_position_embeddings": 8192, "llama_4_scaling_beta": 0.1},
            None,
            YarnScaling(8.0, 1024),  # Ministral 3
        ),
        ({**YARN, "mrope_section": [1, 1, 0]}, None, YarnScaling(4.0, 1024)),  # Qwen2.5-VL
        ({**LONGROPE, "rope_type": "su"}, 8192, LongRopeScaling([1, 1], [2, 4], 1024, factor=8)),
        ({**LONGROPE, "rope_type": "yarn"}, 8192, LongRopeScaling([1, 1], [2, 4], 1024, factor=8)),
        (
            {**LONGROPE, "short_mscale": 1.2, "long_mscale": 1.3},
            8192,
            LongRopeScaling(
                [1, 1], [2, 4], 1024, factor=8, attention_factor=1.2, long_attention_factor=1.3
            ),
        ),
        ({"type": "dynamic", "factor": 1.0, "alpha": 1000.0}, 4096, NTKScaling(1000.0)),
        ({"type": "xdrope", "alpha": 1000.0}, None, NTKScaling(1000.0)),
        ({"rope_type": "proportional"}, None, ProportionalScaling(1.0, 1.0)),
        (
            {"rope_type": "proportional", "partial_rotary_factor": 0.25, "factor": 2},
            4096,
            ProportionalScaling(0.25, 2),
        ),
    ],
)  # fmt: skip
def test_scaling(rope, longest, expected):
    read_only = MappingProxyType({**rope, "rope_theta": 1e6})
    assert scaling_from_config(read_only, longest) == expected


@pytest.mark.parametrize("rope", [YARN, LONGROPE])
def test_longer_in_training_than_ever(rope):
    rope = {key: value for key, value in rope.items() if key != "factor"}
    with pytest.raises(ValueError) as caught:
        scaling_from_config(rope, 1023)
    assert str(caught.value) == (
        f"{ORIGINAL}: expected at most max_position_embeddings = 1023, to compute the factor, "
        "got 1024"
    )


@pytest.mark.parametrize("rope", [{**YARN, "factor": 4.0}, {**LLAMA3, ORIGINAL: 1024}])
def test_served_for_shorter_texts_than_in_training(rope):
    """A smaller max_position_embeddings does not change the frequencies of these."""
    assert scaling_from_config(rope, 1023) == scaling_from_config(rope, 4096)


@pytest.mark.usefixtures("without_shape_checks")
def test_a_length_that_is_none():
    with pytest.raises(TypeError) as caught:
        scaling_from_config({**YARN, ORIGINAL: "1024"}, 4096)
    assert str(caught.value) == f"{ORIGINAL}: expected an int >= 1, got '1024' (str)"


def test_dynamic_starts_from_the_longest_text():
    with pytest.raises(ValueError) as caught:
        scaling_from_config({"type": "dynamic", "factor": 2.0})
    assert str(caught.value) == (
        "max_position_embeddings: expected an int >= 1 for rope_type 'dynamic', got None"
    )


@pytest.mark.parametrize(
    ("rope", "longest", "missing", "present"),
    [
        ({"type": "linear"}, 4096, "'factor'", "no setting"),
        ({"type": "dynamic"}, 4096, "'factor'", ORIGINAL),
        ({"type": "yarn"}, 4096, f"'factor', '{ORIGINAL}'", "no setting"),
        ({"type": "yarn", "factor": 2}, None, f"'{ORIGINAL}'", "'factor'"),
        ({"type": "yarn", ORIGINAL: 1024}, None, "'factor'", ORIGINAL),
        # Phi 3 keeps it beside the dict; the longest text in its place would be a silent mistake.
        (
            {"type": "longrope", **LISTS},
            131072,
            f"'factor', '{ORIGINAL}'",
            "'short_factor', 'long_factor'",
        ),
        (LONGROPE, None, "'factor'", f"'short_factor', 'long_factor', '{ORIGINAL}'"),
        ({**LONGROPE, "short_factor": None, "factor": 2}, None, "'short_factor'", "'long_factor'"),
        ({**LLAMA3, "factor": None, ORIGINAL: 1024}, 4096, "'factor'", "'low_freq_factor'"),
    ],
)
def test_a_missing_key_is_named(rope, longest, missing, present):
    kind = rope.get("type", rope.get("rope_type"))
    with pytest.raises(ValueError) as caught:
        scaling_from_config(rope, longest)
    start, got = str(caught.value).split(", got ")
    assert start == f"rope_parameters: expected {missing} too, which rope_type {kind!r} needs"
    assert present in got


@pytest.mark.parametrize(
    "rope",
    [
        {"factor": 2.0},  # no rope_type: this is the default
        {"type": "linear", "factor": 2.0, "beta_fast": 32},
        {"type": "linear", "factor": 2.0, ORIGINAL: 4096},
        {"type": "dynamic", "factor": 2.0, ORIGINAL: 4096},
        {**YARN, "attn_factor": 1.0},
        {**YARN, "original_max_position": 1024},
        {**LONGROPE, "xdrope_section": [1, 1]},
        {"type": "default", "mrope_section": [1, 1, 0], "factor": 2.0},
        {**LLAMA3, ORIGINAL: 8192, "truncate": True},
    ],
    ids=str,
)
def test_an_unknown_key_is_named(rope):
    unknown = list(rope)[-1]
    kind = rope.get("rope_type", rope.get("type", "default"))
    with pytest.raises(ValueError) as caught:
        scaling_from_config(rope, 8192)
    message = str(caught.value)
    assert message.startswith(f"rope_parameters: expected only keys that rope_type {kind!r} has (")
    assert message.endswith(f"), got {unknown!r}")


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        ({"type": "linear", "factor": 0.5}, "factor: expected a finite number >= 1, got 0.5"),
        (
            {"type": "linear", "factor": "2"},
            "factor: expected a finite number >= 1, got '2' (str)",
        ),
        (
            {**YARN, "attention_factor": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0},
            "attention_factor: expected None beside mscale and mscale_all_dim, which say the same "
            "in another way, got 1.0",
        ),
        (
            {**LONGROPE, "factor": 2, "long_factor": [2.0]},
            "long_factor: expected as many numbers as short_factor has, 2, got 1",
        ),
    ],
)
@pytest.mark.usefixtures("without_shape_checks")
def test_values_are_checked_by_the_scaling(rope, message):
    with pytest.raises((TypeError, ValueError)) as caught:
        scaling_from_config(rope)
    assert str(caught.value) == message

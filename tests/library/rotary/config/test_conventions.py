"""What configurations leave out, against the default configurations of transformers 5.23.

What stands in the models' code alone (layouts, axes) is compared with that code elsewhere.
"""

import logging

import pytest

from pe_lib.rotary.config import conventions
from pe_lib.rotary.config.conventions import model_type_of, named

# Names that are not in transformers: models with code of their own.
ELSEWHERE = {
    *("baichuan", "chatglm", "deepseek", "dinov3", "exaone", "exaone4_5_text", "hunyuan"),
    *("internlm", "internlm2", "kimi_k2", "mimo", "minicpm", "nemotron-nas", "orion", "phi-msft"),
    *("phi3_v", "phi4mm", "qwen", "stablelm_epoch", "xverse"),
}
NOT_OF_MODELS = {"FULL_INTERVALS", "NAMES", "OF_PICTURES", "READ", "REFUSED_SETTINGS"}
TABLES = {
    name: set(table)
    for name, table in vars(conventions).items()
    if name.isupper() and name not in NOT_OF_MODELS
}
SHARES = ("partial_rotary_factor", "rotary_pct")


@pytest.fixture(scope="module")
def defaults():
    """Every default configuration of transformers, as a dict, by model type."""
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

    log = logging.getLogger("transformers")
    level = log.level
    log.setLevel(logging.ERROR)  # some of their defaults contradict each other
    wanted = set().union(*TABLES.values()) & CONFIG_MAPPING_NAMES.keys()
    yield {name: CONFIG_MAPPING[name]().to_dict() for name in sorted(wanted)}
    log.setLevel(level)


def dicts(source):
    """The rotary dicts: one for all layers, or one for each type."""
    rope = source.get("rope_parameters") or {}
    inner = {key: value for key, value in rope.items() if isinstance(value, dict)}
    return inner or {"": rope}


def test_every_name_is_one_of_transformers(defaults):
    assert set().union(*TABLES.values()) - defaults.keys() == ELSEWHERE


@pytest.mark.parametrize("name", sorted(conventions.THETAS.keys() - ELSEWHERE))
def test_base(name, defaults):
    source = defaults[name]
    assert conventions.THETAS[name] in {
        each.get("rope_theta") for each in (source, *dicts(source).values())
    }


@pytest.mark.parametrize("name", sorted(conventions.LOCAL_THETAS))
def test_base_of_the_layers_with_a_window(name, defaults):
    ropes = dicts(defaults[name])
    assert ropes["sliding_attention"]["rope_theta"] == conventions.LOCAL_THETAS[name]
    assert ropes["full_attention"]["rope_theta"] == conventions.THETAS[name]


@pytest.mark.parametrize("name", sorted(conventions.SHARES.keys() - ELSEWHERE))
def test_share(name, defaults):
    source = defaults[name]
    shares = {each.get(key) for each in (source, *dicts(source).values()) for key in SHARES}
    assert shares - {None} == {conventions.SHARES[name]}


def test_width_of_a_head(defaults):
    for name, width in conventions.HEAD_DIMS.items():
        assert defaults[name]["head_dim"] == width


def test_layers_that_do_not_rotate(defaults):
    for name, interval in conventions.UNROTATED_INTERVALS.items():
        rotating = defaults[name]["no_rope_layers"]
        assert rotating == [int((i + 1) % interval != 0) for i in range(len(rotating))]


def test_models_without_rotation_have_no_dict_for_it(defaults):
    """Their defaults, where they know the dict at all, do not fill it."""
    assert not {name for name in conventions.UNROTATED if defaults[name].get("rope_parameters")}


def test_no_model_stands_in_two_tables_that_exclude_each_other():
    assert not conventions.UNROTATED & (
        conventions.ROTATING | conventions.AXES.keys() | conventions.REFUSED.keys()
    )
    assert not conventions.INTERLEAVED & conventions.NEITHER_LAYOUT
    assert not conventions.IN_TURNS & conventions.COLUMNS_BETWEEN
    assert conventions.SECTIONS_INTERLEAVED.isdisjoint(conventions.TIME_LAST)
    assert conventions.AXES.keys() >= conventions.IN_TURNS | conventions.COLUMNS_BETWEEN


def test_of_plain_models_nothing_is_left_out(defaults):
    for name in conventions.PLAIN & defaults.keys():
        for rope in dicts(defaults[name]).values():
            base, share = rope.get("rope_theta", 10_000), rope.get("partial_rotary_factor", 1.0)
            assert (base, share) == (10_000, 1.0), name


@pytest.mark.slow
def test_all_models_that_rotate_are_known():
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING, CONFIG_MAPPING_NAMES

    # Its own default contradicts itself, or is none.
    broken = {"gemma4_assistant", "nougat"}
    rotating = {
        name
        for name in CONFIG_MAPPING_NAMES.keys() - broken
        if CONFIG_MAPPING[name]().to_dict().get("rope_parameters") is not None
    }
    assert len(rotating) > 200
    assert rotating <= conventions.KNOWN | conventions.UNROTATED | conventions.REFUSED.keys()


def test_sections_take_turns_only_where_they_can():
    for name in conventions.SECTIONS_INTERLEAVED & conventions.SECTIONS.keys():
        time, height, width = conventions.SECTIONS[name]
        pairs = time + height + width
        assert height <= (pairs + 1) // 3
        assert width <= pairs // 3


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({}, ""),
        ({"model_type": None}, ""),
        ({"model_type": "llama"}, "llama"),
        ({"model_type": "qwen2_vl"}, "qwen2_vl_text"),
        ({"model_type": "qwen2_vl_text"}, "qwen2_vl_text"),
        ({"model_type": "qwen2_vl", "depth": 32, "num_heads": 16}, "qwen2_vl_vision"),
        ({"model_type": "qwen2_5_vl", "spatial_merge_size": 2}, "qwen2_5_vl_vision"),
        ({"model_type": "pixtral", "patch_size": 16}, "pixtral"),
        ({"model_type": "clip_vision_model", "rope_mode": "3d"}, "minimax_m3_vl_vision"),
    ],
)
def test_the_name_in_the_tables(source, expected):
    assert model_type_of(source) == expected


def test_of_several_names_the_first_counts():
    """0 is a value, None is none."""
    given = {"kv_channels": 64, "num_heads": 0, "n_head": 8}
    assert named({"head_dim": None, **given}) == {**given, "head_dim": 64, "num_attention_heads": 0}
    assert named({"kv_channels": 64, "attention_head_dim": 32})["head_dim"] == 32


def test_nothing_is_missing_of_what_rotates_silently(defaults):
    """A model whose configuration may say nothing has in the tables what transformers gives it."""
    missing = {}
    for name in conventions.ROTATING & defaults.keys():
        rope = defaults[name].get("rope_parameters") or {}
        if rope.get("rope_type") != "default":
            continue  # it is given, or several types of layers have one each
        found = rope["rope_theta"], rope.get("partial_rotary_factor", 1.0)
        if found != (conventions.THETAS.get(name, 10_000), conventions.SHARES.get(name, 1.0)):
            missing[name] = found
    assert not missing


def test_sections_are_half_of_a_head_or_of_what_is_rotated_of_it():
    """Heads of 128 features; Qwen3.5 and GLM rotate 64."""
    pairs = {name: sum(sections) for name, sections in conventions.SECTIONS.items()}
    of_64 = {name for name in pairs if name.startswith(("glm", "qwen3_5", "qwen4"))}
    assert pairs == {name: 32 if name in of_64 else 64 for name in pairs}

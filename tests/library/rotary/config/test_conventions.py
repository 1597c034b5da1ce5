"""What configurations leave out, against the default configurations of transformers 5.23.

What stands in the models' code alone (layouts, axes) is compared with that code elsewhere.
"""

import logging

import pytest

from pe_lib.rotary.config import conventions as known
from pe_lib.rotary.config.conventions import kind_of

# Names that are not in transformers: models with code of their own.
ELSEWHERE = {
    *("baichuan", "chatglm", "deepseek", "dinov3", "exaone", "exaone4_5_text", "hunyuan"),
    *("internlm", "internlm2", "kimi_k2", "mimo", "minicpm", "nemotron-nas", "orion", "phi-msft"),
    *("phi3_v", "phi4mm", "qwen", "stablelm_epoch", "xverse"),
}
NOT_OF_MODELS = {
    *("FULL_INTERVALS", "LAYOUT", "LOCAL_THETA", "OF_PICTURES", "READ", "REFUSED_SETTINGS"),
    *("ROTATED", "SHARE", "THETA"),
}
TABLES = {
    name: set(table)
    for name, table in vars(known).items()
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


@pytest.mark.parametrize("name", sorted(known.THETAS.keys() - ELSEWHERE))
def test_base(name, defaults):
    source = defaults[name]
    assert known.THETAS[name] in {
        each.get("rope_theta") for each in (source, *dicts(source).values())
    }


@pytest.mark.parametrize("name", sorted(known.LOCAL_THETAS))
def test_base_of_the_layers_with_a_window(name, defaults):
    ropes = dicts(defaults[name])
    assert ropes["sliding_attention"]["rope_theta"] == known.LOCAL_THETAS[name]
    assert ropes["full_attention"]["rope_theta"] == known.THETAS[name]


@pytest.mark.parametrize("name", sorted(known.SHARES.keys() - ELSEWHERE))
def test_share(name, defaults):
    source = defaults[name]
    shares = {each.get(key) for each in (source, *dicts(source).values()) for key in SHARES}
    assert shares - {None} == {known.SHARES[name]}


def test_width_of_a_head(defaults):
    for name, width in known.HEAD_DIMS.items():
        assert defaults[name]["head_dim"] == width


def test_layers_that_do_not_rotate(defaults):
    for name, interval in known.UNROTATED_INTERVALS.items():
        rotating = defaults[name]["no_rope_layers"]
        assert rotating == [int((i + 1) % interval != 0) for i in range(len(rotating))]


def test_models_without_rotation_have_no_dict_for_it(defaults):
    """Their defaults, where they know the dict at all, do not fill it."""
    assert not {name for name in known.UNROTATED if defaults[name].get("rope_parameters")}


def test_no_model_stands_in_two_tables_that_exclude_each_other():
    assert not known.UNROTATED & (known.ROTATING | known.AXES.keys() | known.REFUSED.keys())
    assert not known.INTERLEAVED & known.NEITHER_LAYOUT
    assert not known.IN_TURNS & known.COLUMNS_BETWEEN
    assert known.SECTIONS_INTERLEAVED.isdisjoint(known.TIME_LAST)
    assert known.AXES.keys() >= known.IN_TURNS | known.COLUMNS_BETWEEN


def test_of_plain_models_nothing_is_left_out(defaults):
    for name in known.PLAIN & defaults.keys():
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
    assert rotating <= known.KNOWN | known.UNROTATED | known.REFUSED.keys()


def test_sections_take_turns_only_where_they_can():
    for name in known.SECTIONS_INTERLEAVED & known.SECTIONS.keys():
        time, height, width = known.SECTIONS[name]
        pairs = time + height + width
        assert height <= (pairs + 1) // 3
        assert width <= pairs // 3


@pytest.mark.parametrize(
    ("source", "kind"),
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
def test_kind(source, kind):
    assert kind_of(source) == kind


def test_nothing_is_missing_of_what_rotates_silently(defaults):
    """A model whose configuration may say nothing has in the tables what transformers gives it."""
    missing = {}
    for name in known.ROTATING & defaults.keys():
        rope = defaults[name].get("rope_parameters") or {}
        if rope.get("rope_type") != "default":
            continue  # it is given, or several types of layers have one each
        found = rope["rope_theta"], rope.get("partial_rotary_factor", 1.0)
        if found != (known.THETAS.get(name, 10_000), known.SHARES.get(name, 1.0)):
            missing[name] = found
    assert not missing


def test_sections_are_half_of_a_head_or_of_what_is_rotated_of_it():
    """Heads of 128 features; Qwen3.5 and GLM rotate 64."""
    pairs = {name: sum(sections) for name, sections in known.SECTIONS.items()}
    of_64 = {name for name in pairs if name.startswith(("glm", "qwen3_5", "qwen4"))}
    assert pairs == {name: 32 if name in of_64 else 64 for name in pairs}

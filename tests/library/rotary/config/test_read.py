"""rotary_from_config: what a configuration says, under all the names that it has had."""

import pytest
import torch

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    RotarySettings,
    YarnScaling,
    rotary_from_config,
)

ORIGINAL = "original_max_position_embeddings"
YARN = {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 1024}
HEADS = {"hidden_size": 64, "num_attention_heads": 4}
LATENT = {"qk_rope_head_dim": 8}
LLAMA = {"model_type": "llama", **HEADS}
LINEAR = {"type": "linear", "factor": 2.0}
STRETCHED = RotarySettings(16, scaling=LinearScaling(2.0))
LISTS = {"short_factor": [1.0, 1.0], "long_factor": [2.0, 4.0]}


def read(config, **more):
    return rotary_from_config({**config, **more})


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({}, RotarySettings(16)),
        ({"rope_theta": 5e5}, RotarySettings(16, 5e5)),
        ({"rope_theta": 500_000, "rope_scaling": None}, RotarySettings(16, 5e5)),
        ({"rope_theta": 5e5, "rope_scaling": LINEAR}, RotarySettings(16, 5e5, LinearScaling(2))),
        ({"rope_theta": 5e5, "rope_parameters": LINEAR}, RotarySettings(16, 5e5, LinearScaling(2))),
        (
            {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 5e5}},
            RotarySettings(16, 5e5, LinearScaling(2)),
        ),
        ({"rope_parameters": {"rope_type": "default", "rope_theta": 5e5}}, RotarySettings(16, 5e5)),
        ({"rope_parameters": {"rope_theta": None}, "rope_theta": 5e5}, RotarySettings(16, 5e5)),
        # Of both the dict is the newer.
        ({"rope_theta": 1e4, "rope_parameters": {"rope_theta": 5e5}}, RotarySettings(16, 5e5)),
        ({"rope_parameters": None, "rope_scaling": LINEAR}, STRETCHED),
        ({"rope_parameters": LINEAR, "rope_scaling": LINEAR}, STRETCHED),
        ({"rope_parameters": LINEAR, "rope_scaling": {}}, STRETCHED),
    ],
)  # fmt: skip
def test_old_and_new_form(form, expected):
    settings = read(LLAMA, **form)
    assert settings == expected
    assert type(settings.theta) is float


@pytest.mark.parametrize(
    "name",
    ["rope_theta", "global_rope_theta", "rotary_emb_base", "rotary_embedding_base",
     "rope_embedding_base"],
)  # fmt: skip
def test_names_of_the_base(name):
    assert read(HEADS, **{name: 5e5}) == RotarySettings(16, 5e5)


def test_a_base_that_is_known_by_the_model():
    assert read(HEADS, model_type="mixtral") == RotarySettings(16, 1e6)
    assert read(HEADS, model_type="mixtral", rope_theta=1e4) == RotarySettings(16, 1e4)


def test_chatglm_multiplies_the_base():
    config = {"model_type": "chatglm", "kv_channels": 128, "seq_length": 131072}
    expected = RotarySettings(64, interleaved=True)
    assert read(config) == read(config, rope_ratio=1) == read(config, rope_ratio=None) == expected
    assert read(config, rope_ratio=500) == RotarySettings(64, 5_000_000.0, interleaved=True)


@pytest.mark.parametrize(
    ("config", "interleaved"),
    [
        ({"model_type": "llama"}, False),
        ({"model_type": "gptj"}, True),
        ({"model_type": "some_new_one", "rope_theta": 1e4}, False),
        ({"model_type": "nanochat", "rope_theta": 1e4}, None),
        ({**LATENT, "model_type": "deepseek_v3"}, True),
        ({**LATENT, "model_type": "deepseek_v3", "rope_interleave": False}, False),
        ({**LATENT, "model_type": "deepseek_v3", "rope_interleave": None}, True),
        ({"model_type": "llama", "rope_interleaved": True}, True),
        ({"model_type": "nanochat", "rope_theta": 1e4, "rope_interleave": True}, None),
    ],
    ids=str,
)
def test_layout(config, interleaved):
    assert read(HEADS, **config).interleaved is interleaved


@pytest.mark.parametrize(
    ("config", "scaling"),
    [
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}, "max_position_embeddings": 4096},
         DynamicNTKScaling(2.0, 4096)),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}, "n_positions": 4096},
         DynamicNTKScaling(2.0, 4096)),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}, "max_sequence_length": 4096},
         DynamicNTKScaling(2.0, 4096)),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}, "seq_length": 4096},
         DynamicNTKScaling(2.0, 4096)),
        ({"rope_scaling": {"type": "dynamic", "alpha": 1000.0}}, NTKScaling(1000.0)),
        ({"rope_scaling": YARN}, YarnScaling(4.0, 1024)),
        ({"rope_scaling": {"type": "yarn", ORIGINAL: 1024}, "max_position_embeddings": 8192},
         YarnScaling(8.0, 1024)),
        ({"rope_scaling": {**YARN, ORIGINAL: 4096}, ORIGINAL: 1024}, YarnScaling(4.0, 1024)),
        ({"rope_scaling": YARN, "truncate": False}, YarnScaling(4.0, 1024, truncate=False)),
        ({"rope_scaling": {**YARN, "truncate": True}, "truncate": False}, YarnScaling(4.0, 1024)),
        ({"rope_scaling": LINEAR, "truncate": False, ORIGINAL: 1024}, LinearScaling(2.0)),
        ({"rope_parameters": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                              "high_freq_factor": 4.0, ORIGINAL: 8192}},
         Llama3Scaling(8.0, 1.0, 4.0, 8192)),
    ],
    ids=str,
)  # fmt: skip
def test_what_stretches(config, scaling):
    assert read(LLAMA, **config) == RotarySettings(16, scaling=scaling)


@pytest.mark.parametrize("name", ["su", "longrope", "yarn"])
def test_phi_3_keeps_the_trained_length_beside_the_dict(name):
    config = {"model_type": "phi3", "head_dim": 4, "max_position_embeddings": 131072,
              ORIGINAL: 4096, "rope_scaling": {"type": name, **LISTS}}  # fmt: skip
    scaling = LongRopeScaling([1.0, 1.0], [2.0, 4.0], 4096, factor=32.0)
    assert rotary_from_config(config) == RotarySettings(4, scaling=scaling)


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "bloom", "n_head": 4},
        {"model_type": "gpt2", "n_embd": 64},
        {"model_type": "mpt", "d_model": 64, "attn_config": {"alibi": True}},
        {"model_type": "mpt", "d_model": 64},
        {"model_type": "falcon", **HEADS, "alibi": True},
        {"model_type": "some_new_one", "rope_theta": 1e4, "use_rope": False},
        {"model_type": "esm", **HEADS, "position_embedding_type": "absolute"},
        {"model_type": "esm", **HEADS},
        {"model_type": "some_new_one", "rope_theta": 1e4, "position_embedding_type": "alibi"},
        {"model_type": "granitemoehybrid", **HEADS, "rope_theta": 1e4,
         "position_embedding_type": "nope"},
        {"model_type": "zamba", **HEADS, "rope_theta": 1e4},
    ],
    ids=str,
)  # fmt: skip
def test_models_that_do_not_rotate(config):
    assert rotary_from_config(config) is None


@pytest.mark.parametrize(
    "config",
    [
        {"model_type": "falcon", "alibi": False},
        {"model_type": "esm", "position_embedding_type": "rotary"},
        {"rope_theta": 1e4, "position_embedding_type": "absolute"},  # as ModernBERT says
        {"model_type": "granitemoehybrid", "rope_theta": 1e4, "position_embedding_type": "rope"},
        {"model_type": "some_new_one", "rope_theta": 1e4, "use_rope": True},
        {"model_type": "mpt", "attn_config": {"rope": True, "rope_theta": 1e4}},
        {"rope_parameters": {"rope_type": "default"}},
        {"rope_parameters": {"rope_type": "default", ORIGINAL: 4096}},
        {"rotary_pct": 1.0},
    ],
    ids=str,
)
def test_models_that_do(config):
    assert read(HEADS, **config) == RotarySettings(16)


def test_the_temperature_of_queries():
    config = {"model_type": "ministral3", "head_dim": 16}
    rope = {**YARN, "rope_theta": 1e6, "llama_4_scaling_beta": 0.1, "max_position_embeddings": 4096}
    settings = read(config, rope_parameters=rope)
    assert settings == RotarySettings(16, 1e6, YarnScaling(4.0, 1024), temperature_beta=0.1)
    temperature = settings.query_temperature(torch.tensor([0, 1023, 1024, 2048]))
    expected = 1 + 0.1 * torch.log(torch.tensor([1.0, 1.0, 2.0, 3.0]))
    torch.testing.assert_close(temperature, expected)
    for off in (0.0, None):
        plain = read(config, rope_parameters={**rope, "llama_4_scaling_beta": off})
        assert plain == RotarySettings(16, 1e6, YarnScaling(4.0, 1024))


@pytest.mark.parametrize(
    ("config", "rotates"),
    [
        ({"model_type": "zamba2", "use_mem_rope": False}, False),
        ({"model_type": "zamba2", "use_mem_rope": True}, True),
        ({"model_type": "granitemoehybrid", "position_embedding_type": None}, False),
        ({"model_type": "granitemoehybrid", "position_embedding_type": "rope"}, True),
        ({"model_type": "wav2vec2-conformer", "position_embeddings_type": "relative"}, False),
        ({"model_type": "wav2vec2-conformer", "position_embeddings_type": "rotary"}, True),
        ({"model_type": "wav2vec2-bert", "position_embeddings_type": "relative_key"}, False),
        ({"model_type": "modernbert-like", "position_embedding_type": "absolute"}, True),
    ],
    ids=str,
)
def test_rotation_that_can_be_switched_off(config, rotates):
    found = rotary_from_config({**config, "head_dim": 64, "rope_theta": 1e4})
    assert found == (RotarySettings(64) if rotates else None)


class TestAssumed:
    """Of a model type that is not known, some settings are guessed, and named."""

    SIZES = {"head_dim": 64}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("config", "names"),
        [
            ({"model_type": "llama"}, ()),
            ({"model_type": "llama", "rope_theta": 1e4}, ()),
            ({"model_type": "qwen3", "rope_theta": 1e6}, ()),
            ({"model_type": "gemma4_text", "rope_theta": 1e6}, ("dim",)),
            ({"model_type": "gemma4_text", "partial_rotary_factor": 1.0}, ("theta",)),
            ({"rope_theta": 1e4}, ("dim", "interleaved")),
            ({"model_type": "my_model", "rope_theta": 1e4}, ("dim", "interleaved")),
            ({"model_type": "my_model", "rotary_dim": 64}, ("theta", "interleaved")),
            (
                {"model_type": "my_model", "rope_theta": 1e4, "partial_rotary_factor": 0.5},
                ("interleaved", "rotates_last"),
            ),
            (
                {
                    "model_type": "my_model",
                    "rope_theta": 1e4,
                    "partial_rotary_factor": 1.0,
                    "rope_interleave": True,
                },
                (),
            ),
            (
                {
                    "model_type": "my_model",
                    "rope_theta": 1e4,
                    "qk_rope_head_dim": 32,
                    "rope_interleave": True,
                    "rope_scaling": {
                        "type": "yarn",
                        "factor": 4.0,
                        "mscale": 1.0,
                        "mscale_all_dim": 1.0,
                        "original_max_position_embeddings": 64,
                    },
                },
                ("rotates_last", "score_scale"),
            ),
            (
                {
                    "model_type": "my_model",
                    "rope_parameters": {"rope_theta": 1e4, "mrope_section": [8, 12, 12]},
                },
                ("dim", "sections_interleaved", "interleaved"),
            ),
        ],
        ids=str,
    )
    def test_names(self, config, names):
        config = {**self.SIZES, **config}
        settings = rotary_from_config(config)
        assert settings.assumed == names
        if not names:
            assert rotary_from_config(config, strict=True) == settings
            return
        with pytest.raises(ValueError) as caught:
            rotary_from_config(config, strict=True)
        assert str(caught.value) == (
            "config: expected a model_type whose code is known, or settings for all that it would "
            f"tell, got {config.get('model_type')!r} and nothing of {', '.join(names)}"
        )

    def test_they_make_no_other_settings(self):
        known, unknown = (
            rotary_from_config({**self.SIZES, "model_type": kind, "rope_theta": 1e4})
            for kind in ("llama", "my_model")
        )
        assert known == unknown
        assert hash(known) == hash(unknown)


def test_llama_3_1_served_for_shorter_texts():
    """Its frequencies do not depend on max_position_embeddings."""
    rope = {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    }
    llama = {"model_type": "llama", "head_dim": 128, "rope_theta": 5e5, "rope_scaling": rope}
    long, short = (
        rotary_from_config({**llama, "max_position_embeddings": n}) for n in (131_072, 4096)
    )
    assert long == short

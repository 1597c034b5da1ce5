"""What multi-head latent attention adds to a rotation: which features turn, what scales the scores.

In transformers these stand in the models' attention, not in their rotary classes.
"""

import importlib
import math
import re

import pytest
import torch
from transformers import CONFIG_MAPPING

from pe_lib import RotaryPositionalEmbedding, rotary_cos_sin, rotary_from_config
from pe_lib.rotary.config.conventions import SCORES_SCALED
from tests.conformance.rotary_classes import MODELS
from tests.helpers import randn

YARN = {
    "rope_type": "yarn",
    "rope_theta": 10_000.0,
    "factor": 40.0,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
    "original_max_position_embeddings": 4096,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
}
CODES = {path.parent.name: path.read_text("utf-8") for path in MODELS.glob("*/modeling_*.py")}
SCALED = sorted(name for name in CODES if "self.scaling = yarn_apply_mscale(" in CODES[name])


def test_the_models_that_scale_their_scores() -> None:
    ours = {name.removesuffix("_text") for name in SCORES_SCALED}
    assert ours - set(SCALED) == {"kimi_k2"}  # DeepSeek-V3's code, published with the model
    assert set(SCALED) <= ours


@pytest.mark.parametrize("name", sorted({*SCALED} - {"mistral_large4"}))
def test_the_scale_of_the_scores(name: str) -> None:
    code = importlib.import_module(f"transformers.models.{name}.modeling_{name}")
    config = CONFIG_MAPPING[name](max_position_embeddings=163_840, rope_parameters=dict(YARN))
    settings = rotary_from_config(config)
    assert settings is not None
    expected = code.yarn_apply_mscale(config.rope_parameters, 1.0)
    assert settings.score_scale == pytest.approx(expected, rel=1e-15)
    assert settings.score_scale == pytest.approx((0.1 * math.log(40) + 1) ** 2, rel=1e-15)
    assert settings.scaling.attention_scaling == 1  # the scores have it already


def test_where_nothing_is_scaled() -> None:
    plain = {"rope_type": "default", "rope_theta": 10_000.0}
    assert rotary_from_config(CONFIG_MAPPING["deepseek_v3"](rope_parameters=plain)).score_scale == 1
    # The same numbers in a model whose code does not look at them.
    llama = {"model_type": "llama", "head_dim": 64, "rope_scaling": YARN, "rope_theta": 1e4}
    assert rotary_from_config(llama).score_scale == 1


def test_the_last_features_turn() -> None:
    """[nope | rope] is what each of them splits a head into."""
    apart = {name for name, code in CODES.items() if "qk_rope_head_dim" in code}
    split = re.compile(r"torch\.split\(\s*q\w*, \[self\.qk_nope_head_dim, self\.qk_rope_head_dim\]")
    without_rotation = {"glm5_next", "kimi_linear"}
    assert {name for name in apart if split.search(CODES[name])} >= apart - without_rotation
    for name in apart - without_rotation - {"mistral_large4"}:
        config = CONFIG_MAPPING[name]()
        config = getattr(config, "text_config", config)
        settings = rotary_from_config(config, 0 if hasattr(config, "layer_types") else None)
        assert settings is None or settings.rotates_last, name


def test_a_whole_head_of_deepseek_v4() -> None:
    from transformers.models.deepseek_v4.modeling_deepseek_v4 import apply_rotary_pos_emb

    config = CONFIG_MAPPING["deepseek_v4"]()
    rotary = RotaryPositionalEmbedding.from_config(config, "main")
    q, k = randn(2, 4, 9, 512).float(), randn(2, 1, 9, 512, seed=1).float()
    ours = rotary(q, k)
    cos, sin = (table[None] for table in rotary_cos_sin(9, 64))
    for x, turned in zip((q, k), ours, strict=True):
        torch.testing.assert_close(turned, apply_rotary_pos_emb(x, cos, sin), rtol=0, atol=2e-6)
        assert torch.equal(turned[..., :448], x[..., :448])


def test_a_whole_head_of_deepseek_v3_and_its_part() -> None:
    rotary = RotaryPositionalEmbedding.from_config(CONFIG_MAPPING["deepseek_v3"]())
    q, k = randn(1, 2, 5, 192), randn(1, 2, 5, 192, seed=1)
    whole, part = rotary(q, k, offset=7), rotary(q[..., 128:], k[..., 128:], offset=7)
    for x, turned, own in zip((q, k), whole, part, strict=True):
        assert torch.equal(turned, torch.cat((x[..., :128], own), dim=-1))

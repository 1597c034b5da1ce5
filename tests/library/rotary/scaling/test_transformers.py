"""The scalings and their configurations against Hugging Face transformers' own functions.

transformers computes in float32. Its formulas are compared twice: as they are, to within that
rounding, and with every float32 replaced by float64, where nothing but the formula can differ.
"""

from contextlib import contextmanager

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.overrides import TorchFunctionMode
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

import pe_lib

FACTORS = st.floats(1, 64) | st.integers(1, 64)
NUMBERS = st.floats(0.5, 2)
LENGTHS = st.integers(64, 1 << 20)


class Float64ForFloat32(TorchFunctionMode):
    """Inside it whatever asks for float32 gets float64."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if kwargs.get("dtype") is torch.float32:
            kwargs["dtype"] = torch.float64
        if function is torch.Tensor.float:
            function = torch.Tensor.double
        return function(*args, **kwargs)


@contextmanager
def in_float64():
    torch.set_default_dtype(torch.float64)
    try:
        with Float64ForFloat32():
            yield
    finally:
        torch.set_default_dtype(torch.float32)


def optional(**keys):
    return st.fixed_dictionaries({}, optional=keys)


def lists(dim):
    return st.lists(st.floats(0.5, 64), min_size=dim // 2, max_size=dim // 2)


@st.composite
def configurations(draw, rope_type):
    """The settings of a model: (rope_parameters, rotating dim, dim of the head, longest text)."""
    # From 6 on: transformers divides by dim - 2 and turns YaRN's blend around in tiny heads.
    dim = 2 * draw(st.integers(3, 64))
    partial = draw(st.sampled_from([None, 1.0, 0.5, 0.25]))
    rope = {"rope_type": rope_type, "rope_theta": draw(st.floats(1e3, 1e8))}
    if partial is not None:
        rope["partial_rotary_factor"] = partial
    original = draw(LENGTHS)
    longest = original * draw(st.integers(1, 64))
    if rope_type == "proportional":
        rope |= draw(optional(factor=FACTORS, partial_rotary_factor=st.floats(0, 1)))
        return rope, dim, dim, longest
    if rope_type != "longrope":
        rope["factor"] = draw(FACTORS)
    if rope_type in ("yarn", "longrope", "llama3"):
        rope["original_max_position_embeddings"] = original
    if rope_type == "yarn":
        rope |= draw(optional(beta_fast=st.floats(8, 64), beta_slow=st.floats(0.5, 8)))
        rope |= draw(optional(truncate=st.booleans()))
        magnitude = st.fixed_dictionaries({"mscale": NUMBERS, "mscale_all_dim": NUMBERS})
        rope |= draw(magnitude | optional(attention_factor=NUMBERS))
        if draw(st.booleans()):
            rope["factor"] = None  # longest / original
    if rope_type == "longrope":
        rope |= {"short_factor": draw(lists(dim)), "long_factor": draw(lists(dim))}
        rope |= draw(optional(factor=FACTORS, attention_factor=NUMBERS))
    if rope_type == "llama3":
        low = draw(NUMBERS)
        rope |= {"low_freq_factor": low, "high_freq_factor": low + draw(st.floats(0.5, 8))}
    return rope, dim, int(dim / (partial or 1)), longest


def theirs(rope, head_dim, longest, seq_len=None):
    """transformers' frequencies and attention factor, in float32 and in float64."""
    config = LlamaConfig(
        head_dim=head_dim, max_position_embeddings=longest, rope_parameters=dict(rope)
    )
    function = ROPE_INIT_FUNCTIONS[rope.get("rope_type") or rope["type"]]
    rounded, attention = function(config, "cpu", seq_len=seq_len)
    with in_float64():
        exact, _ = function(config, "cpu", seq_len=seq_len)
    assert (rounded.dtype, exact.dtype) == (torch.float32, torch.float64)
    return rounded, exact, attention


def agree(rope, dim, head_dim, longest, seq_len=None):
    scaling = pe_lib.scaling_from_config(rope, longest)
    rounded, exact, attention = theirs(rope, head_dim, longest, seq_len)
    ours = scaling.inverse_frequencies(dim, rope["rope_theta"], seq_len)
    # Blends subtract numbers of up to L turns, so they keep fewer digits than the powers.
    torch.testing.assert_close(ours, exact, rtol=1e-10, atol=1e-18)
    torch.testing.assert_close(ours.float(), rounded, rtol=1e-4, atol=1e-12)
    assert scaling.attention_scaling == pytest.approx(attention, rel=1e-14)


@pytest.mark.parametrize("rope_type", ROPE_INIT_FUNCTIONS)
@given(data=st.data())
def test_every_kind_agrees(rope_type, data):
    rope, dim, head_dim, longest = data.draw(configurations(rope_type))
    original = rope.get("original_max_position_embeddings", longest)
    near = st.sampled_from([original - 1, original, original + 1, 2 * longest])
    agree(rope, dim, head_dim, longest, data.draw(st.none() | near | st.integers(1, 2 * longest)))


# How published models write it: old and new names, integers, redundant keys.
PUBLISHED = {
    "Vicuna 16k": ({"type": "linear", "factor": 4.0}, 128, 4096, 10_000.0),
    "Yi chat, dynamic": ({"type": "dynamic", "factor": 2}, 128, 4096, 5e6),
    "Qwen 2.5": (
        {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768},
        128, 32768, 1e6,
    ),
    "Qwen 3": (
        {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768},
        128, 40960, 1e6,
    ),
    "DeepSeek V3": (
        {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "beta_fast": 32,
         "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 1.0},
        64, 163840, 10_000.0,
    ),
    "gpt-oss": (
        {"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096,
         "beta_fast": 32.0, "beta_slow": 1.0, "truncate": False},
        64, 131072, 150_000.0,
    ),
    "Llama 3.1": (
        {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 8192},
        128, 131072, 500_000.0,
    ),
    "like Phi 3": (
        {"type": "longrope", "short_factor": [1.0, 1.05, 1.1, 2.0],
         "long_factor": [1.1, 2, 20.5, 64], "original_max_position_embeddings": 4096},
        8, 131072, 10_000.0,
    ),
    "like Gemma 4": (
        {"rope_type": "proportional", "partial_rotary_factor": 0.25}, 512, 131072, 1e6,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_models_agree(name):
    rope, dim, longest, theta = PUBLISHED[name]
    for seq_len in (None, longest, 2 * longest):
        agree({**rope, "rope_theta": theta}, dim, dim, longest, seq_len)


@pytest.mark.parametrize("name", PUBLISHED)
def test_rotary_tables_agree_with_a_model(name):
    """Short texts, then 64 positions past the trained length, then a short text again."""
    rope, dim, longest, theta = PUBLISHED[name]
    longest = min(longest, rope.get("original_max_position_embeddings", longest))
    rope = {"factor": 1.0} | rope | {"rope_theta": theta}
    config = LlamaConfig(head_dim=dim, max_position_embeddings=longest, rope_parameters=dict(rope))
    scaling = pe_lib.scaling_from_config(rope, longest)
    with in_float64():
        module = LlamaRotaryEmbedding(config)
    for count in (64, longest + 64, 64):
        positions = torch.arange(count)[None, -64:]
        with in_float64():
            theirs = module(torch.zeros(1, dtype=torch.float64), positions)
        ours = pe_lib.rotary_cos_sin(positions, dim, theta, scaling=scaling, dtype=torch.float64)
        for half, whole in zip(ours, theirs, strict=True):
            # They repeat the columns, one for each feature of a pair.
            torch.testing.assert_close(half, whole[..., : dim // 2], rtol=0, atol=1e-9)

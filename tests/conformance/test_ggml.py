"""ggml, under llama.cpp: its rotation in all its modes, YaRN, frequency factors.

github.com/ggml-org/ggml at d99724f: src/ggml-cpu/ops.cpp (rope_yarn, ggml_rope_cache_init,
ggml_mrope_cache_init, ggml_compute_forward_rope) and src/ggml.c (ggml_rope_yarn_corr_dims). Its
tests compare its backends with each other.

All is float32 there, and the angle of a pair comes from the angle of the pair before it, times
``base ** (-2 / dim)``: the rounding grows from pair to pair.

The interleaved mode of M-RoPE ("imrope") turns a pair that no section claims by a fourth position.
Of Qwen3-VL's 64 pairs with the sections (24, 20, 20) these are 61 and 62, where transformers, vLLM
and pe_lib turn them by the time. llama.cpp gives 0 for the fourth position of text
(src/llama-graph.cpp), so there they stand still; they would turn so slowly, once in 15 million
positions, that it can hardly be seen.
"""

import math

import pytest
import torch

from pe_lib import (
    LinearScaling,
    LongRopeScaling,
    YarnScaling,
    apply_rotary,
    inverse_frequencies,
    mrope_cos_sin,
    nd_rotary_cos_sin,
    rotary_cos_sin,
)
from tests.conformance.reference import close, same_table, turned
from tests.helpers import F64, randn

POSITIONS = torch.arange(0, 8192, 13)


def chain(positions, pairs, dim, base, dtype=F64):
    """The angle of the first pair is the position, each other one is the one before, slowed."""
    scale = torch.tensor(base, dtype=dtype) ** (-2 / dim)
    angles = [positions.to(dtype)]
    for _ in range(pairs - 1):
        angles.append(angles[-1] * scale)
    return torch.stack(angles, dim=-1)


def stretched(angles, dim, base, *, freq_scale, ext_factor=0.0, trained=0, fast=32, slow=1):
    """rope_yarn: the angles, and what multiplies the attention factor."""
    if ext_factor == 0:
        return freq_scale * angles, 1.0

    def pair(turns):
        return dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

    low, high = max(0, math.floor(pair(fast))), min(dim - 1, math.ceil(pair(slow)))
    ramp = (torch.arange(angles.shape[-1], dtype=F64) - low) / max(0.001, high - low)
    mix = (1 - ramp.clamp(0, 1)) * ext_factor
    mixed = freq_scale * angles * (1 - mix) + angles * mix
    return mixed, 1 + 0.1 * math.log(1 / freq_scale)


@pytest.mark.parametrize("neox", [True, False])
@pytest.mark.parametrize(("n_dims", "start"), [(16, 0), (8, 0), (8, 4)])
def test_modes(neox, n_dims, start):
    """The mode "normal" is interleaved. Rotated are ``n_dims`` features from one of them on."""
    x = randn(len(POSITIONS), 3, 16)  # (seq, heads, dim)
    table = rotary_cos_sin(POSITIONS, n_dims, dtype=F64)
    theirs = chain(POSITIONS, n_dims // 2, n_dims, 10_000.0)
    same_table(table, theirs)
    result, expected = x.clone(), x.clone()
    part = slice(start, start + n_dims)
    result[..., part] = apply_rotary(x[..., part], *table, interleaved=not neox, seq_dim=-3)
    expected[..., part] = turned(x[..., part], theirs[:, None], interleaved=not neox)
    close(result, expected)
    # Its backward pass changes the sign of the sines.
    cos, sin = table
    back = apply_rotary(result[..., part], cos, -sin, interleaved=not neox, seq_dim=-3)
    close(back, x[..., part])


@pytest.mark.parametrize("base", [10_000.0, 1_000_000.0])
def test_its_float32(base):
    """Pair i has been multiplied i times by a factor that is rounded itself: 3i roundings."""
    theirs = chain(POSITIONS, 64, 128, base, torch.float32)
    bound = (3 * torch.arange(64) + 1) * 2.0**-24 * theirs.double() + 2.0**-23
    table = rotary_cos_sin(POSITIONS, 128, base, dtype=F64)
    for result, function in zip(table, (torch.cos, torch.sin), strict=True):
        assert ((result - function(theirs).double()).abs() <= bound).all()


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_linear(factor):
    """``freq_scale`` is 1 / factor."""
    theirs, _ = stretched(chain(POSITIONS, 32, 64, 1e4), 64, 1e4, freq_scale=1 / factor)
    same_table(rotary_cos_sin(POSITIONS, 64, scaling=LinearScaling(factor), dtype=F64), theirs)


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_frequency_factors(factor):
    """They divide the angles pair by pair: Llama 3's scaling and LongRoPE are given so."""
    factors = torch.linspace(1, 8, 32, dtype=F64)
    theirs, _ = stretched(chain(POSITIONS, 32, 64, 1e4) / factors, 64, 1e4, freq_scale=1 / factor)
    own = inverse_frequencies(64) / factors
    table = rotary_cos_sin(POSITIONS, 64, frequencies=own, scaling=LinearScaling(factor), dtype=F64)
    same_table(table, theirs)
    if factor == 1:  # attn_factor is the attention factor
        scaling = LongRopeScaling(
            [1.0] * 32, factors.tolist(), original_max_position=4096, attention_factor=1.19
        )
        same_table(rotary_cos_sin(POSITIONS, 64, scaling=scaling, dtype=F64), theirs, 1.19)


@pytest.mark.parametrize("with_factors", [True, False])
@pytest.mark.parametrize(
    ("dim", "base", "trained", "bounds"),
    [(128, 1e6, 4096, (32, 1)), (64, 1e4, 4096, (64, 2)), (64, 1e4, 131_072, (32, 1))],
)
def test_yarn(dim, base, trained, bounds, with_factors):
    """``ext_factor`` 1. The blend's pairs follow from the base, also with frequency factors.

    With 131,072 the blend would end beyond the last pair.
    """
    factor, pairs = 4.0, dim // 2
    factors = torch.linspace(1, 3, pairs, dtype=F64) if with_factors else 1.0
    theirs, growth = stretched(
        chain(POSITIONS, pairs, dim, base) / factors,
        dim,
        base,
        freq_scale=1 / factor,
        ext_factor=1.0,
        trained=trained,
        fast=bounds[0],
        slow=bounds[1],
    )
    own = inverse_frequencies(dim, base) / factors if with_factors else None
    for attention, attn_factor in ((None, 1.0), (1.0, 1 / growth)):
        scaling = YarnScaling(
            factor,
            trained,
            beta_fast=bounds[0],
            beta_slow=bounds[1],
            attention_factor=attention,
        )
        table = rotary_cos_sin(POSITIONS, dim, base, scaling=scaling, frequencies=own, dtype=F64)
        same_table(table, theirs, attn_factor * growth)


def position_ids():
    """Text, then a picture of 4 x 6 patches: time, height, width."""
    text, patch = torch.arange(5), torch.arange(24)
    axes = (0 * patch, patch // 6, patch % 6)
    return torch.stack([torch.cat((text, axis + 5)) for axis in axes])


def by_section(ids, pairs, dim, base, axis_of):
    """Of four chains of angles, one for every position, that of the pair's axis."""
    chains = chain(ids, pairs, dim, base)
    return torch.stack([chains[axis_of(pair), :, pair] for pair in range(pairs)], dim=-1)


def test_mrope():
    sections, ids = (16, 24, 24), position_ids()
    edges = (16, 40, 64)
    theirs = by_section(ids, 64, 128, 1e6, lambda pair: sum(pair >= edge for edge in edges))
    table = mrope_cos_sin(ids[:, None], 128, sections, 1e6, dtype=F64)
    same_table(table, theirs[None])


def test_mrope_interleaved():
    sections, ids = (24, 20, 20), position_ids()

    def axis_of(pair):
        axis = pair % 3
        return axis if pair < 3 * sections[axis] else 3

    cos, sin = mrope_cos_sin(ids[:, None], 128, sections, 5e6, sections_interleaved=True, dtype=F64)
    for fourth, pairs in ((ids[0], range(64)), (0 * ids[0], [*range(61), 63])):
        theirs = by_section(torch.cat((ids, fourth[None])), 64, 128, 5e6, axis_of)
        same_table((cos[0][:, pairs], sin[0][:, pairs]), theirs[:, pairs])


def test_vision():
    """Each of two axes has half of the pairs, and its angles begin anew with its first pair."""
    dim, (height, width) = 80, (4, 6)
    patch = torch.arange(height * width)
    ids = torch.stack((patch // width, patch % width))  # as Qwen2-VL has them
    theirs = torch.cat([chain(axis, dim // 4, dim // 2, 1e4) for axis in ids], dim=-1)
    table = nd_rotary_cos_sin(ids.T, (dim // 2, dim // 2), dtype=F64)
    same_table(table, theirs)
    x = randn(24, dim)
    close(apply_rotary(x, *table), turned(x, theirs, interleaved=False))

"""MLX and mlx-lm: their rotation, its scalings, ALiBi.

github.com/ml-explore/mlx at 846d176: python/mlx/nn/layers/positional_encoding.py, mlx/fast.cpp and
python/tests/test_fast.py; github.com/ml-explore/mlx-lm at d78bf58: mlx_lm/models/rope_utils.py,
llama4.py and ministral3.py, tests/test_models.py.

Where pe_lib has frequencies, ``freqs`` are periods there, in positions a radian. Attention factors
multiply queries and keys before they are rotated, and with float16 are rounded once more. Two
things are defined otherwise than in pe_lib:

- SuScaledRoPE (LongRoPE) takes the long factors for texts of any length.
- nn.SinusoidalPositionalEncoding has frequencies from 1 to 0.0001, both ends included, all sines
  before all cosines, and is scaled by sqrt(2 / dim).
"""

import math

import pytest
import torch

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    YarnScaling,
    alibi_bias,
    apply_rotary,
    query_temperature,
    rotary_cos_sin,
)
from tests.conformance.reference import close, same_table, same_table_in_float32, steps, turned
from tests.helpers import F64, randn

POSITIONS = torch.arange(0, 8192, 13)


def periods(dim, base=10_000.0):
    return base ** steps(dim)


def angles(periods, positions=POSITIONS):
    return positions.double()[..., None] * (1 / periods)


@pytest.mark.parametrize("traditional", [True, False])
@pytest.mark.parametrize("dims", [16, 8])
@pytest.mark.parametrize("scale", [1.0, 0.25, 2.0])
@pytest.mark.parametrize("offset", [0, 3, torch.tensor([3, 700])])
def test_rope(traditional, dims, scale, offset):
    """nn.RoPE: "traditional" is interleaved; the positions are multiplied by ``scale``."""
    x = randn(2, 4, 5, 16)  # (batch, heads, seq, dim)
    rows = torch.as_tensor(offset)[..., None] + torch.arange(5)  # (5,) or (2, 5)
    theirs = angles(periods(dims), rows * torch.tensor(scale, dtype=F64))
    if theirs.ndim == 3:
        theirs = theirs[:, None]
    tables = [rotary_cos_sin(rows * scale, dims, dtype=F64)]
    if scale <= 1:
        tables.append(rotary_cos_sin(rows, dims, scaling=LinearScaling(1 / scale), dtype=F64))
    for table in tables:
        result = apply_rotary(x, *table, interleaved=traditional)
        close(result, turned(x, theirs, interleaved=traditional))


@pytest.mark.parametrize("base", [10_000.0, 1_000_000.0])
def test_its_float32(base):
    """Its frequencies are powers of e: the logarithm of the base is rounded, too."""
    half = 64
    pair = torch.arange(half, dtype=torch.float32)
    theirs = torch.exp(-pair * torch.tensor(math.log(base) / half, dtype=torch.float32))
    table = rotary_cos_sin(POSITIONS, 2 * half, base, dtype=F64)
    same_table_in_float32(table, POSITIONS.float()[:, None] * theirs)


def test_periods_of_one_s_own():
    own = torch.rand(4, dtype=F64, generator=torch.Generator().manual_seed(0))
    same_table(rotary_cos_sin(POSITIONS, 8, frequencies=1 / own, dtype=F64), angles(own))


@pytest.mark.parametrize("long_mscale", [None, 1.3])
def test_longrope(long_mscale):
    trained, longest = 4096, 131_072
    long_factor = torch.linspace(1, 60, 48, dtype=F64)
    factor = long_mscale or math.sqrt(1 + math.log(longest / trained) / math.log(trained))
    scaling = LongRopeScaling(
        [1.0] * 48,
        long_factor.tolist(),
        trained,
        factor=None if long_mscale else longest / trained,
        attention_factor=long_mscale and 1.0,
        long_attention_factor=long_mscale,
    )
    table = rotary_cos_sin(POSITIONS, 96, scaling=scaling, dtype=F64)  # 8192 positions: long
    theirs = angles(long_factor * periods(96))
    same_table(table, theirs, factor)
    x = randn(len(POSITIONS), 128)
    x_scaled = torch.cat((factor * x[:, :96], x[:, 96:]), dim=-1)
    close(apply_rotary(x, *table), turned(x_scaled, theirs, interleaved=False))


@pytest.mark.parametrize("factor", [8.0, 32.0])
def test_llama_3(factor):
    low, high, trained = 1.0, 4.0, 8192
    own = periods(128, 500_000)
    length = 2 * math.pi * own
    slow = torch.where(length > trained / low, own * factor, own)
    share = (trained / length - low) / (high - low)
    between = (length > trained / high) & (length < trained / low)
    own = torch.where(between, slow / ((1 - share) / factor + share), slow)
    scaling = Llama3Scaling(factor, low, high, trained)
    table = rotary_cos_sin(POSITIONS, 128, 500_000, scaling=scaling, dtype=F64)
    same_table(table, angles(own))


@pytest.mark.parametrize("trained", [4096, 131_072])
@pytest.mark.parametrize("mscales", [(1, 0), (0.707, 0.707), (1.0, 0.4)])
def test_yarn(mscales, trained):
    """The blend is of frequencies, written with periods: the harmonic mean of the two."""
    factor, dim = 40.0, 64

    def pair(turns):
        return dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(10_000))

    low, high = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), dim - 1)
    kept = 1 - ((torch.arange(dim // 2, dtype=F64) - low) / (high - low)).clamp(0, 1)
    fast = periods(dim)
    slow = factor * fast
    theirs = angles(slow * fast / (slow * kept + fast * (1 - kept)))
    above, below = (0.1 * mscale * math.log(factor) + 1 for mscale in mscales)
    own = dict(zip(("mscale", "mscale_all_dim"), mscales, strict=True)) if mscales[1] else {}
    scaling = YarnScaling(factor, trained, **own)
    same_table(rotary_cos_sin(POSITIONS, dim, scaling=scaling, dtype=F64), theirs, above / below)


@pytest.mark.parametrize("length", [100, 2048, 2049, 8192])
def test_dynamic_ntk(length):
    """The text's length is that of what is cached and what comes, at least the trained one."""
    factor, trained, dim = 4.0, 2048, 64
    longer = factor * max(length, trained) / trained - (factor - 1)
    theirs = angles(periods(dim, 10_000 * longer ** (dim / (dim - 2))), torch.arange(length))
    scaling = DynamicNTKScaling(factor, trained)
    same_table(rotary_cos_sin(length, dim, scaling=scaling, dtype=F64), theirs)


def test_proportional_as_its_test_has_it():
    """An infinite period stands still. Rotated are the features 0 to 3 with 8 to 11, alone the
    same as a head of eight."""
    x = torch.arange(16, dtype=F64)[None]
    table = rotary_cos_sin(torch.tensor([1]), 16, 100, scaling=ProportionalScaling(0.5), dtype=F64)
    turning = 100 ** (torch.arange(0, 8, 2, dtype=F64) / 16)
    infinite = torch.full((4,), math.inf, dtype=F64)
    same_table(table, angles(torch.cat((turning, infinite)), torch.tensor([1])))
    own = rotary_cos_sin(torch.tensor([1]), 8, frequencies=1 / turning, dtype=F64)
    part = apply_rotary(torch.cat((x[:, :4], x[:, 8:12]), dim=-1), *own)
    expected = torch.cat((part[:, :4], x[:, 4:8], part[:, 4:], x[:, 12:]), dim=-1)
    close(apply_rotary(x, *table), expected)


@pytest.mark.parametrize("heads", [8, 6])
def test_alibi(heads):
    """nn.ALiBi: the symmetric form, with the queries at the end of the keys; a mask is added."""

    def slopes(n):
        if n & (n - 1) == 0:
            return [2 ** (-8 * (head + 1) / n) for head in range(n)]
        below = 2 ** math.floor(math.log2(n))
        return slopes(below) + slopes(2 * below)[::2][: n - below]

    offset, q_len = 13, 7
    distance = (torch.arange(offset, offset + q_len)[:, None] - torch.arange(q_len + offset)).abs()
    expected = -torch.tensor(slopes(heads), dtype=F64)[:, None, None] * distance
    bias = alibi_bias(heads, q_len, q_len + offset, causal=False, dtype=F64)
    close(bias, expected)


def test_temperature_of_queries():
    """Of Ministral 3, and of Llama 4, which counts positions from 1."""
    positions = torch.tensor([0, 1, 8190, 8191, 8192, 16_383, 16_384, 1_000_000])
    theirs = 1 + 0.1 * torch.log(1 + torch.floor(positions.double() / 16_384))
    close(query_temperature(positions, 16_384, 0.1, dtype=F64), theirs)
    theirs = torch.log(torch.floor((positions.double() + 1) / 8192) + 1) * 0.1 + 1
    close(query_temperature(positions + 1, 8192, 0.1, dtype=F64), theirs)

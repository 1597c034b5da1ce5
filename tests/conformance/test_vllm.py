"""vLLM: its rotary tables for text.

github.com/vllm-project/vllm, vllm/model_executor/layers/rotary_embedding/, each file as it stands
at the commit named beside its formula here. It calls half-split "neox style". Pictures are in
test_vllm_pictures.py.

Some of it is defined otherwise there than in pe_lib:

- "ntk" is Su Jianlin's (kexue.fm/archives/9706), another than bloc97's NTKScaling: it slows every
  pair, also the first. pe_lib takes such frequencies as ``frequencies``.
- "dynamic" makes one table, for the longest text that the server allows, and uses it for all texts;
  "longrope" takes the long factors for all texts where the server allows long ones. pe_lib goes by
  the text at hand, or by ``seq_len``.
- "yarn" turns the blend around where all pairs turn faster, or all slower, than its bounds;
  YarnScaling does not.
"""

import math

import pytest
import torch

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    ProportionalScaling,
    YarnScaling,
    apply_rotary,
    rotary_cos_sin,
)
from tests.conformance.reference import (
    close,
    frequencies,
    same_table,
    same_table_in_float32,
    steps,
    turned,
    yarn_frequencies,
)
from tests.helpers import F64, randn

POSITIONS = torch.arange(0, 8192, 13)


def angles(own, positions=POSITIONS):
    return positions.double()[:, None] * own


@pytest.mark.parametrize("neox", [True, False])
@pytest.mark.parametrize("rotary_dim", [64, 32])
def test_base(neox, rotary_dim):
    """base.py at 072d10a: tables of float32, and of one head the first features."""
    table = rotary_cos_sin(POSITIONS, rotary_dim, dtype=F64)
    exponents = steps(rotary_dim, torch.float32)
    same_table_in_float32(table, POSITIONS.float()[:, None] * (1 / 10_000**exponents))
    query = randn(len(POSITIONS), 3, 64)  # (tokens, heads, head)
    expected = turned(query, angles(frequencies(rotary_dim))[:, None], interleaved=not neox)
    close(apply_rotary(query, *table, interleaved=not neox, seq_dim=-3), expected)


@pytest.mark.parametrize("factor", [1.0, 4.0, 8.5])
def test_linear(factor):
    """linear_scaling_rope.py at 0f17ee0: the positions are divided, not the frequencies."""
    table = rotary_cos_sin(POSITIONS, 64, scaling=LinearScaling(factor), dtype=F64)
    same_table(table, angles(frequencies(64), POSITIONS.double() / factor))


def test_ntk():
    """ntk_scaling_rope.py at 03587f5: only the last pair is slowed as by NTKScaling."""
    factor, dim = 4.0, 64
    fixed = frequencies(dim, 10_000 * factor) / factor ** (2 / dim)
    a = math.log(factor) / (dim / 2) ** 0.625
    mixed = frequencies(dim) / torch.exp(a * torch.arange(1, dim // 2 + 1, dtype=F64) ** 0.625)
    for own in (fixed, mixed):
        same_table(rotary_cos_sin(POSITIONS, dim, frequencies=own, dtype=F64), angles(own))
        close(own[-1], NTKScaling(factor).inverse_frequencies(dim)[-1])


@pytest.mark.parametrize("alpha", [1.0, 1000.0])
def test_ntk_alpha(alpha):
    """dynamic_ntk_alpha_rope.py at a42938c, for Hunyuan: not dynamic at all."""
    table = rotary_cos_sin(POSITIONS, 128, scaling=NTKScaling(alpha), dtype=F64)
    same_table(table, angles(frequencies(128, 10_000 * alpha ** (128 / 126))))


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_dynamic_ntk(factor):
    """dynamic_ntk_scaling_rope.py at 50feac9: as for a text ``factor`` times the trained length."""
    trained = 2048
    longest = trained * factor
    base = 10_000 * (factor * longest / trained - (factor - 1)) ** (64 / 62)
    scaling = DynamicNTKScaling(factor, trained)
    table = rotary_cos_sin(POSITIONS, 64, scaling=scaling, seq_len=int(longest), dtype=F64)
    same_table(table, angles(frequencies(64, base)))


@pytest.mark.parametrize(
    ("dim", "base", "trained", "options"),
    [(128, 1e6, 32_768, {}),
     (64, 150_000, 4096, {"truncate": False}),
     (64, 1e4, 4096, {"fast": 64, "slow": 2}),
     (64, 1e4, 131_072, {}),
     (64, 1e4, 128, {})],
)  # fmt: skip
def test_yarn(dim, base, trained, options):
    """yarn_scaling_rope.py at 0cd5784, common.py at 1593f0c: as in Qwen 2.5, in gpt-oss, with other
    bounds, with a blend that would end beyond the last pair, or begin before the first."""
    theirs = angles(yarn_frequencies(dim, base, 32, trained, **options))
    names = {"fast": "beta_fast", "slow": "beta_slow", "truncate": "truncate"}
    own = {names[name]: value for name, value in options.items()}
    for settings, factor in (
        ({}, 0.1 * math.log(32) + 1),
        ({"attention_factor": 1.25}, 1.25),
        # apply_yarn_scaling=False, at ffdc985
        ({"attention_factor": 1.0}, 1.0),
        # telechat3_scaling_rope.py at d5a17e0
        ({"attention_factor": 0.07 * math.log(32) + 1}, 0.07 * math.log(32) + 1),
    ):
        scaling = YarnScaling(32, trained, **own, **settings)
        table = rotary_cos_sin(POSITIONS, dim, base, scaling=scaling, dtype=F64)
        same_table(table, theirs, factor)


@pytest.mark.parametrize(
    ("mscale", "mscale_all_dim"), [(1.0, 1.0), (0.707, 0.707), (1.0, 0.4), (0.707, 0.0)]
)
def test_deepseek_yarn(mscale, mscale_all_dim):
    """deepseek_scaling_rope.py at 00d678e: 64 features of a head, two factors of attention."""
    factor = (0.1 * mscale * math.log(40) + 1) / (0.1 * mscale_all_dim * math.log(40) + 1)
    # A mscale_all_dim of 0 stands for none, which leaves only the attention factor to be given.
    own = ({"mscale": mscale, "mscale_all_dim": mscale_all_dim} if mscale_all_dim
           else {"attention_factor": 0.1 * mscale * math.log(40) + 1})  # fmt: skip
    scaling = YarnScaling(40, 4096, **own)
    table = rotary_cos_sin(POSITIONS, 64, scaling=scaling, dtype=F64)
    same_table(table, angles(yarn_frequencies(64, 10_000, 40, 4096)), factor)


@pytest.mark.parametrize("long", [True, False])
@pytest.mark.parametrize(
    "mscales", [(None, None), (1.243163121016122, 1.243163121016122), (1.1, 1.3)]
)
def test_phi_3_longrope(long, mscales):
    """phi3_long_rope_scaled_rope.py at 17d618b, with Phi-3.5-MoE's two attention factors."""
    trained, longest = 4096, 131_072
    short_factor = torch.linspace(1, 3, 48, dtype=F64).tolist()
    long_factor = torch.linspace(1, 64, 48, dtype=F64).tolist()
    own = torch.tensor(long_factor if long else short_factor, dtype=F64)
    both = math.sqrt(1 + math.log(longest / trained) / math.log(trained))
    factor = mscales[long] or both
    given = mscales[0] is not None
    scaling = LongRopeScaling(
        short_factor,
        long_factor,
        trained,
        factor=None if given else longest / trained,
        attention_factor=mscales[0],
        long_attention_factor=mscales[1],
    )
    # All positions below the trained length, as for a short text where long ones are allowed.
    positions = torch.arange(0, trained, 7)
    length = longest if long else trained
    table = rotary_cos_sin(positions, 96, scaling=scaling, seq_len=length, dtype=F64)
    same_table(table, angles(frequencies(96) / own, positions), factor)


@pytest.mark.parametrize(
    ("factor", "low", "high"), [(8.0, 1.0, 4.0), (32.0, 1.0, 4.0), (16.0, 1.0, 1.0)]
)
def test_llama_3(factor, low, high):
    """llama3_rope.py at 045d757; Llama 4's equal factors are a step."""
    own, trained = frequencies(128, 500_000), 8192
    length = 2 * math.pi / own
    smooth = (trained / length - low) / (high - low) if low != high else 0
    blend = (1 - smooth) * own / factor + smooth * own
    slow = torch.where(length > trained / low, own / factor, blend)
    theirs = torch.where(length < trained / high, own, slow)
    scaling = Llama3Scaling(factor, low, high, trained)
    table = rotary_cos_sin(POSITIONS, 128, 500_000, scaling=scaling, dtype=F64)
    same_table(table, angles(theirs))


def test_gemma_4_proportional():
    """gemma4_rope.py at 41c5903: frequency 0 for the pairs that stand still."""
    head, turning = 512, 64  # of 256 pairs
    own = torch.cat((frequencies(head, 1e6)[:turning], torch.zeros(256 - turning, dtype=F64)))
    scaling = ProportionalScaling(0.25)
    table = rotary_cos_sin(POSITIONS, head, 1e6, scaling=scaling, dtype=F64)
    same_table(table, angles(own))


def test_dual_chunk_attention():
    """dual_chunk_rope.py at 07b1349: five tables, which are five lists of positions."""
    chunk, local = 48, 16
    length = chunk - local
    tokens = torch.arange(100)
    own = frequencies(16)
    for positions in (
        tokens % length,  # keys, and queries to keys of their chunk
        (tokens % length + length).clamp(max=chunk),  # queries to keys of the chunk before
        torch.full_like(tokens, min(2 * length - 1, chunk)),  # to keys of all others
        tokens % length + length,
        tokens % length + chunk,
    ):
        same_table(rotary_cos_sin(positions, 16, dtype=F64), angles(own, positions))

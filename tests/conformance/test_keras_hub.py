"""KerasHub: the numbers that its own tests expect, and its formulas.

github.com/keras-team/keras-hub at 71453d0: keras_hub/src/layers/modeling/{rotary_embedding,
alibi_bias,sine_position_encoding}.py with their tests, keras_hub/src/models/llama/
llama_rotary_embedding.py, .../phi3/phi3_rotary_embedding.py, .../gemma4/gemma4_attention.py and
.../qwen3_5/qwen3_5_attention.py.

Half-split throughout. Two things are defined otherwise there than in pe_lib:

- "yarn" ends the blend at the last pair, dim/2 - 1, where the authors' code and pe_lib have
  dim - 1, does not round its bounds by default, and with ``truncate`` moves all positions beyond
  the trained length back to it. It is compared where none of that matters.
- "dynamic" divides all frequencies by ``factor ** (dim / (dim - 2))``, where it ought to multiply
  the base by it: it is LinearScaling of that factor.
"""

import math

import numpy as np
import pytest
import torch

from pe_lib import (
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    YarnScaling,
    alibi_bias,
    apply_rotary,
    mrope_cos_sin,
    rotary_cos_sin,
    sinusoidal_encoding,
)
from tests.conformance.reference import close, frequencies, same_table, turned
from tests.helpers import F64, randn

POSITIONS = torch.arange(0, 4096, 7)


def rounded(result, expected):
    """Equal to the digits that its tests give, which come from float32."""
    torch.testing.assert_close(result, torch.tensor(expected), rtol=0, atol=3e-7)


def angles(own, positions=POSITIONS):
    return positions.double()[:, None] * own


def test_the_rotation_of_ones_that_its_test_expects():
    rotated = apply_rotary(torch.ones(4, 6), *rotary_cos_sin(4, 6))
    assert rotated[0].tolist() == [1, 1, 1, 1, 1, 1]
    expected = torch.tensor([-1.1311, 0.8515, 0.9935, -0.8489, 1.1291, 1.0064])
    torch.testing.assert_close(rotated[3], expected, rtol=0, atol=5e-5)


@pytest.mark.parametrize(
    ("factor", "position", "expected"),
    [(2.0, 0, [1.0, 1.0, 1.0, 1.0]),
     (2.0, 1, [0.398157001, 0.994987488, 1.357008100, 1.004987478]),
     (2.0, 2, [-0.301168621, 0.989950180, 1.381773233, 1.009949803]),
     (5.0, 12, [-1.412856817, 0.975714266, -0.061930716, 1.023709655])],
)  # fmt: skip
def test_linear_scaling_that_its_tests_expect(factor, position, expected):
    tables = rotary_cos_sin(torch.tensor([position]), 4, scaling=LinearScaling(factor))
    rounded(apply_rotary(torch.ones(1, 4), *tables)[0], expected)


def test_positions_of_each_text_that_its_test_expects():
    """Only the last token, the one at position 1, is turned at all."""
    x = np.random.default_rng(0).standard_normal(size=(2, 2, 1, 16)).astype(np.float32)
    tables = rotary_cos_sin(torch.tensor([[0, 0], [0, 1]]), 16)
    rotated = apply_rotary(torch.from_numpy(x), *tables, seq_dim=-3)
    still = torch.from_numpy(x).flatten(0, 1)[:3, 0]
    assert rotated.flatten(0, 1)[:3, 0].equal(still)
    assert still[0, :3].tolist() == pytest.approx([0.12573022, -0.13210486, 0.64042264])
    expected = [0.611709595, 1.03343689, 0.47380957, -1.18679309,
                -8.96309502e-05, 0.660170913, -1.29010022, 0.395278841,
                1.74827969, 1.07050526, -1.14252377, -0.699575782,
                -0.436457992, -1.1677202, 1.73807859, -0.495785743]  # fmt: skip
    rounded(rotated[1, 1, 0], expected)


@pytest.mark.parametrize(
    ("heads", "max_bias", "expected"),
    [(8, 8, [1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125]),
     (14, 8, [1, 0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.0078125,
              1.4142135, 0.70710677, 0.35355338, 0.17677669, 0.08838835, 0.04419417]),
     (2, 12, [0.03125, 0.00048828]),
     (3, 6, [0.25, 0.03125, 0.70710677])],
)  # fmt: skip
def test_alibi_that_its_tests_expect(heads, max_bias, expected):
    """One query and three keys: its tests give twice the slope, the slope and 0 for every head."""
    bias = alibi_bias(heads, 1, 3, max_bias=max_bias)
    slopes = torch.tensor(expected) / 2
    rounded(bias[:, 0], torch.stack((-2 * slopes, -slopes, 0 * slopes), dim=-1).tolist())


def test_alibi_gives_the_same_attention():
    """It adds the last query's row to all queries: in each row another constant, and the same
    softmax."""
    theirs = alibi_bias(3, 1, 6, dtype=F64, max_bias=6).expand(3, 6, 6)
    ahead = torch.ones(6, 6).triu(1).bool()
    scores = randn(3, 6, 6)
    expected = (scores + theirs.masked_fill(ahead, -math.inf)).softmax(-1)
    close((scores + alibi_bias(3, 6, dtype=F64, max_bias=6)).softmax(-1), expected)


def test_sine_encoding_that_its_tests_expect():
    """Its digits are cut off after the fifth, not rounded."""
    rows = sinusoidal_encoding(4, 6)
    assert rows[0].tolist() == [0, 1, 0, 1, 0, 1]
    expected = torch.tensor([0.14112, -0.98999, 0.13879, 0.99032, 0.00646, 0.99997])
    torch.testing.assert_close(rows[3], expected, rtol=0, atol=1e-5)
    row = sinusoidal_encoding(torch.tensor([[0, 1], [1, 0]]), 4)
    expected = torch.tensor([0.84147, 0.54030, 0.009999, 0.99995])
    assert row[0, 0].tolist() == row[1, 1].tolist() == [0, 1, 0, 1]
    assert row[0, 1].equal(row[1, 0])
    torch.testing.assert_close(row[0, 1], expected, rtol=0, atol=1e-5)


@pytest.mark.parametrize("factor", [1.0, 4.0])
def test_dynamic_is_linear_scaling(factor):
    theirs = frequencies(64) / factor ** (64 / 62)
    scaling = LinearScaling(factor ** (64 / 62))
    same_table(rotary_cos_sin(POSITIONS, 64, scaling=scaling, dtype=F64), angles(theirs))


@pytest.mark.parametrize(("truncate", "theta"), [(True, 10_000), (False, 150_000)])
def test_yarn(truncate, theta):
    """Its bounds for gpt-oss, which are not rounded, and for dim 128 rounded ones."""
    factor, trained, dim = 32.0, 4096, 128 if truncate else 64

    def pair(turns):
        return dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(theta))

    low, high = pair(32.0), pair(1.0)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    assert 0 < low < high < dim / 2 - 1
    ramp = ((torch.arange(dim // 2, dtype=F64) - low) / (high - low)).clamp(0, 1)
    kept = frequencies(dim, theta)
    theirs = angles(kept / factor * ramp + kept * (1 - ramp))
    scaling = YarnScaling(factor, trained, truncate=truncate)
    table = rotary_cos_sin(POSITIONS, dim, theta, scaling=scaling, dtype=F64)
    same_table(table, theirs, 0.1 * math.log(factor) + 1)


@pytest.mark.parametrize("factor", [8.0, 32.0])
def test_llama(factor):
    low, high, trained = 1.0, 4.0, 8192
    own = frequencies(128, 500_000)
    wavelength = 2 * math.pi / own
    slowed = torch.where(wavelength > trained / low, own / factor, own)
    share = (trained / wavelength - low) / (high - low)
    smooth = (1 - share) * slowed / factor + share * slowed
    between = (wavelength >= trained / high) & (wavelength <= trained / low)
    theirs = angles(torch.where(between, smooth, slowed))
    scaling = Llama3Scaling(factor, low, high, trained)
    same_table(rotary_cos_sin(POSITIONS, 128, 500_000, scaling=scaling, dtype=F64), theirs)


@pytest.mark.parametrize("length", [64, 65])
def test_phi_3(length):
    """The longer list is for texts longer than the trained length of 64."""
    short, long = [1.0, 1.1, 1.3, 1.7], [1.2, 2.5, 9.0, 33.0]
    theirs = frequencies(8) / torch.tensor(long if length > 64 else short, dtype=F64)
    scaling = LongRopeScaling(short, long, 64, factor=2048 / 64)
    table = rotary_cos_sin(length, 8, scaling=scaling, dtype=F64)
    factor = math.sqrt(1 + math.log(2048 / 64) / math.log(64))
    same_table(table, angles(theirs, torch.arange(length)), factor)


def test_gemma_4_turns_the_first_quarter_of_each_half():
    """The exponents are those of the whole head; the pairs that it leaves out stand still here."""
    x = randn(len(POSITIONS), 16)
    table = rotary_cos_sin(POSITIONS, 16, 1e6, scaling=ProportionalScaling(0.25), dtype=F64)
    a, b = x.unflatten(-1, (2, 8)).split((2, 6), dim=-1)
    turning = turned(a.flatten(-2), angles(frequencies(16, 1e6)[:2]), interleaved=False)
    expected = torch.cat((turning.unflatten(-1, (2, 2)), b), dim=-1).flatten(-2)
    close(apply_rotary(x, *table), expected)


def test_qwen_3_5():
    """Of 32 pairs every third one, from the second on, is height, every third from the third on
    width, as far as their sections go; only the first quarter of a head is rotated."""
    sections = (11, 11, 10)
    ids = torch.stack([torch.randperm(9) + 20 * axis for axis in range(3)])[:, None]
    axis = [1 if i % 3 == 1 and i < 3 * sections[1] else 2 if i % 3 == 2 and i < 3 * sections[2]
            else 0 for i in range(32)]  # fmt: skip
    theirs = ids[axis, 0].T * frequencies(64, 1e7)
    table = mrope_cos_sin(ids, 64, sections, 1e7, sections_interleaved=True, dtype=F64)
    same_table(table, theirs[None])
    x = randn(1, 2, 9, 256)
    close(apply_rotary(x, *table), turned(x, theirs, interleaved=False))

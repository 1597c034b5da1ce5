"""YaRN's details: which pairs are kept, blended and slowed, and by how much attention sharpens."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

import pe_lib
from pe_lib import YarnScaling
from tests.helpers import exact_frequencies

mp.dps = 40


def slowed(scaling, dim, theta=10_000.0):
    """How many times slower every pair turns."""
    return pe_lib.inverse_frequencies(dim, theta) / scaling.inverse_frequencies(dim, theta)


def pair_of_turns(turns, dim, theta, original):
    """The pair whose wavelength fits so many times into the trained length."""
    return dim * mp.log(original / (2 * mp.pi * turns)) / (2 * mp.log(theta))


@pytest.mark.parametrize("truncate", [True, False])
@pytest.mark.parametrize(
    ("dim", "theta", "original", "fast", "slow"),
    [
        (128, 10_000, 4096, 32, 1),
        (64, 150_000, 4096, 32, 1),
        (128, 1_000_000, 32_768, 16, 2.5),
        (8, 10, 400, 32, 1),  # the upper bound is the released models' dim - 1
        (64, 10_000, 100, 32, 1),  # the lower bound is the first pair
    ],
)
def test_the_blend_is_linear_between_the_two_bounds(dim, theta, original, fast, slow, truncate):
    low = pair_of_turns(fast, dim, theta, original)
    high = pair_of_turns(slow, dim, theta, original)
    if truncate:
        low, high = mp.floor(low), mp.ceil(high)
    low, high = max(low, 0), min(high, dim - 1)
    expected = []
    for i, frequency in enumerate(exact_frequencies(dim, theta)):
        share = min(max((i - low) / (high - low), 0), 1)
        expected.append(float(frequency * (1 - share) + frequency * share / 8))
    scaling = YarnScaling(8, original, beta_fast=fast, beta_slow=slow, truncate=truncate)
    torch.testing.assert_close(
        scaling.inverse_frequencies(dim, theta),
        torch.tensor(expected, dtype=torch.float64), rtol=1e-13, atol=0,
    )  # fmt: skip


def test_numbers_of_llama_2():
    """Peng et al.'s model: L = 4096, 128 features, 16 times longer."""
    factors = slowed(YarnScaling(16.0, 4096), 128)
    assert (factors[:21] == 1).all()
    assert 1 < factors[21] < factors[45] < 16
    assert (factors[46:] == 16).all()


@given(st.floats(1, 100), st.integers(1, 1 << 20), st.floats(2, 1e8), st.booleans())
def test_never_faster_nor_slower_than_the_factor(factor, original, theta, truncate):
    factors = slowed(YarnScaling(factor, original, truncate=truncate), 64, theta)
    assert factors.min() >= 1 - 1e-15
    assert factors.max() <= factor * (1 + 1e-15)
    assert (factors.diff() >= -1e-12).all()  # slow pairs are slowed most


@pytest.mark.parametrize("truncate", [True, False])
def test_all_pairs_fast_or_all_slow(truncate):
    """The bounds are beyond the head's pairs; clamping them must not turn the blend around."""
    fast = YarnScaling(4.0, 1 << 20, truncate=truncate)
    assert (slowed(fast, 64, theta=10.0) == 1).all()
    slow = YarnScaling(4.0, 2, truncate=truncate)
    torch.testing.assert_close(slowed(slow, 64), torch.full((32,), 4.0, dtype=torch.float64))


def test_equal_bounds_make_a_step():
    scaling = YarnScaling(4.0, 4096, beta_fast=8, beta_slow=8, truncate=False)
    border = float(pair_of_turns(8, 64, 10_000, 4096))
    factors = slowed(scaling, 64)
    assert (factors[: math.floor(border) + 1] == 1).all()
    assert (factors[math.floor(border) + 1 :] == 4).all()


def test_equal_bounds_at_a_pair_keep_it():
    """Within 6 positions the first pair turns 0.95 times: both bounds are rounded to it."""
    factors = slowed(YarnScaling(4.0, 6), 64)
    assert factors.tolist() == [1.0] + 31 * [4.0]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, 0.1 * math.log(40) + 1),
        ({"attention_factor": 1}, 1.0),  # replaces the formula, is not multiplied by it
        ({"attention_factor": 1.25}, 1.25),
        ({"mscale": 1.0, "mscale_all_dim": 1.0}, 1.0),  # DeepSeek V3
        ({"mscale": 0.707, "mscale_all_dim": 0.707}, 1.0),  # DeepSeek V2
        (
            {"mscale": 2, "mscale_all_dim": 0.5},
            (0.2 * math.log(40) + 1) / (0.05 * math.log(40) + 1),
        ),
    ],
)
def test_attention_factor(options, expected):
    scaling = YarnScaling(40, 4096, **options)
    assert scaling.attention_scaling == pytest.approx(expected, rel=1e-15)
    assert type(scaling.attention_scaling) is float


def test_no_stretching_changes_nothing():
    scaling = YarnScaling(1, 4096)
    torch.testing.assert_close(
        scaling.inverse_frequencies(64), pe_lib.inverse_frequencies(64), rtol=1e-15, atol=0
    )
    assert scaling.attention_scaling == 1


def test_short_texts_change_too():
    plain, _ = pe_lib.rotary_cos_sin(8, 64)
    scaled, _ = pe_lib.rotary_cos_sin(8, 64, scaling=YarnScaling(4.0, 4096))
    assert (scaled[0] / plain[0]).unique().item() == pytest.approx(0.1 * math.log(4) + 1)
    assert scaled[7, -1] / scaled[0, -1] > plain[7, -1] / plain[0, -1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"mscale_all_dim": 1.0},
            "mscale: expected both mscale and mscale_all_dim or neither, "
            "got mscale=None, mscale_all_dim=1.0",
        ),
        (
            {"mscale": 1.0, "mscale_all_dim": 1.0, "attention_factor": 1.5},
            "attention_factor: expected None beside mscale and mscale_all_dim, which say the same "
            "in another way, got 1.5",
        ),
        (
            {"beta_slow": 33},
            "beta_fast: expected at least beta_slow = 33, got 32.0",
        ),
    ],
)
def test_contradictions_are_named(options, message):
    with pytest.raises(ValueError) as caught:
        YarnScaling(4.0, 4096, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize("theta", [1, 0.5])
def test_theta_above_one(theta):
    """Otherwise later pairs are not slower, and no pair belongs to a number of turns."""
    with pytest.raises(ValueError) as caught:
        YarnScaling(4.0, 4096).inverse_frequencies(8, theta)
    assert str(caught.value) == f"theta: expected a number > 1 for YarnScaling, got {theta}"

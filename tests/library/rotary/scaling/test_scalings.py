"""The scalings against their papers' formulas, and what holds for all of them."""

import copy
import dataclasses
import math
import pickle

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import pe_lib
from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    ProportionalScaling,
    YarnScaling,
)
from pe_lib.rotary.scaling.base import Scaling
from tests.helpers import compiled, exact_frequencies

mp.dps = 40
DIMS = st.integers(1, 40).map(lambda pairs: 2 * pairs)
THETAS = st.floats(1.5, 1e8)
FACTORS = st.floats(1, 64)
LENGTHS = st.integers(1, 200_000)
SHORT, LONG = (0.9, 1.0, 1.25, 1.5), (1, 2.5, 8.0, 16.0)
SCALINGS = [
    LinearScaling(4),
    NTKScaling(4.0),
    DynamicNTKScaling(2.0, 1024),
    YarnScaling(4.0, 2048),
    LongRopeScaling(SHORT, LONG, 1024, factor=8),
    Llama3Scaling(8.0, 1.0, 4.0, 8192),
    ProportionalScaling(0.5),
]
every_scaling = pytest.mark.parametrize("scaling", SCALINGS, ids=lambda s: type(s).__name__)


def close(frequencies, expected):
    """Equal to within the rounding of a float64 power: its exponent is off by half an ulp."""
    assert frequencies.dtype == torch.float64
    expected = torch.tensor([float(w) for w in expected], dtype=torch.float64)
    torch.testing.assert_close(frequencies, expected, rtol=1e-13, atol=0)


@given(DIMS, THETAS, FACTORS)
def test_linear_divides_every_frequency(dim, theta, factor):
    expected = [w / mpf(factor) for w in exact_frequencies(dim, theta)]
    close(LinearScaling(factor).inverse_frequencies(dim, theta), expected)


@given(DIMS.filter(lambda dim: dim > 2), THETAS, FACTORS)
def test_ntk_has_a_larger_base(dim, theta, factor):
    frequencies = NTKScaling(factor).inverse_frequencies(dim, theta)
    close(frequencies, exact_frequencies(dim, mpf(theta) * mpf(factor) ** (mpf(dim) / (dim - 2))))
    slowed = pe_lib.inverse_frequencies(dim, theta) / frequencies
    assert slowed[0] == 1
    assert slowed[-1].item() == pytest.approx(factor, rel=1e-14)


@given(DIMS.filter(lambda dim: dim > 2), THETAS, FACTORS, LENGTHS, LENGTHS)
def test_dynamic_ntk_grows_with_the_text(dim, theta, factor, original, seq_len):
    frequencies = DynamicNTKScaling(factor, original).inverse_frequencies(dim, theta, seq_len)
    stretch = mpf(factor) * max(seq_len, original) / original - (mpf(factor) - 1)
    close(frequencies, exact_frequencies(dim, mpf(theta) * stretch ** (mpf(dim) / (dim - 2))))


@given(DIMS, THETAS, FACTORS, st.integers(1, 2048))
def test_dynamic_ntk_leaves_short_texts_alone(dim, theta, factor, seq_len):
    scaling = DynamicNTKScaling(factor, 2048)
    unscaled = pe_lib.inverse_frequencies(dim, theta)
    assert torch.equal(scaling.inverse_frequencies(dim, theta, seq_len), unscaled)
    assert torch.equal(scaling.inverse_frequencies(dim, theta), unscaled)


@given(DIMS, THETAS, FACTORS, st.floats(0.5, 4), st.floats(0.1, 30), LENGTHS)
def test_llama3_goes_by_the_number_of_turns(dim, theta, factor, low, step, original):
    high = low + step
    expected = []
    for w in exact_frequencies(dim, theta):
        turns = original * w / (2 * mp.pi)
        kept = min(max((turns - mpf(low)) / (mpf(high) - mpf(low)), 0), 1)
        expected.append((1 - kept) * w / mpf(factor) + kept * w)
    scaling = Llama3Scaling(factor, low, high, original)
    result = scaling.inverse_frequencies(dim, theta)
    expected = torch.tensor([float(w) for w in expected], dtype=torch.float64)
    # The difference turns - low loses digits: as many as turns / step and the factor have.
    torch.testing.assert_close(result, expected, rtol=1e-9, atol=0)


@given(DIMS, st.floats(0, 1), FACTORS)
def test_proportional_stops_the_slow_pairs(dim, share, factor):
    turning = math.floor(share * dim / 2)
    expected = [w / mpf(factor) for w in exact_frequencies(dim, 10_000)[:turning]]
    frequencies = ProportionalScaling(share, factor).inverse_frequencies(dim)
    close(frequencies, expected + [0] * (dim // 2 - turning))


@every_scaling
def test_a_scaling_is_a_value(scaling):
    fields = {f.name: getattr(scaling, f.name) for f in dataclasses.fields(scaling)}
    for twin in (
        type(scaling)(**fields),
        eval(repr(scaling), vars(pe_lib)),
        pickle.loads(pickle.dumps(scaling)),
        copy.deepcopy(scaling),
    ):
        assert twin == scaling
        assert hash(twin) == hash(scaling)
    assert isinstance(scaling, Scaling)
    assert len({*SCALINGS, scaling}) == len(SCALINGS)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(scaling, next(iter(fields)), 3)


@every_scaling
def test_frequencies_are_made_in_float64_on_the_cpu(scaling):
    plain = scaling.inverse_frequencies(8, 500.0, 4096)
    with torch.device("meta"):
        elsewhere = scaling.inverse_frequencies(8, 500.0, 4096)
    assert torch.equal(elsewhere, plain)
    assert plain.dtype == torch.float64
    assert plain.shape == (4,)


@every_scaling
@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.parametrize("backend", ["eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_a_scaling_compiles_whole(scaling, backend):
    def cos(positions, seq_len):
        return pe_lib.rotary_cos_sin(positions, 8, scaling=scaling, seq_len=seq_len)[0]

    fast = compiled(cos, backend)
    for length in (5, 1024, 1025, 3000):
        positions = torch.arange(length)
        expected = cos(positions, length)
        torch.testing.assert_close(fast(positions, length), expected, rtol=0, atol=1e-6)


@every_scaling
def test_theta_is_ten_thousand_unless_told(scaling):
    default = scaling.inverse_frequencies(8)
    assert torch.equal(default, scaling.inverse_frequencies(8, 10_000.0))
    assert not torch.equal(default, scaling.inverse_frequencies(8, 10_001.0))


@every_scaling
def test_only_dynamic_scalings_look_at_the_length(scaling):
    same = torch.equal(
        scaling.inverse_frequencies(8, seq_len=1), scaling.inverse_frequencies(8, seq_len=100_000)
    )
    assert scaling.needs_seq_len is not same


@every_scaling
def test_rotary_uses_frequencies_and_attention_factor(scaling):
    positions = torch.tensor([[0, 1, 5], [700, 2999, -3]])
    cos, sin = pe_lib.rotary_cos_sin(positions, 8, 500.0, scaling=scaling, dtype=torch.float64)
    angles = positions[..., None] * scaling.inverse_frequencies(8, 500.0, 3000)
    torch.testing.assert_close(cos, angles.cos() * scaling.attention_scaling, rtol=0, atol=1e-12)
    torch.testing.assert_close(sin, angles.sin() * scaling.attention_scaling, rtol=0, atol=1e-12)


def test_rotary_takes_the_length_that_it_is_told():
    scaling = DynamicNTKScaling(2.0, 1024)
    told, _ = pe_lib.rotary_cos_sin(10, 8, scaling=scaling, seq_len=4096, dtype=torch.float64)
    expected = (torch.arange(10)[:, None] * scaling.inverse_frequencies(8, seq_len=4096)).cos()
    torch.testing.assert_close(told, expected, rtol=0, atol=1e-14)
    found, _ = pe_lib.rotary_cos_sin(4096, 8, scaling=scaling, dtype=torch.float64)
    torch.testing.assert_close(found[:10], expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("scaling", [SCALINGS[2], SCALINGS[4]], ids=["dynamic", "longrope"])
@pytest.mark.usefixtures("without_shape_checks")
def test_a_wrong_length_is_named(scaling):
    for value, error, got in (
        (0, ValueError, "0"),
        (2.0, TypeError, "2.0 (float)"),
        (True, TypeError, "True (bool)"),
    ):
        with pytest.raises(error) as caught:
            scaling.inverse_frequencies(8, seq_len=value)
        assert str(caught.value) == f"seq_len: expected an int >= 1, got {got}"


@pytest.mark.parametrize("scaling", [NTKScaling(4.0), DynamicNTKScaling(2.0, 1), YarnScaling(4, 9)])
def test_a_head_of_one_pair(scaling):
    """Its pair is the first one, which turns fast and keeps its frequency."""
    assert scaling.inverse_frequencies(2, seq_len=5).tolist() == [1.0]


@every_scaling
@pytest.mark.usefixtures("without_shape_checks")
def test_dim_and_theta_are_checked(scaling):
    with pytest.raises(ValueError, match=r"^dim: expected an even int >= 2 .*, got 7$"):
        scaling.inverse_frequencies(7)
    with pytest.raises(ValueError, match=r"^theta: expected a finite number > 0, got -1\.0$"):
        scaling.inverse_frequencies(8, -1.0)

"""Tables for frequencies of one's own: other libraries' conventions, scalings, gradients."""

import math
from functools import partial

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
    inverse_frequencies,
    rotary_cos_sin,
    rotary_freqs_cis,
)
from pe_lib.rotary.scaling.base import Scaling
from tests.helpers import F64, compiled, randn

POSITIONS = torch.tensor([[0, 1, 5], [700, 2999, -3]])
OWN = torch.tensor([0.3, 2.0, 0.001, 0.04], dtype=F64)  # in no order
SCALINGS = [
    LinearScaling(4),
    NTKScaling(4.0),
    DynamicNTKScaling(2.0, 1024),
    YarnScaling(4.0, 2048),
    LongRopeScaling([1.0, 1.5, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], 1024, factor=8),
    Llama3Scaling(8.0, 1.0, 4.0, 8192),
    ProportionalScaling(0.5),
]
every_scaling = pytest.mark.parametrize("scaling", SCALINGS, ids=lambda s: type(s).__name__)


def check(tables, angles, factor=1.0):
    for table, expected in zip(tables, (angles.cos(), angles.sin()), strict=True):
        torch.testing.assert_close(table, expected * factor, rtol=0, atol=1e-12)


def test_the_angle_is_position_times_frequency():
    for theta in (10_000.0, 7.0):  # of no account here
        tables = rotary_cos_sin(POSITIONS, 8, theta, frequencies=OWN, dtype=F64)
        check(tables, POSITIONS[..., None] * OWN)


@pytest.mark.parametrize("theta", [50.0, 10_000.0])
def test_the_usual_frequencies_give_the_usual_tables(theta):
    own = inverse_frequencies(8, theta)
    for table, usual in zip(
        rotary_cos_sin(7, 8, frequencies=own), rotary_cos_sin(7, 8, theta), strict=True
    ):
        assert table.dtype == torch.float32
        assert torch.equal(table, usual)


def test_periods_as_mlx_takes_them():
    """``freqs`` of ``mlx.core.fast.rope`` are what a position is divided by."""
    freqs = torch.tensor([1.0, 3.0, 700.0, 4000.0], dtype=F64)
    check(
        rotary_cos_sin(POSITIONS, 8, frequencies=1 / freqs, dtype=F64), POSITIONS[..., None] / freqs
    )


def test_factors_as_ggml_takes_them():
    """``freq_factors`` divide; those in the files of Llama 3.1 are its scaling, written out."""
    factors = []
    for i in range(64):
        wavelength = 2 * math.pi * 500_000 ** (2 * i / 128)
        smooth = min(max((8192 / wavelength - 1) / (4 - 1), 0), 1)
        factors.append(1 / ((1 - smooth) / 8 + smooth))
    assert factors[0] == 1 and factors[-1] == 8
    own = inverse_frequencies(128, 500_000) / torch.tensor(factors, dtype=F64)
    tables = rotary_cos_sin(POSITIONS, 128, frequencies=own, dtype=F64)
    scaling = Llama3Scaling(8.0, 1.0, 4.0, 8192)
    scaled = rotary_cos_sin(POSITIONS, 128, 500_000, scaling=scaling, dtype=F64)
    for table, expected in zip(tables, scaled, strict=True):
        torch.testing.assert_close(table, expected, rtol=0, atol=1e-12)


def test_tables_are_right_at_the_last_position_that_float64_tells_from_the_next():
    """The angles of powers of two are exact there, so cosine and sine are right to rounding."""
    from mpmath import mp

    positions = [2**53, 2**53 - 1, 1 - 2**53]
    own = torch.tensor([1.0, 0.5, 2.0**-30, 2.0**-53], dtype=F64)
    cos, sin = rotary_cos_sin(torch.tensor(positions), 8, frequencies=own, dtype=F64)
    with mp.workdps(40):
        for row, position in enumerate(positions):
            for i, frequency in enumerate(own.tolist()):
                angle = mp.mpf(position) * mp.mpf(frequency)
                assert abs(cos[row, i].item() - mp.cos(angle)) < 2**-52
                assert abs(sin[row, i].item() - mp.sin(angle)) < 2**-52


@every_scaling
def test_a_scaling_stretches_them(scaling):
    tables = rotary_cos_sin(POSITIONS, 8, 500.0, scaling=scaling, frequencies=OWN, dtype=F64)
    stretched = scaling.stretched(OWN, 500.0, 3000)
    assert not torch.equal(stretched, OWN)
    check(tables, POSITIONS[..., None] * stretched, scaling.attention_scaling)


@every_scaling
def test_a_scaling_stretches_the_usual_ones_as_without(scaling):
    usual = scaling.inverse_frequencies(8, 500.0, 3000)
    own = inverse_frequencies(8, 500.0)
    assert torch.equal(scaling.inverse_frequencies(8, 500.0, 3000, frequencies=own), usual)


def test_a_dynamic_scaling_written_out():
    """A text of 3000 positions, four times as long as the training's 750."""
    scaling = DynamicNTKScaling(2.0, 750)
    tables = rotary_cos_sin(POSITIONS, 8, scaling=scaling, frequencies=OWN, dtype=F64)
    slower = [7 ** (i / 3) for i in range(4)]
    check(tables, POSITIONS[..., None] * OWN / torch.tensor(slower, dtype=F64))


class LongerLouder(Scaling):
    """An attention factor that depends on the length."""

    needs_seq_len = True

    def attention_scaling_for(self, seq_len=None):
        return 1.0 if seq_len is None else float(seq_len)


def test_the_attention_factor_is_that_of_the_length():
    angles = torch.arange(3)[:, None] * OWN
    for seq_len, factor in ((None, 3), (1, 1), (50, 50)):
        tables = rotary_cos_sin(
            3, 8, scaling=LongerLouder(), seq_len=seq_len, frequencies=OWN, dtype=F64
        )
        check(tables, angles, factor)


@every_scaling
def test_the_attention_factor_is_the_same_for_all_lengths_where_nothing_else_is_said(scaling):
    assert {scaling.attention_scaling_for(n) for n in (None, 1, 10**6)} == {
        scaling.attention_scaling
    }


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32], ids=str)
def test_angles_of_narrow_frequencies_are_float64(dtype):
    own, positions = OWN.to(dtype), torch.tensor([16_000_001])
    tables = rotary_cos_sin(positions, 8, frequencies=own)
    exact = rotary_cos_sin(positions, 8, frequencies=own.double())
    for table, expected in zip(tables, exact, strict=True):
        assert torch.equal(table, expected)


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")
@pytest.mark.parametrize("scaling", [None, *SCALINGS], ids=lambda s: type(s).__name__)
def test_gradients_reach_frequencies(scaling):
    own = torch.tensor([0.3, 2.0, 0.01, 0.04], dtype=F64, requires_grad=True)
    positions = torch.tensor([0.5, -2.0, 100.25], dtype=F64, requires_grad=True)

    def tables(positions, frequencies):
        return rotary_cos_sin(
            positions, 8, scaling=scaling, seq_len=2000, frequencies=frequencies, dtype=F64
        )

    assert torch.autograd.gradcheck(tables, (positions, own))


def test_a_parameter_learns_in_its_own_dtype():
    own = torch.nn.Parameter(OWN.float())
    cos, _ = rotary_cos_sin(torch.tensor([3]), 8, frequencies=own)
    cos.sum().backward()
    assert own.grad.dtype == torch.float32
    torch.testing.assert_close(own.grad, -3 * (3 * own.detach()).sin(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("scaling", [None, *SCALINGS], ids=lambda s: type(s).__name__)
def test_frequencies_stay_on_their_device(scaling):
    make = partial(rotary_cos_sin, dim=8, scaling=scaling, seq_len=2000)
    with torch.device("meta"):
        tables = make(torch.arange(3), frequencies=torch.ones(4))
        here = make(torch.arange(3, device="cpu"), frequencies=OWN)
    assert {t.device.type for t in tables} == {"meta"}
    for table, expected in zip(here, make(3, frequencies=OWN), strict=True):
        assert torch.equal(table, expected)


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # torch's own, in inductor
@pytest.mark.parametrize("backend", ["eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_compiled(backend):
    def cos(positions, frequencies):
        return rotary_cos_sin(
            positions, 8, scaling=SCALINGS[1], seq_len=5, frequencies=frequencies
        )[0]

    fast = compiled(cos, backend)
    for own in (OWN, OWN.float()):
        expected = cos(torch.arange(5), own)
        torch.testing.assert_close(fast(torch.arange(5), own), expected, rtol=0, atol=1e-6)


def test_as_complex_numbers():
    options = {"scaling": SCALINGS[4], "frequencies": randn(4)}
    for seq_len in (None, 2000):
        turns = rotary_freqs_cis(7, 8, **options, seq_len=seq_len, dtype=torch.complex128)
        cos, sin = rotary_cos_sin(7, 8, **options, seq_len=seq_len, dtype=F64)
        assert torch.equal(turns, torch.complex(cos, sin))
    assert not torch.equal(turns, rotary_freqs_cis(7, 8, **options, dtype=torch.complex128))
    scaled = rotary_freqs_cis(7, 8, 50.0, scaling=SCALINGS[0], dtype=torch.complex128)
    quarter = rotary_freqs_cis(torch.arange(7) / 4, 8, 50.0, dtype=torch.complex128)
    torch.testing.assert_close(scaled, quarter, rtol=0, atol=1e-15)

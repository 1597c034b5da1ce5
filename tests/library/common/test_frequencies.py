"""Frequencies and wavelengths: written out, against 40 digits, and what holds for all of them."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

import pe_lib
from tests.helpers import U, exact_frequencies

mp.dps = 40


def test_frequencies_written_out():
    assert pe_lib.inverse_frequencies(6).tolist() == pytest.approx(
        [1.0, 0.0464158883361278, 0.00215443469003188], rel=1e-14
    )
    assert pe_lib.wavelengths(6).tolist() == pytest.approx(
        [6.28318530717959, 135.367123896863, 2916.39627613246], rel=1e-14
    )
    assert pe_lib.wavelengths(128)[[0, 16, 32, 63]].tolist() == pytest.approx(
        [6.28318530717959, 62.8318530717959, 628.318530717959, 54410.1431307767], rel=1e-14
    )


@pytest.mark.parametrize("theta", [10, 10_000, 500_000, 100_000_000])
@pytest.mark.parametrize("dim", [2, 6, 64, 126, 512])
def test_right_to_rounding(dim, theta):
    """Against 40 digits. The exponent is rounded once, and pow is right to an ulp; of a wavelength
    pi and the division are rounded too."""
    frequencies = pe_lib.inverse_frequencies(dim, theta).tolist()
    wavelengths = pe_lib.wavelengths(dim, theta).tolist()
    for i, exact in enumerate(exact_frequencies(dim, theta)):
        relative = (2 * i / dim * math.log(theta) + 2) * U
        assert abs(mpf(frequencies[i]) - exact) <= relative * exact
        wavelength = 2 * mp.pi / exact
        assert abs(mpf(wavelengths[i]) - wavelength) <= (relative + 2 * U) * wavelength


@given(st.integers(1, 40).map(lambda pairs: 2 * pairs), st.floats(1.5, 1e8))
def test_frequencies_fall_from_one_and_wavelengths_grow(dim, theta):
    frequencies = pe_lib.inverse_frequencies(dim, theta)
    assert frequencies.shape == (dim // 2,)
    assert frequencies.dtype == torch.float64
    assert frequencies[0] == 1
    assert (frequencies.diff() < 0).all()
    torch.testing.assert_close(
        frequencies * pe_lib.wavelengths(dim, theta),
        torch.full((dim // 2,), 2 * math.pi, dtype=torch.float64),
        rtol=1e-15,
        atol=0,
    )


@pytest.mark.parametrize("theta", [3, 2**70])
def test_a_base_of_any_kind_and_size_is_a_number(theta):
    same = pe_lib.inverse_frequencies(8, float(theta))
    assert torch.equal(pe_lib.inverse_frequencies(8, theta), same)


def test_on_the_cpu_whatever_the_default_device():
    with torch.device("meta"):
        assert pe_lib.inverse_frequencies(8).device.type == "cpu"
        assert pe_lib.wavelengths(8).device.type == "cpu"

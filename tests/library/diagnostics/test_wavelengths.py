"""Wavelengths measured in waves whose wavelength is known."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import measured_wavelengths, sinusoidal_encoding, wavelengths
from tests.helpers import F64, randn


@pytest.mark.parametrize("length", [3, 4, 100, 1000])
def test_sinusoidal_wavelengths_from_any_part_of_a_turn(length):
    expected = wavelengths(128).repeat_interleave(2)
    table = sinusoidal_encoding(torch.arange(length) + 1234, 128, dtype=F64)
    measured = measured_wavelengths(table)
    torch.testing.assert_close(measured, expected, rtol=2e-5, atol=0)
    if length >= 100:
        torch.testing.assert_close(measured, expected, rtol=1e-9, atol=0)


@given(st.floats(2.1, 5000), st.floats(0, 7), st.floats(0.01, 100))
def test_a_wave_of_any_phase_and_height(wavelength, phase, height):
    p = torch.arange(50, dtype=F64)
    column = height * (p * 2 * math.pi / wavelength + phase).sin()
    measured = measured_wavelengths(column[:, None]).item()
    assert measured == pytest.approx(wavelength, rel=1e-5)


@pytest.mark.parametrize(
    ("column", "wavelength"),
    [
        ([1, -1, 1, -1, 1], 2),
        ([1, 0, -1, 0, 1, 0], 4),
        ([0, 1, 1, 0, -1, -1, 0], 6),
        ([5, 5, 5, 5], math.inf),
        ([0, 0, 0, 0], math.inf),
        ([0, 1, 2, 3, 4], math.inf),
        ([1, 2, 4, 8], math.inf),
        ([3, -1, 3], 2),
    ],
)
def test_columns_whose_wavelength_is_known(column, wavelength):
    table = torch.tensor(column, dtype=F64)[:, None]
    assert measured_wavelengths(table).tolist() == pytest.approx([wavelength])


def test_a_table_that_says_nothing_has_no_wavelength():
    assert measured_wavelengths(torch.zeros(100, 8)).tolist() == [math.inf] * 8


def test_nan_has_no_wavelength():
    table = torch.tensor([[0.0, math.nan], [1.0, 1.0], [0.0, 0.0]], dtype=F64)
    assert measured_wavelengths(table).tolist() == pytest.approx([4, math.nan], nan_ok=True)


def test_noise_has_a_wavelength_of_about_4():
    assert (measured_wavelengths(randn(5000, 20)) - 4).abs().max() < 0.2

"""A base that grows with the text, against the formula at 40 digits."""

import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import DynamicNTKScaling, inverse_frequencies, rotary_cos_sin
from tests.helpers import exact_frequencies
from tests.library.rotary.scaling.formulas import DIMS, FACTORS, LENGTHS, THETAS, close

mp.dps = 40


@given(DIMS.filter(lambda dim: dim > 2), THETAS, FACTORS, LENGTHS, LENGTHS)
def test_dynamic_ntk_grows_with_the_text(dim, theta, factor, original, seq_len):
    frequencies = DynamicNTKScaling(factor, original).inverse_frequencies(dim, theta, seq_len)
    stretch = mpf(factor) * max(seq_len, original) / original - (mpf(factor) - 1)
    close(frequencies, exact_frequencies(dim, mpf(theta) * stretch ** (mpf(dim) / (dim - 2))))


@given(DIMS, THETAS, FACTORS, st.integers(1, 2048))
def test_dynamic_ntk_leaves_short_texts_alone(dim, theta, factor, seq_len):
    scaling = DynamicNTKScaling(factor, 2048)
    unscaled = inverse_frequencies(dim, theta)
    assert torch.equal(scaling.inverse_frequencies(dim, theta, seq_len), unscaled)
    assert torch.equal(scaling.inverse_frequencies(dim, theta), unscaled)


def test_rotary_takes_the_length_that_it_is_told():
    scaling = DynamicNTKScaling(2.0, 1024)
    told, _ = rotary_cos_sin(10, 8, scaling=scaling, seq_len=4096, dtype=torch.float64)
    expected = (torch.arange(10)[:, None] * scaling.inverse_frequencies(8, seq_len=4096)).cos()
    torch.testing.assert_close(told, expected, rtol=0, atol=1e-14)
    found, _ = rotary_cos_sin(4096, 8, scaling=scaling, dtype=torch.float64)
    torch.testing.assert_close(found[:10], expected, rtol=0, atol=1e-14)

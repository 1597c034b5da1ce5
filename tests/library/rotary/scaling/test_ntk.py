"""A larger base, against the formula at 40 digits."""

import pytest
from hypothesis import given
from mpmath import mp, mpf

from pe_lib import NTKScaling, inverse_frequencies
from tests.helpers import exact_frequencies
from tests.library.rotary.scaling.formulas import DIMS, FACTORS, THETAS, close

mp.dps = 40


@given(DIMS.filter(lambda dim: dim > 2), THETAS, FACTORS)
def test_ntk_has_a_larger_base(dim, theta, factor):
    frequencies = NTKScaling(factor).inverse_frequencies(dim, theta)
    close(frequencies, exact_frequencies(dim, mpf(theta) * mpf(factor) ** (mpf(dim) / (dim - 2))))
    slowed = inverse_frequencies(dim, theta) / frequencies
    assert slowed[0] == 1
    assert slowed[-1].item() == pytest.approx(factor, rel=1e-14)

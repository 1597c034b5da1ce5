"""Every frequency divided, against the formula at 40 digits."""

from hypothesis import given
from mpmath import mp, mpf

from pe_lib import LinearScaling
from tests.helpers import exact_frequencies
from tests.library.rotary.scaling.formulas import DIMS, FACTORS, THETAS, close

mp.dps = 40


@given(DIMS, THETAS, FACTORS)
def test_linear_divides_every_frequency(dim, theta, factor):
    expected = [w / mpf(factor) for w in exact_frequencies(dim, theta)]
    close(LinearScaling(factor).inverse_frequencies(dim, theta), expected)

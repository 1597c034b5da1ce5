"""A part of the pairs turns, against the formula at 40 digits."""

import math

from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import ProportionalScaling
from tests.helpers import exact_frequencies
from tests.library.rotary.scaling.formulas import DIMS, FACTORS, close

mp.dps = 40


@given(DIMS, st.floats(0, 1), FACTORS)
def test_proportional_stops_the_slow_pairs(dim, share, factor):
    turning = math.floor(share * dim / 2)
    expected = [w / mpf(factor) for w in exact_frequencies(dim, 10_000)[:turning]]
    frequencies = ProportionalScaling(share, factor).inverse_frequencies(dim)
    close(frequencies, expected + [0] * (dim // 2 - turning))

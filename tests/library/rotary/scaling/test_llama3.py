"""Slow pairs slowed and fast ones kept, against the formula at 40 digits."""

import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import Llama3Scaling
from tests.helpers import exact_frequencies
from tests.library.rotary.scaling.formulas import DIMS, FACTORS, LENGTHS, THETAS

mp.dps = 40


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

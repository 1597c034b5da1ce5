"""What the tests of the scalings' formulas share: drawn settings, and how exact a frequency is."""

import torch
from hypothesis import strategies as st

DIMS = st.integers(1, 40).map(lambda pairs: 2 * pairs)
THETAS = st.floats(1.5, 1e8)
FACTORS = st.floats(1, 64)
LENGTHS = st.integers(1, 200_000)


def close(frequencies, expected):
    """Equal to within the rounding of a float64 power: its exponent is off by half an ulp."""
    assert frequencies.dtype == torch.float64
    expected = torch.tensor([float(w) for w in expected], dtype=torch.float64)
    torch.testing.assert_close(frequencies, expected, rtol=1e-13, atol=0)

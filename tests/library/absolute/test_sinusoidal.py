"""Exact values: every result against 40-digit arithmetic, and a few numbers written out.

The bounds are derived, not fitted. u = 2**-53 is float64's rounding. A frequency theta**-e has a
relative error of at most (e ln(theta) + 2) u: the exponent e is rounded once, and pow is right to
an ulp (2u). Times the position that is one u more. Sine and cosine carry the angle's error over
and add an ulp (2u). The last rounding, to the dtype, is half an ulp of the dtype, and a little
more for the 16-bit ones, which are rounded by way of float32.
"""

import inspect
import math
from functools import cache

import pytest
import torch
from mpmath import mp, mpf

import pe_lib
from tests.helpers import U, exact_frequencies

POSITIONS = (0, 1, 2, 7, 100, 4097, 65_535, 1_000_003, 16_000_001, -5, 0.5, 1234567.890625)
THETAS = (10, 10_000, 500_000, 100_000_000)
DIMS = (2, 6, 64, 126, 512)
# Digits of the significand, and the smallest number above 0 (0 stands for float32's and float64's).
PRECISION = {
    torch.float16: (11, 2.0**-24),
    torch.bfloat16: (8, 2.0**-133),
    torch.float32: (24, 2.0**-149),
    torch.float64: (53, 2.0**-1074),
}

mp.dps = 40


def split(rows):
    """40-digit numbers as the sum of two float64 tensors (about 32 digits)."""
    high = [[float(value) for value in row] for row in rows]
    low = [
        [float(value - mpf(h)) for value, h in zip(*pair, strict=True)]
        for pair in zip(rows, high, strict=True)
    ]
    return torch.tensor(high, dtype=torch.float64), torch.tensor(low, dtype=torch.float64)


@cache
def exact_encoding(dim, theta):
    """The encoding of POSITIONS, and how far the float64 angles can be away."""
    frequencies = exact_frequencies(dim, theta)
    rows = [[f(mpf(p) * w) for w in frequencies for f in (mp.sin, mp.cos)] for p in POSITIONS]
    bounds = [
        [angle_bound(p, float(frequencies[c // 2]), c // 2 * 2 / dim, theta) for c in range(dim)]
        for p in POSITIONS
    ]
    return *split(rows), torch.tensor(bounds, dtype=torch.float64)


def angle_bound(position, frequency, exponent, theta):
    return abs(position) * frequency * (exponent * math.log(theta) + 3) * U


def half_ulp(values, dtype):
    digits, smallest = PRECISION[dtype]
    _, exponent = torch.frexp(values)  # values = m * 2**exponent, 0.5 <= |m| < 1
    return torch.ldexp(torch.ones_like(values), exponent - digits).clamp_min(smallest) / 2


@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("dtype", PRECISION, ids=str)
def test_encoding_is_right_to_rounding(dim, theta, dtype):
    high, low, angle_error = exact_encoding(dim, theta)
    positions = torch.tensor(POSITIONS, dtype=torch.float64)
    result = pe_lib.sinusoidal_encoding(positions, dim, theta, dtype=dtype)
    assert result.dtype == dtype
    error = ((result.double() - high) - low).abs()
    once_more = 2**-12 if dtype.itemsize == 2 else 0
    bound = half_ulp(high, dtype) * (1 + once_more) + angle_error + 2 * U * high.abs()
    assert (error <= bound).all(), f"{(error / bound).max().item():.3f} of what is allowed"


def test_float32_angles_would_not_do():
    """The bound above is one that plain float32 misses by far: the test can fail."""
    high, _, angle_error = exact_encoding(64, 10_000)
    angles = torch.tensor(POSITIONS, dtype=torch.float32)[:, None] * torch.tensor(
        [float(w) for w in exact_frequencies(64, 10_000)], dtype=torch.float32
    )
    naive = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
    error = (naive.double() - high).abs()[POSITIONS.index(16_000_001)]
    assert error.max() > 0.1
    assert angle_error.max() < 6e-9


@pytest.mark.parametrize("k", [1, -1, 5, 0.25, -1234.5, 16_000_001])
@pytest.mark.parametrize(("dim", "theta"), [(2, 10), (6, 10_000), (128, 500_000)])
def test_shift_matrix(k, dim, theta):
    frequencies = exact_frequencies(dim, theta)
    expected = torch.zeros(dim, dim, dtype=torch.float64)
    bound = torch.zeros(dim, dim, dtype=torch.float64)
    for i, w in enumerate(frequencies):
        cos, sin = float(mp.cos(k * w)), float(mp.sin(k * w))
        block = slice(2 * i, 2 * i + 2)
        expected[block, block] = torch.tensor([[cos, sin], [-sin, cos]], dtype=torch.float64)
        bound[block, block] = angle_bound(k, float(w), 2 * i / dim, theta) + 3 * U
    result = pe_lib.shift_matrix(k, dim, theta)
    assert result.dtype == torch.float64
    assert ((result - expected).abs() <= bound).all()


# Computed with mpmath at 40 digits.
ENCODINGS = [
    (1, 6, 10_000, [0.841470984808, 0.540302305868, 0.0463992234647,
                    0.998922976041, 0.00215443302337, 0.999997679206]),
    (3, 6, 10_000, [0.14112000806, -0.9899924966, 0.13879810108,
                    0.990320699136, 0.00646325907019, 0.999979112923]),
    (-3, 6, 10_000, [-0.14112000806, -0.9899924966, -0.13879810108,
                     0.990320699136, -0.00646325907019, 0.999979112923]),
    (16_000_001, 6, 10_000, [0.999962695362, 0.00863758557813, 0.569618179492,
                             0.821909441235, 0.985888272668, 0.167404640962]),
    (16_000_001, 4, 500_000, [0.999962695362, 0.00863758557813,
                              0.995267688312, -0.0971711304987]),
]  # fmt: skip


@pytest.mark.parametrize(("position", "dim", "theta", "expected"), ENCODINGS)
def test_encodings_written_out(position, dim, theta, expected):
    exact = pe_lib.sinusoidal_encoding(torch.tensor(position), dim, theta, dtype=torch.float64)
    assert exact.tolist() == pytest.approx(expected, rel=0, abs=5e-9)
    assert pe_lib.sinusoidal_encoding(torch.tensor(position), dim, theta).tolist() == (
        pytest.approx(expected, rel=0, abs=4e-8)
    )


def test_shift_by_two_written_out():
    expected = [
        [-0.416146836547, 0.909297426826, 0, 0],
        [-0.909297426826, -0.416146836547, 0, 0],
        [0, 0, 0.999800006667, 0.0199986666933],
        [0, 0, -0.0199986666933, 0.999800006667],
    ]
    assert torch.allclose(
        pe_lib.shift_matrix(2, 4), torch.tensor(expected).double(), rtol=0, atol=1e-7
    )


def test_dot_products_written_out():
    table = pe_lib.sinusoidal_encoding(100, 512, dtype=torch.float64)
    dots = table @ table.T
    for offset, expected in {
        0: 256.0, 1: 249.1020978274, 5: 189.596667681, 10: 173.7897249237, 50: 131.0907610908
    }.items():  # fmt: skip
        assert dots.diagonal(offset).tolist() == pytest.approx([expected] * (100 - offset))


@pytest.mark.parametrize("length", [255, 256, 257, 1000, 4097])
@pytest.mark.parametrize("dim", [2, 6, 64])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32], ids=str)
def test_a_long_table_made_of_sums_of_angles_is_as_exact(monkeypatch, length, dim, dtype):
    exact = pe_lib.sinusoidal_encoding(length, dim, dtype=torch.float64)
    for scratch in (1, 300, 2**16):
        monkeypatch.setitem(
            inspect.unwrap(pe_lib.sinusoidal_encoding).__globals__, "SCRATCH", scratch
        )
        table = pe_lib.sinusoidal_encoding(length, dim, dtype=dtype)
        unit = torch.ldexp(torch.ones_like(exact), exact.frexp().exponent) * torch.finfo(dtype).eps
        assert table.shape == (length, dim)
        assert ((table.double() - exact).abs() <= unit / 4 * (1 + 2**-14) + 1e-12).all()
        assert (table == exact.to(dtype)).double().mean() > 0.999


def test_the_module_makes_the_same_sums_at_an_offset():
    add = pe_lib.SinusoidalPositionalEncoding(64)
    for offset in (0, 5000, 10_000_000, -300):
        positions = torch.arange(1000) + offset
        expected = pe_lib.sinusoidal_encoding(positions, 64)
        found = add(torch.zeros(1000, 64), offset=offset)
        torch.testing.assert_close(found, expected, rtol=0, atol=1e-7)

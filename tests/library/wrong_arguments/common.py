"""Wrong values for the arguments that many public names share, and for the sinusoidal encoding."""

import math

import torch

EVEN = "an even int >= 2"
PAIRS = "an even int >= 2 (features come in pairs)"
POSITIVE = "a finite number > 0"
FINITE = "a finite number"
COUNT = "an int n >= 0 or a real tensor"
DTYPE = "a floating point torch.dtype"
WIDE = "a floating point tensor of at least 16 bits"
FEATURES = "a floating point tensor (..., seq, dim)"

# argument: (wrong value, error, what was expected, what came)
BAD = {
    "dim": [
        (8.0, TypeError, EVEN, "8.0 (float)"),
        ("8", TypeError, EVEN, "'8' (str)"),
        (None, TypeError, EVEN, "None (NoneType)"),
        (True, TypeError, EVEN, "True (bool)"),
        (torch.tensor(8), TypeError, EVEN, "a tensor of shape () and dtype torch.int64"),
        (7, ValueError, PAIRS, "7"),
        (1, ValueError, PAIRS, "1"),
        (0, ValueError, PAIRS, "0"),
        (-2, ValueError, PAIRS, "-2"),
    ],
    "theta": [
        ("10000", TypeError, POSITIVE, "'10000' (str)"),
        (None, TypeError, POSITIVE, "None (NoneType)"),
        (True, TypeError, POSITIVE, "True (bool)"),
        (1j, TypeError, POSITIVE, "1j (complex)"),
        (math.nan, ValueError, POSITIVE, "nan"),
        (math.inf, ValueError, POSITIVE, "inf"),
        (10**400, ValueError, POSITIVE, "100000000000000000...0000000000000000000"),
        (0, ValueError, POSITIVE, "0"),
        (-1.5, ValueError, POSITIVE, "-1.5"),
    ],
    "positions": [
        (2.5, TypeError, COUNT, "2.5 (float)"),
        (None, TypeError, COUNT, "None (NoneType)"),
        (True, TypeError, COUNT, "True (bool)"),
        (list(range(100)), TypeError, COUNT, "[0, 1, 2, 3, 4, 5, ...] (list)"),
        (torch.arange(100).numpy(), TypeError, COUNT, "shape (100,) (ndarray)"),
        (torch.ones(2, dtype=torch.bool), TypeError, "a real tensor", "dtype torch.bool"),
        (torch.ones(2) * 1j, TypeError, "a real tensor", "dtype torch.complex64"),
        (-1, ValueError, "an int n >= 0 or a tensor", "-1"),
    ],
    "dtype": [
        ("float32", TypeError, DTYPE, "'float32' (str)"),
        (float, TypeError, DTYPE, "<class 'float'> (type)"),
        (None, TypeError, DTYPE, "None (NoneType)"),
        (torch.int64, TypeError, DTYPE, "torch.int64"),
        (torch.bool, TypeError, DTYPE, "torch.bool"),
        (torch.complex64, TypeError, DTYPE, "torch.complex64"),
        (torch.float8_e4m3fn, TypeError, f"{DTYPE} of at least 16 bits", "torch.float8_e4m3fn"),
    ],
    "k": [
        ("3", TypeError, FINITE, "'3' (str)"),
        (None, TypeError, FINITE, "None (NoneType)"),
        (False, TypeError, FINITE, "False (bool)"),
        (torch.tensor(3.0), TypeError, FINITE, "a tensor of shape () and dtype torch.float32"),
        (math.nan, ValueError, FINITE, "nan"),
        (-math.inf, ValueError, FINITE, "-inf"),
        (-(10**400), ValueError, FINITE, "-10000000000000000...0000000000000000000"),
    ],
    "x": [
        ([[0.0] * 8], TypeError, FEATURES, "[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ...]] (list)"),
        (torch.zeros(3, 8).numpy(), TypeError, FEATURES, "shape (3, 8) (ndarray)"),
        (torch.zeros(3, 8).long(), TypeError, "a floating point tensor", "dtype torch.int64"),
        (torch.zeros(3, 8) * 1j, TypeError, "a floating point tensor", "dtype torch.complex64"),
        (torch.zeros(3, 8).to(torch.float8_e5m2), TypeError, WIDE, "dtype torch.float8_e5m2"),
        (torch.zeros(8), ValueError, "at least 2 axes (..., seq, dim)", "shape (8,)"),
        (torch.tensor(0.0), ValueError, "at least 2 axes (..., seq, dim)", "shape ()"),
        (
            torch.zeros(2, 3, 6),
            ValueError,
            "dim = 8 features on the last axis",
            "6 (shape (2, 3, 6))",
        ),
        (torch.zeros(3, 16), ValueError, "dim = 8 features on the last axis", "16 (shape (3, 16))"),
        (torch.zeros(8, 1), ValueError, "dim = 8 features on the last axis", "1 (shape (8, 1))"),
    ],
    "offset": [
        (1.0, TypeError, "an int", "1.0 (float)"),
        (None, TypeError, "an int", "None (NoneType)"),
        (True, TypeError, "an int", "True (bool)"),
        (torch.tensor(1), TypeError, "an int", "a tensor of shape () and dtype torch.int64"),
    ],
}  # fmt: skip
GOOD = {"dim": 8, "k": 1, "positions": 3, "x": torch.zeros(2, 3, 8)}

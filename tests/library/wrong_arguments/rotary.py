"""Wrong values for what rotates, for the two layouts and for xPos."""

import math

import torch

TENSOR = "a floating point tensor"
WIDE = "a floating point tensor of at least 16 bits"
ROWS = "a floating point tensor (..., seq, dim)"
PAIRS = "(features come in pairs)"
NOT_NEGATIVE = "a finite number >= 0"
AXIS = "an axis of x, an int"
COMPLEX = "torch.complex64 or torch.complex128"


def features(axes):
    return [
        ([[0.0] * 8], TypeError, axes, "[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ...]] (list)"),
        (None, TypeError, axes, "None (NoneType)"),
        (torch.zeros(3, 8).numpy(), TypeError, axes, "shape (3, 8) (ndarray)"),
        (torch.zeros(3, 8).long(), TypeError, TENSOR, "dtype torch.int64"),
        (torch.zeros(3, 8) * 1j, TypeError, TENSOR, "dtype torch.complex64"),
        (
            torch.zeros(3, 8, dtype=torch.float8_e4m3fn),
            TypeError,
            WIDE,
            "dtype torch.float8_e4m3fn",
        ),
        (torch.zeros(3, 8, dtype=torch.float8_e5m2), TypeError, WIDE, "dtype torch.float8_e5m2"),
    ]


FEW_AXES = [
    (torch.zeros(8), ValueError, "at least 2 axes (..., seq, dim)", "shape (8,)"),
    (torch.tensor(0.0), ValueError, "at least 2 axes (..., seq, dim)", "shape ()"),
]


def shapes(zeros):
    """Tables that do not lie beside an x of shape (2, 3, 8)."""
    columns = "at most dim/2 = 4 columns, one for each pair of x's dim = 8 features"
    rows = "seq = 3 rows, one for each of x's on axis -2"
    first = "the axes before seq to be the first of x's (2,)"
    return [
        (zeros(4), ValueError, "at least 2 axes (..., seq, dim/2)", "shape (4,)"),
        (zeros(2, 4), ValueError, rows, "2 (shape (2, 4))"),
        (zeros(4, 4), ValueError, rows, "4 (shape (4, 4))"),
        (zeros(1, 4), ValueError, rows, "1 (shape (1, 4))"),
        (zeros(3, 8), ValueError, columns, "8 (shape (3, 8))"),
        (zeros(3, 5), ValueError, columns, "5 (shape (3, 5))"),
        (zeros(3, 3, 4), ValueError, first, "(3,) (shape (3, 3, 4))"),
        (zeros(2, 1, 3, 4), ValueError, first, "(2, 1) (shape (2, 1, 3, 4))"),
        (zeros(3, 4, device="meta"), ValueError, "a tensor on x's device cpu", "meta"),
    ]


def like(name, dtype, shape, other):
    expected = f"a tensor of {name}'s dtype {dtype}"
    came = f"a tensor of shape {shape} and dtype"
    return [
        ([0.0], TypeError, expected, "[0.0] (list)"),
        (torch.zeros(shape).numpy(), TypeError, expected, f"shape {shape} (ndarray)"),
        (torch.zeros(shape).half(), TypeError, expected, f"{came} torch.float16"),
        (torch.zeros(other), ValueError, f"{name}'s shape {shape}", str(other)),
        (torch.zeros(shape[1:]), ValueError, f"{name}'s shape {shape}", str(shape[1:])),
        (torch.zeros(shape, device="meta"), ValueError, f"a tensor on {name}'s device cpu", "meta"),
    ]


def complex_zeros(*shape, device=None):
    return torch.zeros(shape, dtype=torch.complex64, device=device)


ANY = [
    ([0, 1], TypeError, "a tensor", "[0, 1] (list)"),
    (torch.zeros(2).numpy(), TypeError, "a tensor", "shape (2,) (ndarray)"),
    (
        torch.zeros(2, 7),
        ValueError,
        f"an even number of features on axis -1 {PAIRS}",
        "7 (shape (2, 7))",
    ),
]
AXES = [
    (1.0, TypeError, AXIS, "1.0 (float)"),
    (None, TypeError, AXIS, "None (NoneType)"),
    (False, TypeError, AXIS, "False (bool)"),
    (3, ValueError, "an axis of x's shape (2, 3, 8)", "3"),
    (-4, ValueError, "an axis of x's shape (2, 3, 8)", "-4"),
]
SCALING = [
    ("linear", TypeError, "a Scaling or None", "'linear' (str)"),
    (2.0, TypeError, "a Scaling or None", "2.0 (float)"),
    ({"factor": 2.0}, TypeError, "a Scaling or None", "{'factor': 2.0} (dict)"),
]
LENGTH = [
    (8.0, TypeError, "an int >= 1", "8.0 (float)"),
    (True, TypeError, "an int >= 1", "True (bool)"),
    (torch.tensor(8), TypeError, "an int >= 1", "a tensor of shape () and dtype torch.int64"),
    (0, ValueError, "an int >= 1", "0"),
]

BAD = {
    "rotary_cos_sin.scaling": SCALING,
    "rotary_freqs_cis.scaling": SCALING,
    "mrope_cos_sin.scaling": SCALING,
    "rotary_cos_sin.seq_len": LENGTH,
    "rotary_freqs_cis.seq_len": LENGTH,
    "mrope_cos_sin.seq_len": LENGTH,
    "frequencies": [
        ([1.0] * 4, TypeError, TENSOR, "[1.0, 1.0, 1.0, 1.0] (list)"),
        (torch.ones(4).numpy(), TypeError, TENSOR, "shape (4,) (ndarray)"),
        (torch.ones(4).long(), TypeError, TENSOR, "dtype torch.int64"),
        (torch.ones(4) * 1j, TypeError, TENSOR, "dtype torch.complex64"),
        (torch.ones(4).to(torch.float8_e4m3fn), TypeError, WIDE, "dtype torch.float8_e4m3fn"),
        (torch.ones(8), ValueError, "shape (dim/2,) = (4,)", "(8,)"),
        (torch.ones(1), ValueError, "shape (dim/2,) = (4,)", "(1,)"),
        (torch.ones(1, 4), ValueError, "shape (dim/2,) = (4,)", "(1, 4)"),
        (torch.tensor(1.0), ValueError, "shape (dim/2,) = (4,)", "()"),
    ],
    "apply_rotary.x": features(ROWS) + FEW_AXES,
    "apply_rotary_complex.x": features(ROWS) + FEW_AXES,
    "rotate_half.x": [
        *features(TENSOR),
        (torch.zeros(3, 7), ValueError, f"an even dim {PAIRS}", "shape (3, 7)"),
        (torch.tensor(0.0), ValueError, f"an even dim {PAIRS}", "shape ()"),
    ],
    "cos": features(TENSOR) + shapes(torch.zeros),
    "new_cos": like("cos", torch.float32, (3, 4), (3, 3)),
    "new_sin": like("cos", torch.float32, (3, 4), (3, 3)),
    "inverse": [
        (1, TypeError, "a bool", "1 (int)"),
        (None, TypeError, "a bool", "None (NoneType)"),
    ],
    "rerotate.x": features(ROWS) + FEW_AXES,
    "sin": like("cos", torch.float32, (3, 4), (3, 3)),
    "out": like("x", torch.float32, (2, 3, 8), (2, 3, 4)),
    "interleaved": [
        (1, TypeError, "a bool", "1 (int)"),
        (None, TypeError, "a bool", "None (NoneType)"),
        ("half", TypeError, "a bool", "'half' (str)"),
    ],
    "seq_dim": [
        (-2.0, TypeError, "-2 or -3", "-2.0 (float)"),
        (None, TypeError, "-2 or -3", "None (NoneType)"),
        (True, TypeError, "-2 or -3", "True (bool)"),
        (1, ValueError, "-2 or -3", "1"),
        (-1, ValueError, "-2 or -3", "-1"),
        (-4, ValueError, "-2 or -3", "-4"),
    ],
    "freqs_cis": [
        ([1j], TypeError, "a complex tensor", "[1j] (list)"),
        (
            torch.zeros(3, 4),
            TypeError,
            "a complex tensor",
            "a tensor of shape (3, 4) and dtype torch.float32",
        ),
        *shapes(complex_zeros),
    ],
    "rotary_freqs_cis.dtype": [
        ("complex64", TypeError, COMPLEX, "'complex64' (str)"),
        ([], TypeError, COMPLEX, "[] (list)"),
        (None, TypeError, COMPLEX, "None (NoneType)"),
        (torch.float32, TypeError, COMPLEX, "torch.float32 (dtype)"),
        (torch.complex32, TypeError, COMPLEX, "torch.complex32 (dtype)"),
    ],
    "interleaved_to_half.x": ANY,
    "half_to_interleaved.x": ANY,
    "interleaved_to_half.dim": AXES,
    "half_to_interleaved.dim": AXES,
    "query_temperature.original_max_position": LENGTH,
    "query_temperature.beta": [
        ("0.1", TypeError, NOT_NEGATIVE, "'0.1' (str)"),
        (None, TypeError, NOT_NEGATIVE, "None (NoneType)"),
        (True, TypeError, NOT_NEGATIVE, "True (bool)"),
        (math.nan, ValueError, NOT_NEGATIVE, "nan"),
        (math.inf, ValueError, NOT_NEGATIVE, "inf"),
        (-0.1, ValueError, NOT_NEGATIVE, "-0.1"),
    ],
    "scale_base": [
        ("512", TypeError, "a finite number > 0", "'512' (str)"),
        (None, TypeError, "a finite number > 0", "None (NoneType)"),
        (math.nan, ValueError, "a finite number > 0", "nan"),
        (math.inf, ValueError, "a finite number > 0", "inf"),
        (0, ValueError, "a finite number > 0", "0"),
        (-512, ValueError, "a finite number > 0", "-512"),
    ],
    "center": [
        ("0", TypeError, "a finite number", "'0' (str)"),
        (None, TypeError, "a finite number", "None (NoneType)"),
        (math.nan, ValueError, "a finite number", "nan"),
        (-math.inf, ValueError, "a finite number", "-inf"),
    ],
}  # fmt: skip
GOOD = {
    "query_temperature.original_max_position": 8,
    "cos": torch.zeros(3, 4),
    "sin": torch.zeros(3, 4),
    "new_cos": torch.zeros(3, 4),
    "new_sin": torch.zeros(3, 4),
    "freqs_cis": complex_zeros(3, 4),
    "interleaved_to_half.dim": -1,
    "half_to_interleaved.dim": -1,
}

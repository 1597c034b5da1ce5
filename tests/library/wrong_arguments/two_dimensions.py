"""Wrong values for the encodings of image patches, of any coordinates and of three positions."""

import math

import torch

FOURS = "an int >= 4 divisible by 4"
HALVES = "an int >= 4 divisible by 4 (half of the pairs for each axis)"
OFFSET = "a pair (row, column) of finite numbers"
SCALE = "a pair (vertical, horizontal) of finite numbers > 0"
PLACES = "a real tensor (..., axes) with at least one axis"
WIDTHS = "an even int >= 2 for each of the 3 coordinates"
EVEN = "an even int >= 2"
PAIRS = "an even int >= 2 (features come in pairs)"
IDS = "a real tensor (3, batch, seq)"
SECTIONS = "three numbers of pairs (time, height, width)"


def count(least):
    expected = f"an int >= {least}"
    return [
        (2.0, TypeError, expected, "2.0 (float)"),
        (None, TypeError, expected, "None (NoneType)"),
        (True, TypeError, expected, "True (bool)"),
        (torch.tensor(2), TypeError, expected, "a tensor of shape () and dtype torch.int64"),
        (least - 1, ValueError, expected, str(least - 1)),
        (-5, ValueError, expected, "-5"),
    ]


DIM = [
    (8.0, TypeError, FOURS, "8.0 (float)"),
    (None, TypeError, FOURS, "None (NoneType)"),
    (True, TypeError, FOURS, "True (bool)"),
    (6, ValueError, HALVES, "6"),
    (7, ValueError, HALVES, "7"),
    (2, ValueError, HALVES, "2"),
    (0, ValueError, HALVES, "0"),
    (-4, ValueError, HALVES, "-4"),
]
OFFSETS = [
    (3, TypeError, OFFSET, "3 (int)"),
    (None, TypeError, OFFSET, "None (NoneType)"),
    (torch.zeros(2), TypeError, OFFSET, "a tensor of shape (2,) and dtype torch.float32"),
    ((1, 2, 3), ValueError, OFFSET, "(1, 2, 3) (tuple)"),
    ((), ValueError, OFFSET, "() (tuple)"),
    ((0, "1"), TypeError, OFFSET, "'1' (str)"),
    ((True, 0), TypeError, OFFSET, "True (bool)"),
    ((math.nan, 0), ValueError, OFFSET, "nan"),
    ((0, -math.inf), ValueError, OFFSET, "-inf"),
]
SCALES = [
    (0.5, TypeError, SCALE, "0.5 (float)"),
    (None, TypeError, SCALE, "None (NoneType)"),
    ([1.0], ValueError, SCALE, "[1.0] (list)"),
    ((1.0, None), TypeError, SCALE, "None (NoneType)"),
    ((math.inf, 1.0), ValueError, SCALE, "inf"),
    ((1.0, 0.0), ValueError, SCALE, "(1.0, 0.0)"),
    ((-1, 1), ValueError, SCALE, "(-1, 1)"),
]

BAD = {
    "height": count(1),
    "width": count(1),
    "num_heads": count(1),
    "axial_rotary_cos_sin.dim": DIM,
    "sinusoidal_encoding_2d.dim": DIM,
    "MixedRotary2D.dim": DIM,
    "axial_rotary_cos_sin.offset": OFFSETS,
    "sinusoidal_encoding_2d.offset": OFFSETS,
    "MixedRotary2D().offset": OFFSETS,
    "axial_rotary_cos_sin.scale": SCALES,
    "sinusoidal_encoding_2d.scale": SCALES,
    "MixedRotary2D().scale": SCALES,
    "axial_rotary_cos_sin.scaling": [
        ("linear", TypeError, "a Scaling or None", "'linear' (str)"),
        (2.0, TypeError, "a Scaling or None", "2.0 (float)"),
        ({"factor": 2.0}, TypeError, "a Scaling or None", "{'factor': 2.0} (dict)"),
    ],
    "coordinates": [
        (5, TypeError, PLACES, "5 (int)"),
        (None, TypeError, PLACES, "None (NoneType)"),
        ([[1, 2, 3]], TypeError, PLACES, "[[1, 2, 3]] (list)"),
        (torch.zeros(2, 3).numpy(), TypeError, PLACES, "shape (2, 3) (ndarray)"),
        (torch.zeros(2, 3).bool(), TypeError, PLACES, "dtype torch.bool"),
        (torch.zeros(2, 3) * 1j, TypeError, PLACES, "dtype torch.complex64"),
        (torch.tensor(1.0), ValueError, PLACES, "shape ()"),
        (torch.zeros(2, 0), ValueError, PLACES, "shape (2, 0)"),
    ],
    "nd_rotary_cos_sin.dims": [
        (8, TypeError, WIDTHS, "8 (int)"),
        (None, TypeError, WIDTHS, "None (NoneType)"),
        ("246", TypeError, WIDTHS, "'246' (str)"),
        (
            torch.tensor([2, 4, 2]),
            TypeError,
            WIDTHS,
            "a tensor of shape (3,) and dtype torch.int64",
        ),
        ((2, 4), ValueError, WIDTHS, "(2, 4) (tuple)"),
        ([2, 4, 2, 2], ValueError, WIDTHS, "[2, 4, 2, 2] (list)"),
        ((), ValueError, WIDTHS, "() (tuple)"),
        ((2, 4.0, 2), TypeError, EVEN, "4.0 (float)"),
        ((2, None, 2), TypeError, EVEN, "None (NoneType)"),
        ((True, 4, 2), TypeError, EVEN, "True (bool)"),
        ((2, 4, 3), ValueError, PAIRS, "3"),
        ((0, 4, 2), ValueError, PAIRS, "0"),
        ((2, -4, 2), ValueError, PAIRS, "-4"),
    ],
    "position_ids": [
        (5, TypeError, IDS, "5 (int)"),
        (None, TypeError, IDS, "None (NoneType)"),
        (torch.zeros(3, 1, 2).numpy(), TypeError, IDS, "shape (3, 1, 2) (ndarray)"),
        (torch.zeros(3, 1, 2).bool(), TypeError, IDS, "dtype torch.bool"),
        (torch.zeros(3, 1, 2) * 1j, TypeError, IDS, "dtype torch.complex64"),
        (torch.zeros(1, 2), ValueError, IDS, "shape (1, 2)"),
        (torch.zeros(3, 2), ValueError, IDS, "shape (3, 2)"),
        (torch.zeros(3, 1, 2, 4), ValueError, IDS, "shape (3, 1, 2, 4)"),
        (torch.zeros(1, 3, 2), ValueError, IDS, "shape (1, 3, 2)"),
        (torch.zeros(4, 1, 2), ValueError, IDS, "shape (4, 1, 2)"),
    ],
    "sections": [
        (4, TypeError, SECTIONS, "4 (int)"),
        (None, TypeError, SECTIONS, "None (NoneType)"),
        ("211", TypeError, SECTIONS, "'211' (str)"),
        ((2, 2), ValueError, SECTIONS, "(2, 2) (tuple)"),
        ([1, 1, 1, 1], ValueError, SECTIONS, "[1, 1, 1, 1] (list)"),
        ((2.0, 1, 1), TypeError, "an int >= 0", "2.0 (float)"),
        ((2, True, 1), TypeError, "an int >= 0", "True (bool)"),
        ((4, 1, -1), ValueError, "an int >= 0", "-1"),
        (
            (2, 1, 2),
            ValueError,
            f"{SECTIONS} that sum to dim/2 = 4",
            "(2, 1, 2) with the sum 5",
        ),
        ([1, 1, 1], ValueError, f"{SECTIONS} that sum to dim/2 = 4", "(1, 1, 1) with the sum 3"),
    ],
}
GOOD = {
    "height": 2,
    "width": 3,
    "num_heads": 2,
    "coordinates": torch.zeros(2, 3),
    "nd_rotary_cos_sin.dims": (2, 4, 2),
    "position_ids": torch.zeros(3, 1, 2),
    "sections": (2, 1, 1),
}

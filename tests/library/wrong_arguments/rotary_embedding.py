"""Wrong values for RotaryEmbedding."""

import math

import torch

COUNT = "an int >= 1"
FROM_ZERO = "an int >= 0"
POSITIVE = "a finite number > 0"
AT_LEAST_ONE = "a finite number >= 1"
FREQS = "a floating point tensor (pairs,) or None"
KINDS = "'lang', 'pixel' or 'constant'"
FLOATING = "a floating point tensor"
FEATURES = "a floating point tensor (..., seq, dim)"
POSITIONS = "a real tensor of positions"
DEVICE = "a torch.device or its name"
DTYPE = "a floating point torch.dtype"
SCALE = "a finite number or a floating point tensor"
TWO_OFFSETS = "2 finite numbers, one for each axis"

INT64 = "a tensor of shape () and dtype torch.int64"


def not_an_int(expected):
    return [
        (2.0, TypeError, expected, "2.0 (float)"),
        (True, TypeError, expected, "True (bool)"),
        ("2", TypeError, expected, "'2' (str)"),
        (torch.tensor(2), TypeError, expected, INT64),
    ]


def count(least):
    expected = f"an int >= {least}"
    return [
        *not_an_int(expected),
        (None, TypeError, expected, "None (NoneType)"),
        (least - 1, ValueError, expected, str(least - 1)),
        (-5, ValueError, expected, "-5"),
    ]


def positive(expected=POSITIVE):
    return [
        ("1", TypeError, expected, "'1' (str)"),
        (None, TypeError, expected, "None (NoneType)"),
        (True, TypeError, expected, "True (bool)"),
        (math.nan, ValueError, expected, "nan"),
        (math.inf, ValueError, expected, "inf"),
        (0, ValueError, expected, "0"),
        (-1.5, ValueError, expected, "-1.5"),
    ]


def features(width):
    """A tensor whose last axis must hold ``width`` features at least."""
    return [
        ([[0.0] * 2], TypeError, FEATURES, "[[0.0, 0.0]] (list)"),
        (None, TypeError, FEATURES, "None (NoneType)"),
        (torch.zeros(3, 8).long(), TypeError, FLOATING, "dtype torch.int64"),
        (torch.zeros(3, 8) * 1j, TypeError, FLOATING, "dtype torch.complex64"),
        (torch.zeros(8), ValueError, "at least 2 axes (..., seq, dim)", "shape (8,)"),
        (
            torch.zeros(3, width - 1),
            ValueError,
            f"at least {width} features on the last axis",
            f"{width - 1} (shape (3, {width - 1}))",
        ),
    ]


def axis(expected, axes, shape=""):
    rows = [(value, ValueError, expected, f"{value}{shape}") for value in (-1, axes - 1, axes)]
    return [*rows, (-axes - 1, ValueError, expected, f"{-axes - 1}{shape}")]


def broadcast(shape):
    expected = "a shape that broadcasts against t's (2, 3, 8)"
    return (torch.zeros(shape), ValueError, expected, str(shape))


FLAG = [
    (1, TypeError, "a bool", "1 (int)"),
    (None, TypeError, "a bool", "None (NoneType)"),
    ("no", TypeError, "a bool", "'no' (str)"),
]
SEQ_DIM = [
    *not_an_int("an int"),
    *axis("an axis before the last of 3", 3, " (shape (2, 3, 8))"),
]
SEQ_LEN = [
    *not_an_int("an int or None"),
    (4, ValueError, "the number of positions in t (shape (3,))", "4"),
    (0, ValueError, "the number of positions in t (shape (3,))", "0"),
]
REAL_POSITIONS = [
    (3, TypeError, POSITIONS, "3 (int)"),
    ([0, 1, 2], TypeError, POSITIONS, "[0, 1, 2] (list)"),
    (torch.ones(3, dtype=torch.bool), TypeError, POSITIONS, "dtype torch.bool"),
    (torch.ones(3) * 1j, TypeError, POSITIONS, "dtype torch.complex64"),
]
SCALES = [
    ("1", TypeError, SCALE, "'1' (str)"),
    (True, TypeError, SCALE, "True (bool)"),
    (torch.ones(3, 8).long(), TypeError, SCALE, "a tensor of shape (3, 8) and dtype torch.int64"),
    (math.nan, ValueError, SCALE, "nan"),
    (math.inf, ValueError, SCALE, "inf"),
    broadcast((4, 8)),
    broadcast((3, 2, 3, 8)),
    broadcast((5, 3, 8)),
    (torch.ones(3, 4), ValueError, "freqs' width = 8", "shape (3, 4)"),
]

CLASS = "RotaryEmbedding"
EITHER = f"{CLASS}.rotate_queries_or_keys"
BOTH = f"{CLASS}.rotate_queries_and_keys"
CACHED = f"{CLASS}.rotate_queries_with_cached_keys"

BAD = {
    "custom_freqs": [
        ([1.0], TypeError, FREQS, "[1.0] (list)"),
        (torch.arange(3), TypeError, FREQS, "a tensor of shape (3,) and dtype torch.int64"),
        (torch.ones(2, 2), ValueError, FREQS, "a tensor of shape (2, 2) and dtype torch.float32"),
        (torch.ones(()), ValueError, FREQS, "a tensor of shape () and dtype torch.float32"),
        (torch.ones(0), ValueError, FREQS, "a tensor of shape (0,) and dtype torch.float32"),
    ],
    "freqs_for": [
        ("text", ValueError, KINDS, "'text' (str)"),
        (None, ValueError, KINDS, "None (NoneType)"),
        (3, ValueError, KINDS, "3 (int)"),
    ],
    "max_freq": positive(),
    "num_freqs": count(1),
    "learned_freq": FLAG,
    "use_xpos": FLAG,
    "xpos_scale_base": positive(),
    "interpolate_factor": [
        *positive(AT_LEAST_ONE),
        (0.999, ValueError, AT_LEAST_ONE, "0.999"),
    ],
    "theta_rescale_factor": positive(),
    "seq_before_head_dim": FLAG,
    "cache_if_possible": FLAG,
    "cache_max_seq_len": count(0),
    f"{CLASS}().t": REAL_POSITIONS,
    f"{CLASS}().seq_len": SEQ_LEN,
    f"{CLASS}.get_scale.t": [
        *REAL_POSITIONS,
        (torch.zeros(2, 3), ValueError, "one axis (seq,)", "shape (2, 3)"),
        (torch.tensor(1.0), ValueError, "one axis (seq,)", "shape ()"),
    ],
    f"{CLASS}.get_scale.seq_len": SEQ_LEN,
    f"{CLASS}.get_seq_pos.seq_len": count(0),
    f"{CLASS}.get_seq_pos.device": [
        (0, TypeError, DEVICE, "0 (int)"),
        (torch.zeros(2), TypeError, DEVICE, "a tensor of shape (2,) and dtype torch.float32"),
        ("gpu", ValueError, "a device of torch", "'gpu'"),
    ],
    f"{CLASS}.get_seq_pos.dtype": [
        ("float32", TypeError, DTYPE, "'float32' (str)"),
        (float, TypeError, DTYPE, "<class 'float'> (type)"),
        (torch.int64, TypeError, DTYPE, "torch.int64"),
    ],
    f"{CLASS}.get_axial_freqs.dims": [
        ((2.0, 3), TypeError, FROM_ZERO, "2.0 (float)"),
        ((2, "3"), TypeError, FROM_ZERO, "'3' (str)"),
        ((2, -1), ValueError, FROM_ZERO, "-1"),
        ((), ValueError, "the length of at least one axis", "none"),
    ],
    f"{CLASS}.get_axial_freqs.offsets": [
        (1, TypeError, TWO_OFFSETS, "1 (int)"),
        ((1, "2"), TypeError, TWO_OFFSETS, "'2' (str)"),
        (torch.ones(2) * 1j, TypeError, TWO_OFFSETS, "dtype torch.complex64"),
        (torch.ones(2) > 0, TypeError, TWO_OFFSETS, "dtype torch.bool"),
        ((1,), ValueError, TWO_OFFSETS, "(1,) (tuple)"),
        ([1, 2, 3], ValueError, TWO_OFFSETS, "[1, 2, 3] (list)"),
        ((1, math.nan), ValueError, TWO_OFFSETS, "nan"),
        (torch.ones(3), ValueError, TWO_OFFSETS, "a tensor of shape (3,) and dtype torch.float32"),
        (
            torch.ones(2, 1),
            ValueError,
            TWO_OFFSETS,
            "a tensor of shape (2, 1) and dtype torch.float32",
        ),
    ],
    f"{EITHER}.t": features(8),
    f"{EITHER}.seq_dim": SEQ_DIM,
    f"{EITHER}.scale": [
        *SCALES,
        (
            None,
            ValueError,
            "get_scale(positions) for queries or its inverse for keys, as use_xpos is set "
            "(rotate_queries_and_keys does it)",
            "None",
        ),
    ],
    "q": features(8),
    f"{BOTH}.k": [
        *features(8),
        (
            torch.zeros(2, 4, 8),
            ValueError,
            "q's 3 positions",
            "4 (rotate_queries_with_cached_keys is for keys that began earlier)",
        ),
    ],
    f"{BOTH}.seq_dim": SEQ_DIM,
    f"{CACHED}.q": [
        *features(8),
        (torch.zeros(2, 4, 8), ValueError, "at most k's 3 positions", "4"),
    ],
    f"{CACHED}.k": features(8),
    f"{CACHED}.seq_dim": SEQ_DIM,
}
GOOD = {
    f"{CLASS}.use_xpos": True,
    f"{CLASS}().t": torch.arange(3),
    f"{CLASS}.get_scale.t": torch.arange(3),
    f"{CLASS}.get_seq_pos.seq_len": 3,
    f"{CLASS}.get_axial_freqs.dims": (2, 3),
    f"{EITHER}.t": torch.zeros(2, 3, 8),
    f"{EITHER}.scale": 1.0,
    "q": torch.zeros(2, 3, 8),
    f"{BOTH}.k": torch.zeros(2, 3, 8),
    f"{CACHED}.k": torch.zeros(2, 3, 8),
}

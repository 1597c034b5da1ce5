"""Wrong values for ALiBi."""

import math

import torch

COUNT = "an int >= 1"
POSITIVE = "a finite number > 0"
LENGTH = [
    (3.0, TypeError, COUNT, "3.0 (float)"),
    ("3", TypeError, COUNT, "'3' (str)"),
    (True, TypeError, COUNT, "True (bool)"),
    (torch.tensor(3), TypeError, COUNT, "a tensor of shape () and dtype torch.int64"),
    (0, ValueError, COUNT, "0"),
    (-3, ValueError, COUNT, "-3"),
]

BAD = {
    "alibi_bias.q_len": [*LENGTH, (None, TypeError, COUNT, "None (NoneType)")],
    "alibi_bias.k_len": LENGTH,
    "alibi_bias.causal": [
        (1, TypeError, "a bool", "1 (int)"),
        (None, TypeError, "a bool", "None (NoneType)"),
        ("yes", TypeError, "a bool", "'yes' (str)"),
    ],
    "max_bias": [
        ("8", TypeError, POSITIVE, "'8' (str)"),
        (None, TypeError, POSITIVE, "None (NoneType)"),
        (True, TypeError, POSITIVE, "True (bool)"),
        (torch.tensor(8.0), TypeError, POSITIVE, "a tensor of shape () and dtype torch.float32"),
        (math.nan, ValueError, POSITIVE, "nan"),
        (math.inf, ValueError, POSITIVE, "inf"),
        (0, ValueError, POSITIVE, "0"),
        (-8, ValueError, POSITIVE, "-8"),
    ],
}
GOOD = {"alibi_bias.q_len": 3, "alibi_bias.k_len": 4}

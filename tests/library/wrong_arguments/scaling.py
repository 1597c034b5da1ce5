"""Wrong values for the scalings and for the configuration that they are read from."""

import math

import torch

FACTOR = "a finite number >= 1"
POSITIVE = "a finite number > 0"
SHARE = "a number from 0 to 1"
NUMBERS = "a list of numbers > 0"


def numbers(expected, *too_small):
    return [
        ("2", TypeError, expected, "'2' (str)"),
        (True, TypeError, expected, "True (bool)"),
        (torch.tensor(2.0), TypeError, expected, "a tensor of shape () and dtype torch.float32"),
        (math.nan, ValueError, expected, "nan"),
        (math.inf, ValueError, expected, "inf"),
        *((value, ValueError, expected, str(value)) for value in too_small),
    ]


def lengths(least):
    expected = f"an int >= {least}"
    return [
        (2048.0, TypeError, expected, "2048.0 (float)"),
        (None, TypeError, expected, "None (NoneType)"),
        (True, TypeError, expected, "True (bool)"),
        (least - 1, ValueError, expected, str(least - 1)),
        (-5, ValueError, expected, "-5"),
    ]


def lists(length):
    return [
        (2.0, TypeError, NUMBERS, "2.0 (float)"),
        (None, TypeError, NUMBERS, "None (NoneType)"),
        ("12", TypeError, NUMBERS, "'12' (str)"),
        (torch.ones(2), TypeError, NUMBERS, "a tensor of shape (2,) and dtype torch.float32"),
        *length,
    ]


OTHER_LENGTH = "as many numbers as short_factor has, 2"
KINDS = (
    "a rope_type out of default, linear, dynamic, yarn, longrope, llama3, proportional, su, mrope, "
    "axial, xdrope, deepseek_yarn"
)
LINEAR = "only keys that rope_type 'linear' has (factor)"
NEITHER = "both mscale and mscale_all_dim or neither"

BAD = {
    "factor": [
        *numbers(FACTOR, 0.99, 0, -2),
        (10**400, ValueError, FACTOR, "100000000000000000...0000000000000000000"),
    ],
    "original_max_position": lengths(1),
    "LongRopeScaling.original_max_position": lengths(2),
    "beta_fast": [
        *numbers(POSITIVE, 0, -1.0),
        (0.5, ValueError, "at least beta_slow = 1.0", "0.5"),
    ],
    "beta_slow": numbers(POSITIVE, 0, -1.0),
    "mscale": [
        *numbers(POSITIVE, 0, -1.0),
        (0.7, ValueError, NEITHER, "mscale=0.7, mscale_all_dim=None"),
    ],
    "mscale_all_dim": numbers(POSITIVE, 0, -1.0),
    "attention_factor": numbers(POSITIVE, 0, -1.0),
    "long_attention_factor": numbers(POSITIVE, 0, -1.0),
    "truncate": [
        (1, TypeError, "a bool", "1 (int)"),
        (None, TypeError, "a bool", "None (NoneType)"),
    ],
    "short_factor": lists([]),
    "long_factor": lists(
        [([1.0], ValueError, OTHER_LENGTH, "1"), ([], ValueError, OTHER_LENGTH, "0")]
    ),
    "low_freq_factor": numbers(POSITIVE, 0, -1.0),
    "high_freq_factor": [
        *numbers(POSITIVE, 0, -1.0),
        (0.5, ValueError, "at least low_freq_factor = 1.0", "0.5"),
    ],
    "partial_rotary_factor": numbers(SHARE, -0.1, 1.1),
    "rope_parameters": [
        ("linear", TypeError, "a dict or None", "'linear' (str)"),
        ([("factor", 2)], TypeError, "a dict or None", "[('factor', 2)] (list)"),
        ({"rope_type": "ntk"}, ValueError, KINDS, "'ntk' (str)"),
        ({"type": ["linear"]}, ValueError, KINDS, "['linear'] (list)"),
        (
            {"type": "linear", "rope_type": "yarn", "factor": 2.0},
            ValueError,
            "rope_type and type to be the same",
            "'yarn' and 'linear'",
        ),
        ({"type": "linear", "factor": 2.0, "facter": 3.0}, ValueError, LINEAR, "'facter'"),
        (
            {"full_attention": {"rope_type": "default"}},
            ValueError,
            "the dict of one layer type",
            "a dict of dicts with the key 'full_attention'",
        ),
        (
            {"rope_type": "linear", "factor": None},
            ValueError,
            "'factor' too, which rope_type 'linear' needs",
            "no setting",
        ),
        (
            {"rope_type": "llama3", "factor": 8.0, "high_freq_factor": 4.0},
            ValueError,
            "'low_freq_factor', 'original_max_position_embeddings' too, "
            "which rope_type 'llama3' needs",
            "'factor', 'high_freq_factor'",
        ),
    ],
    "max_position_embeddings": [
        (2048.5, TypeError, "an int >= 1", "2048.5 (float)"),
        ("2048", TypeError, "an int >= 1", "'2048' (str)"),
        (True, TypeError, "an int >= 1", "True (bool)"),
        (0, ValueError, "an int >= 1", "0"),
        (0.0, ValueError, "an int >= 1", "0"),
    ],
}  # fmt: skip
# Optional numbers take None, these do not.
NONE = "None (NoneType)"
for argument, expected in {
    "factor": FACTOR,
    "beta_fast": POSITIVE,
    "beta_slow": POSITIVE,
    "low_freq_factor": POSITIVE,
    "high_freq_factor": POSITIVE,
    "partial_rotary_factor": SHARE,
}.items():
    BAD[argument].append((None, TypeError, expected, NONE))
BAD["LongRopeScaling.factor"] = numbers(FACTOR, 0.99, 0, -2)

GOOD = {
    "factor": 2.0,
    "original_max_position": 2048,
    "short_factor": [1.0, 1.0],
    "long_factor": [1.5, 2.0],
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "rope_parameters": {"rope_type": "linear", "factor": 2.0},
}

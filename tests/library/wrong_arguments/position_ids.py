"""Wrong values for what makes positions."""

import torch

from tests.library.wrong_arguments.relative import INTEGERS, count

PARTS = "a list of lengths of text and grids (frames, rows, columns)"
STEP = "a finite number > 0"

BAD = {
    "attention_mask": [
        ([1, 1], TypeError, "a tensor of bools or integers", "[1, 1] (list)"),
        (torch.ones(2).numpy(), TypeError, "a tensor of bools or integers", "shape (2,) (ndarray)"),
        (torch.ones(2), TypeError, "an integer tensor", "dtype torch.float32"),
        (torch.tensor(1), ValueError, "(..., seq)", "no axis"),
    ],
    "cu_seqlens": [
        *INTEGERS,
        (
            torch.zeros(1, 2).long(),
            ValueError,
            "(documents + 1,) of 0 and where each document ends",
            "shape (1, 2)",
        ),
    ],
    "total": count(0, but_none=True),
    "zigzag_positions.seq_len": [
        *count(1),
        (6, ValueError, "a multiple of 2 * world_size = 4", "6"),
    ],
    "zigzag_positions.rank": [
        (0.0, TypeError, "an int", "0.0 (float)"),
        (True, TypeError, "an int", "True (bool)"),
        (2, ValueError, "an int from 0 to 1", "2"),
        (-1, ValueError, "an int from 0 to 1", "-1"),
    ],
    "world_size": count(1),
    "parts": [
        (5, TypeError, PARTS, "5 (int)"),
        ("abc", TypeError, PARTS, "'abc' (str)"),
        ([1.5], TypeError, "an int >= 0", "1.5 (float)"),
        ([-1], ValueError, "an int >= 0", "-1"),
        ([(2, 2)], ValueError, "an int or (frames, rows, columns)", "(2, 2) (tuple)"),
        ([(1, 0, 2)], ValueError, "an int >= 1", "0"),
    ],
    "spatial_merge_size": count(1),
    "time_interval": [
        ("2", TypeError, STEP, "'2' (str)"),
        (None, TypeError, STEP, "None (NoneType)"),
        (0, ValueError, STEP, "0"),
        (float("nan"), ValueError, STEP, "nan"),
    ],
}
GOOD = {
    "attention_mask": torch.ones(2, 3).bool(),
    "cu_seqlens": torch.tensor([0, 3]),
    "zigzag_positions.seq_len": 8,
    "zigzag_positions.rank": 0,
    "world_size": 2,
    "parts": [3],
}

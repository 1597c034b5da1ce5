"""Wrong values for LearnedPositionalEmbedding."""

import torch

from tests.library.wrong_arguments.rotary_embedding import FEATURES, FLOATING, FROM_ZERO, count

LEARNED = "LearnedPositionalEmbedding"

BAD = {
    "max_len": count(1),
    f"{LEARNED}.dim": count(1),
    f"{LEARNED}().offset": [
        *count(0),
        (False, TypeError, FROM_ZERO, "False (bool)"),
    ],
    f"{LEARNED}().x": [
        (None, TypeError, FEATURES, "None (NoneType)"),
        (torch.zeros(3, 8).long(), TypeError, FLOATING, "dtype torch.int64"),
        (torch.zeros(8), ValueError, "at least 2 axes (..., seq, dim)", "shape (8,)"),
        (torch.zeros(3, 6), ValueError, "dim = 8 features on the last axis", "6 (shape (3, 6))"),
        (
            torch.zeros(2, 11, 8),
            ValueError,
            "positions below max_len = 10",
            "length 11 (offset 0 + seq 11)",
        ),
    ],
}
GOOD = {"max_len": 10}

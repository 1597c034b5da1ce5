"""Wrong values for attention and for the models that are made of it."""

import torch

ROWS = "a floating point tensor (..., q_len, head_dim)"
TENSOR = "a floating point tensor"
LIKE_Q = "a tensor of q's dtype torch.float32"
FIRST = "q's axes before the last two (2,)"


def beside_q(*more):
    """Wrong values for keys or values beside queries (2, 3, 8)."""
    return [
        ([0.0], TypeError, LIKE_Q, "[0.0] (list)"),
        (None, TypeError, LIKE_Q, "None (NoneType)"),
        (
            torch.zeros(2, 5, 8).double(),
            TypeError,
            LIKE_Q,
            "a tensor of shape (2, 5, 8) and dtype torch.float64",
        ),
        (torch.zeros(5, 8), ValueError, FIRST, "shape (5, 8)"),
        (torch.zeros(3, 5, 8), ValueError, FIRST, "shape (3, 5, 8)"),
        (torch.zeros(1, 2, 5, 8), ValueError, FIRST, "shape (1, 2, 5, 8)"),
        (torch.zeros(8), ValueError, FIRST, "shape (8,)"),
        *more,
    ]


QUERIES = [
    ([[0.0]], TypeError, ROWS, "[[0.0]] (list)"),
    (None, TypeError, ROWS, "None (NoneType)"),
    (torch.zeros(2, 3, 8).long(), TypeError, TENSOR, "dtype torch.int64"),
    (torch.zeros(8), ValueError, "at least 2 axes (..., q_len, head_dim)", "shape (8,)"),
]
KEYS = beside_q(
    (
        torch.zeros(2, 5, 6),
        ValueError,
        "head_dim = 8 features, as q has",
        "6 (shape (2, 5, 6))",
    )
)
FITS = "a shape that broadcasts to the scores' (2, 3, 5)"
BIAS = [
    ("alibi", TypeError, TENSOR, "'alibi' (str)"),
    (0.0, TypeError, TENSOR, "0.0 (float)"),
    (torch.ones(3, 5, dtype=torch.bool), TypeError, TENSOR, "dtype torch.bool"),
    (torch.zeros(5, 3), ValueError, FITS, "(5, 3)"),
    (torch.zeros(4, 3, 5), ValueError, FITS, "(4, 3, 5)"),
    (torch.zeros(1, 2, 3, 5), ValueError, FITS, "(1, 2, 3, 5)"),
    (torch.zeros(3), ValueError, FITS, "(3,)"),
]
BOOL = [(1, TypeError, "a bool", "1 (int)"), (None, TypeError, "a bool", "None (NoneType)")]

BAD = {
    "attention.q": QUERIES,
    "attention_weights.q": QUERIES,
    "attention.k": KEYS,
    "attention_weights.k": KEYS,
    "attention.v": beside_q(
        (
            torch.zeros(2, 4, 8),
            ValueError,
            "k_len = 5 values, one for each key",
            "4 (shape (2, 4, 8))",
        )
    ),
    "attention.bias": BIAS,
    "attention_weights.bias": BIAS,
    "attention.causal": BOOL,
    "attention_weights.causal": BOOL,
}  # fmt: skip
GOOD = {
    "attention.q": torch.zeros(2, 3, 8),
    "attention.k": torch.zeros(2, 5, 8),
    "attention.v": torch.zeros(2, 5, 8),
    "attention_weights.q": torch.zeros(2, 3, 8),
    "attention_weights.k": torch.zeros(2, 5, 8),
}

"""Wrong values for the diagnostics of tables and scores."""

import torch

TENSOR = "a floating point tensor"
NOT_EMPTY = "2 axes (length, dim), none of them empty"
OFFSET = "an int from 1 to length - 1 = 4"


def floats(axes):
    return [
        ([[0.0]], TypeError, f"{TENSOR} {axes}", "[[0.0]] (list)"),
        (None, TypeError, f"{TENSOR} {axes}", "None (NoneType)"),
        (torch.zeros(3, 8).numpy(), TypeError, f"{TENSOR} {axes}", "shape (3, 8) (ndarray)"),
        (torch.zeros(3, 8).long(), TypeError, TENSOR, "dtype torch.int64"),
        (torch.zeros(3, 8) * 1j, TypeError, TENSOR, "dtype torch.complex64"),
    ]


TABLE = [
    *floats("(length, dim)"),
    (torch.zeros(8), ValueError, NOT_EMPTY, "shape (8,)"),
    (torch.zeros(2, 3, 8), ValueError, NOT_EMPTY, "shape (2, 3, 8)"),
    (torch.zeros(0, 8), ValueError, NOT_EMPTY, "shape (0, 8)"),
    (torch.zeros(8, 0), ValueError, NOT_EMPTY, "shape (8, 0)"),
]
FEW = "at least 3 positions (length, dim)"
SQUARE = "as many rows as columns (length, length)"
SCORES = "at least 2 axes (..., q_len, k_len), none of them empty"

BAD = {
    "table": TABLE,
    "measured_wavelengths.table": [
        *TABLE,
        (torch.zeros(2, 8), ValueError, FEW, "shape (2, 8)"),
        (torch.zeros(1, 8), ValueError, FEW, "shape (1, 8)"),
    ],
    "matrix": [
        *floats("(length, length)"),
        (torch.zeros(3, 8), ValueError, SQUARE, "shape (3, 8)"),
        (torch.zeros(3, 3, 3), ValueError, SQUARE, "shape (3, 3, 3)"),
        (torch.zeros(3), ValueError, SQUARE, "shape (3,)"),
    ],
    "scores": [
        *floats("(..., q_len, k_len)"),
        (torch.zeros(8), ValueError, "at least 2 axes (..., q_len, k_len)", "shape (8,)"),
        (torch.zeros(()), ValueError, "at least 2 axes (..., q_len, k_len)", "shape ()"),
        (torch.zeros(2, 0, 3), ValueError, SCORES, "shape (2, 0, 3)"),
        (torch.zeros(3, 0), ValueError, SCORES, "shape (3, 0)"),
    ],
    "cosine": [
        (1, TypeError, "a bool", "1 (int)"),
        (None, TypeError, "a bool", "None (NoneType)"),
        ("cosine", TypeError, "a bool", "'cosine' (str)"),
    ],
    "neighbour_distances.offset": [
        (1.0, TypeError, OFFSET, "1.0 (float)"),
        (None, TypeError, OFFSET, "None (NoneType)"),
        (True, TypeError, OFFSET, "True (bool)"),
        (0, ValueError, OFFSET, "0"),
        (-1, ValueError, OFFSET, "-1"),
        (5, ValueError, OFFSET, "5"),
    ],
}
GOOD = {
    "table": torch.zeros(5, 4),
    "matrix": torch.zeros(3, 3),
    "scores": torch.zeros(2, 3, 4),
    "neighbour_distances.offset": 4,
}

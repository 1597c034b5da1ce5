"""What several exercises share: the titles of the chapter's sections, and random tables."""

import torch
from torch import Tensor

from pe_lib.exercises.inputs import fixed

# Titles of the sections of chapter 03 (a test finds each of them there) …
TABLE = "A table is a one-hot product"
GRADIENT = "Only the rows that were used"
TRAINED = "What training writes into the table"
# … and of its deeper page.
STRETCHING = "Stretching a table"
PADDING = "Why 512, and why 514?"


def numbers(*shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    """Fixed random numbers of this shape."""
    return fixed(*shape, seed=sum(shape), dtype=dtype)

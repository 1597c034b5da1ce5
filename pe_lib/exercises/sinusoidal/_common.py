"""What several exercises share: titles of the chapter's sections, positions and exponents."""

import torch
from torch import Tensor

# Titles of the sections of chapter 02 (a test finds each of them there).
FORMULA = "The formula, symbol by symbol"
CODE = "The table in code"
WAVELENGTHS = "From fast hands to slow hands"
SHIFT = "A shift is a rotation"
DOT_PRODUCT = "What two positions say to each other"
ADDING = "Adding positions to words"
SCALE = "Why the factor √d"


def row(length: int, first: int = 0) -> Tensor:
    """The positions first … first + length - 1."""
    return torch.arange(first, first + length, dtype=torch.float64)


def even(dim: int) -> Tensor:
    """0, 2, 4 … dim - 2, as the right exponents have it."""
    return torch.arange(0, dim, 2, dtype=torch.float64)

"""What several exercises name or need: the chapter's sections, and frequencies that go wrong."""

import torch
from torch import Tensor

# Titles of the sections of chapter 06 (a test finds each of them there) …
UNSEEN = "Angles never seen"
SQUEEZE = "Squeeze the positions"
BASE = "Change the base"
# … and of its deeper page.
DYNAMIC = "Dynamic NTK, and keys that go stale"
RAMP = "YaRN, exactly, and the names in a configuration"


def numbers(dim: int) -> Tensor:
    """The pairs, counted from 0."""
    return torch.arange(dim // 2, dtype=torch.float64)


def exponent_over_the_pairs(dim: int, theta: float) -> Tensor:
    """Frequencies that fall twice as far as they should."""
    return theta ** (-2 * numbers(dim) / (dim // 2))


def exponent_without_the_2(dim: int, theta: float) -> Tensor:
    """Frequencies that fall only half as far as they should."""
    return theta ** (-numbers(dim) / dim)

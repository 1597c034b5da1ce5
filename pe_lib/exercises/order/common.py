"""What several exercises name: the chapter's sections, and random numbers."""

import torch
from torch import Tensor

# Titles of the sections of chapter 01 (a test finds each of them there).
ROWS = "From words to rows"
THREE_SLIPS = "Three slips with this table"
STATEMENT = "The statement, exactly"
EQUIVARIANT = "Equivariant, not invariant"
COUNTING = "Counting with a mask"
RECURRENT = "Order for free: a recurrent network"


def numbers(*shape: int) -> Tensor:
    """Fixed random numbers of this shape."""
    generator = torch.Generator().manual_seed(sum(shape))
    return torch.randn(shape, generator=generator, dtype=torch.float64)

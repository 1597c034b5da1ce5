"""x of shape (batch, heads, seq, head_dim), turned by its positions."""

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.rope_in_code._common import angles_of, turned


def places(x: Tensor, offset: int) -> Tensor:
    return torch.arange(offset, offset + x.shape[-2])


def angles_at(x: Tensor, offset: int = 0, interleaved: bool = False) -> Tensor:
    return angles_of(places(x, offset), inverse_frequencies(x.shape[-1]), interleaved)


def rope(x: Tensor, offset: int = 0) -> Tensor:
    """In float64, whatever x is."""
    return turned(x, angles_at(x, offset))

"""A heat map in characters."""

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.diagnostics._rows import float64_rows

THRESHOLDS = (-0.5, 0.0, 0.5)
BLOCKS = " ░▓█"  # up to the first threshold, up to the second, ...


def ascii_map(table: Float[Tensor, "length dim"]) -> str:
    """The table as a heat map in characters, for where no picture can be shown.

    ``█`` for values above 0.5, ``▓`` for those above 0, ``░`` above -0.5, and a space for the
    rest. One line a position, one character a feature; for the other way round give ``table.T``.

    Args:
        table: (length, dim), one row a position, values between -1 and 1 (scale a learned one).

    Raises:
        TypeError, ValueError: ``table`` is not such a tensor, or empty.

    Example:
        >>> print(ascii_map(torch.tensor([[0.9, 0.2, -0.2], [-0.9, 0.9, 0.0]])))
        █▓░
         █░
    """
    level = (float64_rows(table)[..., None] > torch.tensor(THRESHOLDS, device="cpu")).sum(-1)
    return "\n".join("".join(BLOCKS[i] for i in line) for line in level.tolist())

"""What several exercises name or need: the chapter's sections, and a turn in any layout."""

import torch
from torch import Tensor

from pe_lib.common.positions import position_angles
from pe_lib.rotary.apply import rotate_half

# Titles of the sections of chapter 05 (a test finds each of them there) …
HALF_SPLIT = "Ten lines, half-split"
LAYOUT = "Which layout?"
WEIGHTS = "Weights, head by head"
BLOCK = "Where it goes in a block"
OFFSET = "Offset and the KV cache"
LEFT_PADDING = "Left padding"
PRECISION = "Precision"
# … and of its deeper page.
PACKED = "Packed documents"


def angles_of(positions: Tensor, frequencies: Tensor, interleaved: bool = False) -> Tensor:
    """Angles of full width, (seq, dim): both features of a pair have its angle."""
    angles = position_angles(positions, frequencies)
    if interleaved:
        return angles.repeat_interleave(2, dim=-1)
    return torch.cat((angles, angles), dim=-1)


def turned(x: Tensor, angles: Tensor, interleaved: bool = False) -> Tensor:
    """x (..., seq, dim) turned by angles of full width; ``interleaved`` is its quarter turn."""
    return x * angles.cos() + rotate_half(x, interleaved=interleaved) * angles.sin()

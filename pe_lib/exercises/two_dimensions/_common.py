"""What several exercises name or need: the chapter's sections, patches and their angles."""

import torch
from torch import Tensor

from pe_lib.common._grid import patch_positions
from pe_lib.common.frequencies import inverse_frequencies

# Titles of the sections of chapter 07 (a test finds each of them there) …
LINE = "A line through the picture"
SUM = "Two rotations side by side"
RESOLUTION = "Another resolution"
# … and of the page about text and pictures.
MULTIMODAL = "Three positions for every token"
SECTIONS = "Sections, in blocks and interleaved"


def patches(height: int, width: int) -> tuple[Tensor, Tensor]:
    """Column x and row y of every patch, row by row."""
    y, x = patch_positions(height, width)
    return x, y


def axial(x: Tensor, y: Tensor, dim: int, theta: float) -> Tensor:
    """Angles of dim/2 pairs, the first half by ``x`` and the second by ``y``."""
    frequencies = inverse_frequencies(dim // 2, theta)
    return side_by_side(x, y, frequencies, frequencies)


def side_by_side(x: Tensor, y: Tensor, of_x: Tensor, of_y: Tensor) -> Tensor:
    """Angles where each axis has frequencies of its own."""
    return torch.cat((torch.outer(x, of_x), torch.outer(y, of_y)), dim=-1)


def exponent_over_all_features(x: Tensor, y: Tensor, dim: int, theta: float) -> Tensor:
    """As ``axial``, with the slow half of the frequencies missing."""
    fast = inverse_frequencies(dim, theta)[: dim // 4]
    return side_by_side(x, y, fast, fast)


def one_run_over_both_axes(x: Tensor, y: Tensor, dim: int, theta: float) -> Tensor:
    """As ``axial``, with the fast frequencies for ``x`` and the slow ones for ``y``."""
    fast, slow = inverse_frequencies(dim, theta).chunk(2)
    return side_by_side(x, y, fast, slow)

"""Where patches lie, as it goes wrong in every exercise that asks for them.

Each is a column x and a row y for every patch.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.two_dimensions._common import LINE, patches

Grid = Callable[[int, int], tuple[Tensor, Tensor]]

wrong_grids = Mistakes()


def _numbers(height: int, width: int) -> Tensor:
    """The patches, counted through."""
    return torch.arange(height * width, dtype=torch.float64)


@wrong_grids.mistake(see=LINE)
def height_and_width_exchanged(height: int, width: int) -> tuple[Tensor, Tensor]:
    """right for square pictures. In others your columns go as far as the rows should: a row ends
    after as many patches as the picture is wide, not high."""
    return patches(width, height)


@wrong_grids.mistake(see=LINE)
def row_by_the_height(height: int, width: int) -> tuple[Tensor, Tensor]:
    """right for square pictures. In others the column is right, but not your row: the next begins
    after as many patches as the picture is wide, not high."""
    n = _numbers(height, width)
    return n % width, n // height


@wrong_grids.mistake(see=LINE)
def column_by_the_height(height: int, width: int) -> tuple[Tensor, Tensor]:
    """right for square pictures. In others the row is right, but not your column: it starts again
    after as many patches as the picture is wide, not high."""
    n = _numbers(height, width)
    return n % height, n // width


@wrong_grids.mistake(see=LINE)
def row_goes_with_the_column(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your row changes with every patch, as the column does. It stays the same until the picture's
    row is full."""
    n = _numbers(height, width)
    return n % width, n % height


@wrong_grids.mistake(see=LINE)
def column_waits_with_the_row(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your column stays the same for several patches, as the row does. It changes with every
    patch."""
    n = _numbers(height, width)
    return n // height, n // width


@wrong_grids.mistake(see=LINE)
def row_not_whole(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your row grows a little with every patch. It is a whole number, and stays the same until the
    picture's row is full."""
    n = _numbers(height, width)
    return n % width, n / width


@wrong_grids.mistake(see=LINE)
def patches_numbered_from_1(height: int, width: int) -> tuple[Tensor, Tensor]:
    """you number the patches from 1, so the last of a row falls into the next row. The first patch
    is number 0."""
    n = _numbers(height, width) + 1
    return n % width, n // width


@wrong_grids.mistake(see=LINE)
def patches_column_by_column(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your patches are in a different order: they go down the first column before the second
    begins. A picture is read row by row, as a text is."""
    y, x = patches(width, height)
    return x, y

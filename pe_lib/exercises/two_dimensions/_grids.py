"""Mistakes in where patches lie, for every exercise that needs their places.

Each of them gives a column x and a row y for every patch.
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
    """right for square pictures. In others, your columns go as far as the rows should: a row ends
    when the width is reached, not the height."""
    return patches(width, height)


@wrong_grids.mistake(see=LINE)
def row_by_the_height(height: int, width: int) -> tuple[Tensor, Tensor]:
    """right for square pictures. In others, the column is right but the row is not: a new row
    begins when the width is reached, not the height."""
    n = _numbers(height, width)
    return n % width, n // height


@wrong_grids.mistake(see=LINE)
def column_by_the_height(height: int, width: int) -> tuple[Tensor, Tensor]:
    """right for square pictures. In others, the row is right but the column is not: it should start
    again when the width is reached, not the height."""
    n = _numbers(height, width)
    return n % height, n // width


@wrong_grids.mistake(see=LINE)
def row_goes_with_the_column(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your row changes with every patch, as the column does. It should stay the same until a row of
    the picture is full."""
    n = _numbers(height, width)
    return n % width, n % height


@wrong_grids.mistake(see=LINE)
def column_waits_with_the_row(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your column stays the same for several patches, as the row does. It should change with every
    patch."""
    n = _numbers(height, width)
    return n // height, n // width


@wrong_grids.mistake(see=LINE)
def row_not_whole(height: int, width: int) -> tuple[Tensor, Tensor]:
    """your row grows a little with every patch. It should be a whole number that stays the same
    until a row of the picture is full."""
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

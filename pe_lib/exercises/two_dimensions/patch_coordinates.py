"""Exercise: column and row of every patch."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.two_dimensions._common import LINE, patches
from pe_lib.exercises.two_dimensions._grids import Grid, wrong_grids

exercise = Exercise(
    call(2, 3), call(3, 5), call(1, 7), call(7, 1), call(9, 2), call(4, 4), call(40, 130)
)


@exercise.answer
def my_coordinates(height: int, width: int) -> Tensor:
    return _at(patches, height, width).long()


def _pairs(x: Tensor, y: Tensor) -> Tensor:
    return torch.stack((x, y), dim=1)


def _at(grid: Grid, height: int, width: int) -> Tensor:
    return _pairs(*grid(height, width))


# --- which is which -----------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def row_first(height: int, width: int) -> Tensor:
    """the order of the patches is right, but you give the row first. The exercise asks for x, the
    column, and then y."""
    return my_coordinates(height, width).flip(1)


@exercise.mistake(see=LINE)
def number_of_the_patch_as_column(height: int, width: int) -> Tensor:
    """your rows are right, but the column keeps counting to the end of the picture. It should start
    again in every row."""
    return _pairs(torch.arange(height * width), patches(height, width)[1])


# --- rows and columns ---------------------------------------------------------------------------


exercise.take(wrong_grids, within=_at)


# --- where counting starts ----------------------------------------------------------------------


@exercise.mistake(see=LINE)
def counted_from_1(height: int, width: int) -> Tensor:
    """every number is one too large: the first patch is in column 0 of row 0."""
    return my_coordinates(height, width) + 1


@exercise.mistake(see=LINE)
def bottom_row_first(height: int, width: int) -> Tensor:
    """your rows count upwards, as the y-axis of a diagram does. Those of a picture count
    downwards, from the row that is read first."""
    x, y = patches(height, width)
    return _pairs(x, height - 1 - y)


@exercise.mistake(see=LINE)
def counted_from_the_middle(height: int, width: int) -> Tensor:
    """your numbers count from the middle of the picture. No score would change, because only
    differences matter to a rotation. But the exercise asks you to count from the first patch."""
    x, y = patches(height, width)
    return _pairs(x - (width - 1) / 2, y - (height - 1) / 2)


@exercise.mistake(see=LINE)
def middles_of_the_patches(height: int, width: int) -> Tensor:
    """you give where the middle of each patch lies, half a patch farther on both axes. The exercise
    asks for whole numbers, counted from 0."""
    return my_coordinates(height, width) + 0.5


# --- another unit -------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def shares_of_the_picture(height: int, width: int) -> Tensor:
    """your numbers are shares of the picture's width and height. The exercise asks you to count
    patches: neighbours are 1 apart."""
    x, y = patches(height, width)
    return _pairs(x / width, y / height)


@exercise.mistake(see=LINE)
def from_0_to_1(height: int, width: int) -> Tensor:
    """your numbers end at 1 in every picture. The exercise asks you to count patches: neighbours
    are 1 apart, in small pictures and large ones."""
    x, y = patches(height, width)
    return _pairs(x / max(width - 1, 1), y / max(height - 1, 1))


# --- squares ------------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def square_from_the_number_of_patches(height: int, width: int) -> Tensor:
    """you use the square root of the number of patches as the side of the picture. That is right
    only for squares: the width is an argument of your function."""
    number, side = torch.arange(height * width), math.isqrt(height * width)
    return _pairs(number % side, number // side)


@exercise.mistake(see=LINE)
def as_many_rows_as_columns(height: int, width: int) -> Tensor:
    """your picture is a square: it has as many rows as columns, whatever the height."""
    return my_coordinates(width, width)


@exercise.mistake(see=LINE)
def as_many_columns_as_rows(height: int, width: int) -> Tensor:
    """your picture is a square: it has as many columns as rows, whatever the width."""
    return my_coordinates(height, height)


# --- the shape ----------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def all_columns_and_then_all_rows(height: int, width: int) -> Tensor:
    """the numbers are right, but your result is transposed: each patch should have a row of its
    own, with its two numbers."""
    return my_coordinates(height, width).T


@exercise.mistake(see=LINE)
def reshaped_for_transposed(height: int, width: int) -> Tensor:
    """the right numbers at the wrong places: reshaping does not exchange two axes, it only reads
    the same numbers in rows of a different length."""
    return my_coordinates(height, width).T.reshape(-1, 2)


@exercise.mistake(see=LINE)
def rows_first_and_reshaped(height: int, width: int) -> Tensor:
    """the right numbers at the wrong places: all rows come first, and reshaping does not exchange
    two axes. It only reads the same numbers in rows of a different length."""
    return my_coordinates(height, width).flip(1).T.reshape(-1, 2)


@exercise.mistake(see=LINE)
def still_a_picture(height: int, width: int) -> Tensor:
    """the right numbers, but they still lie in the picture's rows. Attention sees a sequence: one
    patch after the other, and two numbers each."""
    return my_coordinates(height, width).reshape(height, width, 2)


@exercise.mistake(see=LINE)
def one_number_a_patch(height: int, width: int) -> Tensor:
    """you give each patch one number. That is the line through the picture; here each has two."""
    return torch.arange(height * width)

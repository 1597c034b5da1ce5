"""Exercise: the angles of two rotations side by side."""

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.two_dimensions._common import (
    LINE,
    SUM,
    axial,
    exponent_over_all_features,
    one_run_over_both_axes,
    patches,
    side_by_side,
)
from pe_lib.exercises.two_dimensions._grids import Grid, wrong_grids

exercise = Exercise(
    call(2, 3, 8),
    call(3, 5, 12),
    call(1, 7, 16),
    call(7, 1, 4),
    call(2, 9, 64, theta=10000.0),
    call(60, 80, 24, 500000.0),
)


@exercise.answer
def my_angles(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    return _at(patches, height, width, dim, theta)


def _at(grid: Grid, height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    return axial(*grid(height, width), dim, theta)


def _numbers(height: int, width: int) -> Tensor:
    return torch.arange(height * width, dtype=torch.float64)


def _half(dim: int, theta: float) -> Tensor:
    """The frequencies of one axis."""
    return inverse_frequencies(dim // 2, theta)


# --- the frequencies ----------------------------------------------------------------------------


@exercise.mistake(see=SUM)
def exponent_over_dim(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your frequencies fall too slowly from pair to pair: you divide the exponent by the number of
    all features, but each axis is a rotation of its own with half of them."""
    return exponent_over_all_features(*patches(height, width), dim, theta)


@exercise.mistake(see=SUM)
def exponent_over_a_quarter(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your frequencies fall too fast from pair to pair: you divide the exponent by the number of
    pairs of an axis. It should be divided by the number of features of an axis."""
    frequencies = theta ** (-2 * torch.arange(dim // 4, dtype=torch.float64) / (dim // 4))
    return side_by_side(*patches(height, width), frequencies, frequencies)


@exercise.mistake(see=SUM)
def a_quarter_of_the_features(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """you give too few columns: each axis has half of the features, and so half of all pairs. You
    halve once more than that."""
    each = dim // 4
    frequencies = theta ** (-torch.arange(0, each, 2, dtype=torch.float64) / each)
    return side_by_side(*patches(height, width), frequencies, frequencies)


@exercise.mistake(see=SUM)
def one_run_of_frequencies(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your frequencies continue from the columns to the rows, so all fast pairs depend on x and all
    slow ones on y. Each axis should begin with the fastest frequency."""
    return one_run_over_both_axes(*patches(height, width), dim, theta)


@exercise.mistake(see=SUM)
def frequencies_dealt_out(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """the frequencies of your columns are right, but the rows have different ones, which lie in
    between. Both axes should have the same frequencies."""
    every = inverse_frequencies(dim, theta)
    return side_by_side(*patches(height, width), every[0::2], every[1::2])


@exercise.mistake(see=SUM)
def positive_exponent(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your frequencies grow from pair to pair: the exponent has the wrong sign. The first pair is
    the fastest, with one radian per patch."""
    return side_by_side(*patches(height, width), 1 / _half(dim, theta), 1 / _half(dim, theta))


@exercise.mistake(see=SUM)
def theta_ignored(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """right for the usual base, but your function ignores its argument theta."""
    return my_angles(height, width, dim)


# --- which pairs see what -----------------------------------------------------------------------


@exercise.mistake(see=SUM)
def row_first(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """the first half of your pairs turns with the row, and the second half with the column. The
    exercise asks for x, the column, first."""
    x, y = patches(height, width)
    return axial(y, x, dim, theta)


@exercise.mistake(see=SUM)
def pair_by_pair(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your angles are right, but in a different order: column and row alternate from pair to pair.
    The exercise asks for two halves, first that of the columns and then that of the rows."""
    axes = my_angles(height, width, dim, theta).chunk(2, dim=-1)
    return torch.stack(axes, dim=-1).flatten(-2)


@exercise.mistake(see=SUM)
def one_run_pair_by_pair(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """column and row alternate from pair to pair, and share one run of frequencies. The exercise
    asks for two halves with the same frequencies, the columns' and the rows'."""
    axes = torch.stack(patches(height, width), dim=1)  # x, y, x, y, …
    return axes.repeat(1, dim // 4) * inverse_frequencies(dim, theta)


@exercise.mistake(see=SUM)
def column_twice(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """both halves of your pairs turn with the column, so all patches of a column have the same
    angles."""
    x, _ = patches(height, width)
    return axial(x, x, dim, theta)


@exercise.mistake(see=SUM)
def row_twice(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """both halves of your pairs turn with the row, so all patches of a row have the same angles."""
    _, y = patches(height, width)
    return axial(y, y, dim, theta)


@exercise.mistake(see=SUM)
def sum_of_both(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """every pair turns with the sum of column and row, so all patches on a rising diagonal have the
    same angles. Each pair should depend on only one of the two."""
    x, y = patches(height, width)
    return torch.outer(x + y, inverse_frequencies(dim, theta))


@exercise.mistake(see=LINE)
def number_of_the_patch(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """this is a line through the picture: every pair turns with the number of the patch, so the one
    below is a whole row away."""
    return torch.outer(_numbers(height, width), inverse_frequencies(dim, theta))


@exercise.mistake(see=LINE)
def number_of_the_patch_in_both(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """both halves of your pairs turn with the number of the patch. That is the line through the
    picture, twice; one half should depend on the column and the other on the row."""
    number = _numbers(height, width)
    return axial(number, number, dim, theta)


@exercise.mistake(see=LINE)
def number_of_the_patch_as_column(
    height: int, width: int, dim: int, theta: float = 100.0
) -> Tensor:
    """the half of the rows is right, but your column keeps counting to the end of the picture. It
    should start again in every row."""
    return axial(_numbers(height, width), patches(height, width)[1], dim, theta)


# --- the patches --------------------------------------------------------------------------------


exercise.take(wrong_grids, within=_at)


@exercise.mistake(see=LINE)
def counted_from_1(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your first patch is in column 1 of row 1. No score would change, because only differences
    matter to a rotation. But the exercise asks you to count from 0."""
    x, y = patches(height, width)
    return axial(x + 1, y + 1, dim, theta)


# --- the shape ----------------------------------------------------------------------------------


@exercise.mistake(see=SUM)
def every_frequency_for_both(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """you give twice as many columns as there are pairs: each axis has the frequencies of a whole
    head. Each axis should have half of the head's pairs."""
    every = inverse_frequencies(dim, theta)
    return side_by_side(*patches(height, width), every, every)


@exercise.mistake(see=SUM)
def an_angle_for_every_feature(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """you give every angle twice, once for each feature of its pair. The exercise asks for one
    angle for each pair."""
    return my_angles(height, width, dim, theta).repeat(1, 2)


@exercise.mistake(see=SUM)
def every_angle_twice(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """you give every angle twice, for two features that are neighbours. The exercise asks for one
    angle for each pair."""
    return my_angles(height, width, dim, theta).repeat_interleave(2, dim=1)


@exercise.mistake(see=SUM)
def still_a_picture(height: int, width: int, dim: int, theta: float = 100.0) -> Tensor:
    """your angles are right, but they are still arranged in the rows of the picture. Attention sees
    a sequence: one patch after the other."""
    return my_angles(height, width, dim, theta).reshape(height, width, -1)

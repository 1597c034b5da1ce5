"""Exercise: queries or keys of a picture's patches, rotated in two dimensions."""

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.two_dimensions._common import (
    LINE,
    SUM,
    axial,
    exponent_over_all_features,
    one_run_over_both_axes,
    patches,
)
from pe_lib.exercises.two_dimensions._grids import Grid, wrong_grids
from pe_lib.rotary.apply import apply_rotary, rotate_half


def _call(heads: int, height: int, width: int, dim: int, *theta: float) -> Call:
    x = fixed(heads, height * width, dim, seed=10 * height + width)
    return call(x, height, width, *theta)


exercise = Exercise(
    _call(1, 2, 3, 8),
    _call(3, 1, 7, 4),
    _call(2, 7, 1, 12),
    _call(4, 2, 9, 16, 100.0),
    _call(2, 3, 5, 64),
    _call(1, 60, 80, 8, 500.0),
)


@exercise.answer
def my_rotate(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    return _at(patches, x, height, width, theta)


def _at(grid: Grid, x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    return _turned(x, axial(*grid(height, width), x.shape[-1], theta))


def _angles(x: Tensor, height: int, width: int, theta: float) -> Tensor:
    return axial(*patches(height, width), x.shape[-1], theta)


def _turned(x: Tensor, angles: Tensor, interleaved: bool = False) -> Tensor:
    return apply_rotary(x, angles.cos(), angles.sin(), interleaved=interleaved)


# --- which features are a pair ------------------------------------------------------------------


@exercise.mistake(see=SUM)
def pairs_inside_each_half(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """you cut the head in two and rotate each half on its own, so partners are a quarter of the
    head apart. That is a layout too, but the exercise asks for partners half of the head apart."""
    halves = zip(x.chunk(2, dim=-1), _angles(x, height, width, theta).chunk(2, dim=-1), strict=True)
    return torch.cat([_turned(half, angles) for half, angles in halves], dim=-1)


@exercise.mistake(see=SUM)
def neighbours_as_pairs(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """your pairs are neighbours. That is the other layout; here the partner is half of the head
    away."""
    return _turned(x, _angles(x, height, width, theta), interleaved=True)


@exercise.mistake(see=SUM)
def halves_table_for_neighbours(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """you mix two layouts: your features are paired with their neighbours, while the table is made
    for partners half of the head away. Two features of a pair get different angles, and lengths
    change: that is not a rotation."""
    angles = _angles(x, height, width, theta).repeat(1, 2)
    return x * angles.cos() + rotate_half(x, interleaved=True) * angles.sin()


@exercise.mistake(see=SUM)
def neighbours_table_for_halves(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """you mix two layouts: your features are paired with those half of the head away, while the
    table gives each angle to two neighbours. Lengths change: that is not a rotation."""
    angles = _angles(x, height, width, theta).repeat_interleave(2, dim=-1)
    return x * angles.cos() + rotate_half(x) * angles.sin()


@exercise.mistake(see=SUM)
def reshaped_for_transposed(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """with more than one head, your patches get the angles of other patches. Reshaping does not
    exchange two axes: it only reads the same numbers in rows of a different length."""
    heads, seq, dim = x.shape
    angles = _angles(x, height, width, theta)
    turned = _turned(x.reshape(seq, heads, dim).transpose(0, 1), angles)
    return turned.transpose(0, 1).reshape(heads, seq, dim)


@exercise.mistake(see=SUM)
def halves_put_back_as_neighbours(
    x: Tensor, height: int, width: int, theta: float = 100.0
) -> Tensor:
    """every pair is turned correctly, but you put its two features side by side. They belong where
    they came from, half of the head apart."""
    halves = my_rotate(x, height, width, theta).chunk(2, dim=-1)
    return torch.stack(halves, dim=-1).flatten(-2)


@exercise.mistake(see=SUM)
def neighbours_put_back_as_halves(
    x: Tensor, height: int, width: int, theta: float = 100.0
) -> Tensor:
    """your pairs are neighbours, but you write their features half of the head apart. You should
    read them half of the head apart, too."""
    turned = _turned(x, _angles(x, height, width, theta), interleaved=True)
    return torch.cat((turned[..., 0::2], turned[..., 1::2]), dim=-1)


# --- the rotation -------------------------------------------------------------------------------


@exercise.mistake(see=SUM)
def turned_the_other_way(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """your pairs turn in the wrong direction: the minus sign is at the wrong sine."""
    return _turned(x, -_angles(x, height, width, theta))


@exercise.mistake(see=SUM)
def minus_sign_forgotten(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """lengths change: both sines are added. In a rotation one of the two is subtracted."""
    angles = _angles(x, height, width, theta).repeat(1, 2)
    return x * angles.cos() + x.roll(x.shape[-1] // 2, dims=-1) * angles.sin()


@exercise.mistake(see=SUM)
def partner_already_turned(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """the first half of your features is right, but the second half is made from features of the
    first that have already been turned. Make both halves from the features that came in."""
    angles = _angles(x, height, width, theta)
    first, _ = _turned(x, angles).chunk(2, dim=-1)
    _, second = x.chunk(2, dim=-1)
    return torch.cat((first, second * angles.cos() + first * angles.sin()), dim=-1)


@exercise.mistake(see=SUM)
def partner_forgotten(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """no feature meets its partner: you multiply each by its own cosine and sine. A rotation mixes
    the two features of a pair."""
    angles = _angles(x, height, width, theta).repeat(1, 2)
    return x * (angles.cos() + angles.sin())


@exercise.mistake(see=SUM)
def added(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """you add sines and cosines to the features, as the sinusoidal encoding does. A rotation
    multiplies, and leaves lengths as they are."""
    angles = _angles(x, height, width, theta)
    return x + torch.cat((angles.sin(), angles.cos()), dim=-1)


# --- the angles ---------------------------------------------------------------------------------


@exercise.mistake(see=SUM)
def row_first(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """the first half of your pairs turns with the row, and the second half with the column. The
    exercise asks for x, the column, first."""
    columns, rows = patches(height, width)
    return _turned(x, axial(rows, columns, x.shape[-1], theta))


@exercise.mistake(see=SUM)
def rows_not_turned(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """only the pairs of the columns turn, and the others stay as they are. So all patches of a
    column are rotated alike."""
    columns, rows = patches(height, width)
    return _turned(x, axial(columns, 0 * rows, x.shape[-1], theta))


@exercise.mistake(see=SUM)
def exponent_over_dim(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """the rotation is right, but your slow pairs are too fast: you divide the exponent by the
    number of all features. Each axis is a rotation of its own, with half of them."""
    angles = exponent_over_all_features(*patches(height, width), x.shape[-1], theta)
    return _turned(x, angles)


@exercise.mistake(see=SUM)
def one_run_of_frequencies(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """the rotation is right, but your frequencies continue from the columns to the rows. Each axis
    should begin with the fastest frequency."""
    return _turned(x, one_run_over_both_axes(*patches(height, width), x.shape[-1], theta))


@exercise.mistake(see=SUM)
def theta_ignored(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """right for the usual base, but your function ignores its argument theta."""
    return my_rotate(x, height, width)


@exercise.mistake(see=LINE)
def number_of_the_patch(x: Tensor, height: int, width: int, theta: float = 100.0) -> Tensor:
    """this is a line through the picture: every pair turns with the number of the patch, so the one
    below is a whole row away."""
    number = torch.arange(height * width, dtype=torch.float64)
    return _turned(x, torch.outer(number, inverse_frequencies(x.shape[-1], theta)))


# --- the patches --------------------------------------------------------------------------------


exercise.take(wrong_grids, within=_at)

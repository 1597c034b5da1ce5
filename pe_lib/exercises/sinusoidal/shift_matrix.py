"""Exercise: the shift matrix."""

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import shift_matrix
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.sinusoidal._common import FORMULA, SHIFT, even

exercise = Exercise(call(3, 4), call(1, 6), call(0, 8), call(-2, 8), call(4, 12))


@exercise.answer
def my_shift_matrix(k: int, dim: int) -> Tensor:
    return shift_matrix(k, dim)


def _turning_by(angles: Tensor) -> Tensor:
    """A shift matrix from the angle of every pair."""
    cos, sin = angles.cos(), angles.sin()
    blocks = torch.stack((cos, sin, -sin, cos), dim=-1).unflatten(-1, (2, 2))
    matrix: Tensor = torch.block_diag(*blocks)
    return matrix


@exercise.mistake(see=SHIFT)
def sign_of_k_lost(k: int, dim: int) -> Tensor:
    """your matrix moves forward even if k is negative. Do you take the absolute value of k, or do
    something that has the same effect?"""
    return shift_matrix(abs(k), dim)


# --- frequencies --------------------------------------------------------------------------------


@exercise.mistake(see=SHIFT)
def one_angle_for_all_pairs(k: int, dim: int) -> Tensor:
    """every block turns by the angle of the fastest pair. Each pair has its own frequency."""
    return _turning_by(torch.full((dim // 2,), float(k)))


@exercise.mistake(see=SHIFT)
def pairs_counted_from_1(k: int, dim: int) -> Tensor:
    """every block has the frequency of the next pair: the pairs are counted from 0."""
    return _turning_by(k * 10000 ** (-(even(dim) + 2) / dim))


@exercise.mistake(see=FORMULA)
def sign_of_the_exponent(k: int, dim: int) -> Tensor:
    """the exponent has the wrong sign: your later pairs turn faster than the first one."""
    return _turning_by(k * 10000 ** (even(dim) / dim))


@exercise.mistake(see=FORMULA)
def exponent_without_its_2(k: int, dim: int) -> Tensor:
    """your frequencies fall only half as far as they should: in the exponent, the index of the
    pair has lost its factor."""
    return _turning_by(k * 10000 ** (-even(dim) / 2 / dim))


@exercise.mistake(see=FORMULA)
def exponent_with_its_2_twice(k: int, dim: int) -> Tensor:
    """your frequencies fall twice as far as they should: a number that steps by two already
    holds the factor 2, and you multiply by 2 again."""
    return _turning_by(k * 10000 ** (-2 * even(dim) / dim))


# --- from one step to k steps -------------------------------------------------------------------


@exercise.mistake(see=SHIFT)
def without_k(k: int, dim: int) -> Tensor:
    """your matrix is the same for every k: it always moves one position forward."""
    return shift_matrix(1, dim)


@exercise.mistake(see=SHIFT)
def k_as_a_factor(k: int, dim: int) -> Tensor:
    """you multiply the matrix of one step by k. That makes vectors k times as long; k steps
    should turn them k times as far."""
    return k * shift_matrix(1, dim)


@exercise.mistake(see=SHIFT)
def power_of_each_number(k: int, dim: int) -> Tensor:
    """you raise every single number of the one-step matrix to a power. But k steps are k turns, one
    after the other: a product of matrices."""
    power: Tensor = shift_matrix(1, dim) ** k
    return power


@exercise.mistake(see=SHIFT)
def turned_backwards(k: int, dim: int) -> Tensor:
    """your matrix goes k positions back: every block turns the wrong way. Which comes first in a
    pair, the sine or the cosine?"""
    return shift_matrix(-k, dim)


# --- blocks -------------------------------------------------------------------------------------


@exercise.mistake(see=SHIFT)
def minus_sign_missing(k: int, dim: int) -> Tensor:
    """your blocks are symmetric, so they do not turn: a minus sign is missing."""
    upper = shift_matrix(k, dim).triu()
    return upper + upper.triu(1).T


@exercise.mistake(see=SHIFT)
def only_the_diagonal(k: int, dim: int) -> Tensor:
    """only the diagonal is filled. A cosine alone cannot tell forwards from backwards: each new
    value mixes both values of its pair."""
    return shift_matrix(k, dim).diag().diag()


@exercise.mistake(see=SHIFT)
def one_block_too_many(k: int, dim: int) -> Tensor:
    """your matrix is two rows and two columns too large: there is one block for each pair, and
    the pairs are counted from 0."""
    return _turning_by(k * 10000 ** (-even(dim + 2) / dim))


@exercise.mistake(see=SHIFT)
def half_split_layout(k: int, dim: int) -> Tensor:
    """your matrix pairs the first column with the first one of the second half, and so on. In
    this table the two columns of a pair are neighbours."""
    order = torch.cat((torch.arange(0, dim, 2), torch.arange(1, dim, 2)))
    return shift_matrix(k, dim)[order][:, order]

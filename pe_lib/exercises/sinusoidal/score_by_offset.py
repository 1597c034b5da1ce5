"""Exercise: the score of an offset."""

import math

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.sinusoidal._common import DOT_PRODUCT, FORMULA, even, row

exercise = Exercise(call(1, 8), call(0, 6), call(4, 12), call(-3, 8), call(50, 4))


@exercise.answer
def my_score(k: int, dim: int) -> Tensor:
    return _angles(k, dim).cos().sum()


def _angles(k: int, dim: int) -> Tensor:
    """By how much each pair turns on the way from one position to the other."""
    return k * inverse_frequencies(dim)


# --- terms and their sum ------------------------------------------------------------------------


@exercise.mistake(see=DOT_PRODUCT)
def mean_instead_of_sum(k: int, dim: int) -> Tensor:
    """your score never exceeds 1: you average over the pairs. A dot product is a sum."""
    return my_score(k, dim) / (dim / 2)


@exercise.mistake(see=DOT_PRODUCT)
def divided_by_the_root_of_dim(k: int, dim: int) -> Tensor:
    """you divide the score by the root of dim. Attention does that; the dot product alone does
    not."""
    return my_score(k, dim) / math.sqrt(dim)


@exercise.mistake(see=DOT_PRODUCT)
def every_pair_counted_twice(k: int, dim: int) -> Tensor:
    """your score is twice as large as it should be. The two columns of a pair together give one
    term."""
    return 2 * my_score(k, dim)


@exercise.mistake(see=DOT_PRODUCT)
def a_term_for_each_column(k: int, dim: int) -> Tensor:
    """you add a term for each of the columns. There are half as many pairs, and i counts pairs."""
    return (k * torch.pow(10000.0, -2 * row(dim) / dim)).cos().sum()


@exercise.mistake(see=DOT_PRODUCT)
def first_pair_only(k: int, dim: int) -> float:
    """only the first pair is counted, but every pair adds its own term. If there is a loop: does
    it end too early, at a `return` inside it?"""
    return math.cos(k)


@exercise.mistake(see=DOT_PRODUCT)
def last_pair_only(k: int, dim: int) -> Tensor:
    """only the last pair is counted, but every pair adds its own term. If there is a loop: does
    each step forget the sum so far?"""
    return _angles(k, dim)[-1].cos()


@exercise.mistake(see=DOT_PRODUCT)
def sines(k: int, dim: int) -> Tensor:
    """you add sines, so your score is 0 at offset 0, and it changes its sign with the offset. A
    vector is most similar to itself, and a step forwards and a step backwards score the same."""
    return _angles(k, dim).sin().sum()


@exercise.mistake(see=DOT_PRODUCT)
def angles_added_first(k: int, dim: int) -> Tensor:
    """you add the angles of all pairs and take one cosine. Each pair gives a term of its own,
    and the terms are added."""
    return _angles(k, dim).sum().cos()


# --- frequencies --------------------------------------------------------------------------------


@exercise.mistake(see=DOT_PRODUCT)
def one_angle_for_all_pairs(k: int, dim: int) -> float:
    """every pair turns by the angle of the fastest one. Each has its own frequency."""
    return dim / 2 * math.cos(k)


@exercise.mistake(see=DOT_PRODUCT)
def column_as_pair_index(k: int, dim: int) -> Tensor:
    """you give every column a frequency and a term of its own. The two columns of a pair share one
    frequency and one term."""
    return (k * 10000 ** (-row(dim) / dim)).cos().sum()


@exercise.mistake(see=FORMULA)
def exponent_without_its_2(k: int, dim: int) -> Tensor:
    """your frequencies fall only half as far as they should: in the exponent, the index of the
    pair has lost its factor."""
    return (k * 10000 ** (-even(dim) / 2 / dim)).cos().sum()


@exercise.mistake(see=FORMULA)
def exponent_with_its_2_twice(k: int, dim: int) -> Tensor:
    """your frequencies fall twice as far as they should: a number that steps by two already
    holds the factor 2, and you multiply by 2 again."""
    return (k * 10000 ** (-2 * even(dim) / dim)).cos().sum()


@exercise.mistake(see=FORMULA)
def sign_of_the_exponent(k: int, dim: int) -> Tensor:
    """the exponent has the wrong sign: your later pairs turn faster than the first one."""
    return (k * 10000 ** (even(dim) / dim)).cos().sum()

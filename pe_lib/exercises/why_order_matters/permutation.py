"""Exercise: the permutation matrix of an order."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.why_order_matters._common import NO_ORDER

exercise = Exercise(
    call([2, 0, 1]),
    call([0, 5, 2, 3, 4, 1]),
    call([1, 2, 3, 0]),
    call([4, 2, 0, 1, 3]),
    call([7, 3, 11, 0, 9, 5, 1, 8, 2, 10, 6, 4]),
)


@exercise.answer
def my_permutation(order: list[int]) -> Tensor:
    return _identity(order)[order]


def _identity(order: list[int]) -> Tensor:
    return torch.eye(len(order), dtype=torch.float64)


@exercise.mistake(see=NO_ORDER)
def the_way_back(order: list[int]) -> Tensor:
    """your matrix does the opposite: it sends each row back to where it came from. Which row should
    come first?"""
    return _identity(order)[:, order]


@exercise.mistake(see=NO_ORDER)
def words_counted_from_1(order: list[int]) -> Tensor:
    """each 1 is one column too far to the left, and that of word 0 is in the last column: the first
    word has number 0."""
    return _identity(order)[[word - 1 for word in order]]


@exercise.mistake(see=NO_ORDER)
def nothing_moves(order: list[int]) -> Tensor:
    """this is the identity: it leaves every word where it is."""
    return _identity(order)


@exercise.mistake(see=NO_ORDER)
def turned_round(order: list[int]) -> Tensor:
    """your matrix reverses every sentence, whatever order is asked for."""
    return _identity(order).flip(0)


@exercise.mistake(see=NO_ORDER)
def the_order_on_the_diagonal(order: list[int]) -> Tensor:
    """the numbers of the words are in the matrix. A permutation matrix holds nothing but zeros and
    ones; the order says where the ones are."""
    return torch.diag(torch.tensor(order, dtype=torch.float64))


@exercise.mistake(see=NO_ORDER)
def the_order_instead_of_the_matrix(order: list[int]) -> Tensor:
    """this is the order itself. The exercise asks for a matrix with one row for each place."""
    return torch.tensor(order, dtype=torch.float64)

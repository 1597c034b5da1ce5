"""Exercise: the permutation matrix of an order."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.why_order_matters._common import STATEMENT


def _identity(order: list[int]) -> Tensor:
    return torch.eye(len(order), dtype=torch.float64)


EXERCISE = Exercise(
    name="permutation",
    signature="my_permutation(order)",
    reference=lambda order: _identity(order)[order],
    calls=(call([2, 0, 1]), call([0, 5, 2, 3, 4, 1]), call([1, 2, 3, 0]), call([4, 2, 0, 1, 3])),
    mistakes=(
        Mistake(
            "the way back",
            lambda order: _identity(order)[:, order],
            "your matrix does the opposite: it sends each row back to where it came from. Which "
            "row is asked to come to the first place?",
            STATEMENT,
        ),
        Mistake(
            "words counted from 1",
            lambda order: _identity(order)[[word - 1 for word in order]],
            "each 1 stands one column too far to the left: the first word has number 0.",
            STATEMENT,
        ),
        Mistake(
            "nothing moves",
            _identity,
            "this is the identity: it leaves every word where it is.",
            STATEMENT,
        ),
        Mistake(
            "turned round",
            lambda order: _identity(order).flip(0),
            "your matrix turns every sentence round, whatever the order that is asked for.",
            STATEMENT,
        ),
        Mistake(
            "the order on the diagonal",
            lambda order: torch.diag(torch.tensor(order, dtype=torch.float64)),
            "the numbers of the words stand in the matrix. A permutation matrix holds nothing but "
            "zeros and ones; the order says where the ones stand.",
            STATEMENT,
        ),
        Mistake(
            "the order instead of the matrix",
            lambda order: torch.tensor(order, dtype=torch.float64),
            "this is the order itself. A matrix is asked for, with one row for each place.",
            STATEMENT,
        ),
    ),
)

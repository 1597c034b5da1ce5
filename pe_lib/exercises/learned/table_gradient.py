"""Exercise: the gradient of a position table."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.learned._common import GRADIENT, numbers
from pe_lib.exercises.runs import call


def _placed(rows: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """A table of zeros, but for these rows from the offset on."""
    table = torch.zeros(max_len, rows.shape[-1])
    table[offset : offset + len(rows)] = rows
    return table


def _gradient(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    return _placed(grad.sum(0), max_len, offset)


EXERCISE = Exercise(
    name="table_gradient",
    signature="my_gradient(grad, max_len, offset=0)",
    reference=_gradient,
    calls=(
        call(numbers(3, 4, 5), 9),
        call(numbers(2, 6, 4), 6),
        call(numbers(2, 3, 4), 12, offset=5),
        call(numbers(4, 1, 2), 7, offset=2),
    ),
    mistakes=(
        Mistake(
            "mean over the batch",
            lambda grad, max_len, offset=0: _placed(grad.mean(0), max_len, offset),
            "you average over the texts of the batch. Every text adds its own share to a row that "
            "all of them use.",
            GRADIENT,
        ),
        Mistake(
            "first text only",
            lambda grad, max_len, offset=0: _placed(grad[0], max_len, offset),
            "only the first text of the batch has a say: the others used the rows too.",
            GRADIENT,
        ),
        Mistake(
            "last text only",
            lambda grad, max_len, offset=0: _placed(grad[-1], max_len, offset),
            "only the last text of the batch has a say. In a loop over the texts, each one "
            "overwrites what the one before it has left; it should add to it.",
            GRADIENT,
        ),
        Mistake(
            "every row gets everything",
            lambda grad, max_len, offset=0: grad.sum((0, 1)).expand(max_len, -1),
            "every row gets the sum over all positions. A row only hears from the position that "
            "it was added at.",
            GRADIENT,
        ),
        Mistake(
            "only the used rows",
            lambda grad, max_len, offset=0: grad.sum(0),
            "the gradient has as many rows as the text has words. It belongs to the whole table: "
            "the rows that were not used have a gradient too, and it is easy to name.",
            GRADIENT,
        ),
        Mistake(
            "offset ignored",
            lambda grad, max_len, offset=0: _gradient(grad, max_len),
            "right without an offset, but with one the gradient still lands in the first rows of "
            "the table.",
            GRADIENT,
        ),
        Mistake(
            "at the end of the table",
            lambda grad, max_len, offset=0: _gradient(grad, max_len, max_len - grad.shape[1]),
            "the gradient lands in the last rows of the table. The text used rows from the offset "
            "on.",
            GRADIENT,
        ),
        Mistake(
            "a step instead of a gradient",
            lambda grad, max_len, offset=0: -_gradient(grad, max_len, offset),
            "the sign is turned round. The gradient points uphill; only the step that follows it "
            "goes down.",
            GRADIENT,
        ),
        Mistake(
            "a learning rate inside",
            lambda grad, max_len, offset=0: 0.01 * _gradient(grad, max_len, offset),
            "you scale by a learning rate. That belongs to the step, not to the gradient.",
            GRADIENT,
        ),
        Mistake(
            "a whole step",
            lambda grad, max_len, offset=0: -0.01 * _gradient(grad, max_len, offset),
            "this is the step that follows the gradient, with its sign turned round and a "
            "learning rate. The gradient alone was asked for.",
            GRADIENT,
        ),
    ),
)

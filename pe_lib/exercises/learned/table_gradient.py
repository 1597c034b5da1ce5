"""Exercise: the gradient of a position table."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.learned._common import GRADIENT, numbers

exercise = Exercise(
    call(numbers(3, 4, 5), 9),
    call(numbers(2, 6, 4), 6),
    call(numbers(2, 3, 4), 12, offset=5),
    call(numbers(4, 1, 2), 7, offset=2),
    call(numbers(3, 5, 2), 6000, offset=5003),
)


@exercise.answer
def my_gradient(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    return _placed(grad.sum(0), max_len, offset)


def _placed(rows: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """A table of zeros, but for these rows from the offset on."""
    table = torch.zeros(max_len, rows.shape[-1])
    table[offset : offset + len(rows)] = rows
    return table


@exercise.mistake(see=GRADIENT)
def mean_over_the_batch(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """you average over the texts of the batch. Every text adds its own share to a row that all of
    them use."""
    return _placed(grad.mean(0), max_len, offset)


@exercise.mistake(see=GRADIENT)
def first_text_only(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """only the first text of the batch counts, but the others used the rows too."""
    return _placed(grad[0], max_len, offset)


@exercise.mistake(see=GRADIENT)
def last_text_only(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """only the last text of the batch counts. If you use a loop over the texts, each text should
    add to the result so far instead of overwriting it."""
    return _placed(grad[-1], max_len, offset)


@exercise.mistake(see=GRADIENT)
def every_row_gets_everything(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """every row gets the sum over all positions. A row gets a gradient only from the position at
    which it was added."""
    return grad.sum((0, 1)).expand(max_len, -1)


@exercise.mistake(see=GRADIENT)
def only_the_used_rows(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """your gradient has as many rows as the text has words, but it should have a row for every row
    of the table. The rows that were not used have a gradient too, and it is easy to find."""
    return grad.sum(0)


@exercise.mistake(see=GRADIENT)
def offset_ignored(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """this is right without an offset. With an offset, your gradient still lands in the first rows
    of the table."""
    return my_gradient(grad, max_len)


@exercise.mistake(see=GRADIENT)
def at_the_end_of_the_table(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """the gradient lands in the last rows of the table. The text used rows from the offset on."""
    return my_gradient(grad, max_len, max_len - grad.shape[1])


@exercise.mistake(see=GRADIENT)
def a_step_instead_of_a_gradient(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """the sign is reversed. The gradient points uphill, and only the step goes down."""
    return -my_gradient(grad, max_len, offset)


@exercise.mistake(see=GRADIENT)
def a_learning_rate_inside(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """you scale by a learning rate. That belongs to the step, not to the gradient."""
    return 0.01 * my_gradient(grad, max_len, offset)


@exercise.mistake(see=GRADIENT)
def a_whole_step(grad: Tensor, max_len: int, offset: int = 0) -> Tensor:
    """this is a training step: the gradient with its sign reversed, times a learning rate. The
    exercise asks for the gradient alone."""
    return -0.01 * my_gradient(grad, max_len, offset)

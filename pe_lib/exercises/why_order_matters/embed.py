"""Exercise: token ids to rows."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.why_order_matters._common import ROWS, numbers

exercise = Exercise(  # at least as many columns as rows, so that a column can be taken for a row
    call(torch.tensor([[4, 1, 4, 2, 5], [3, 3, 5, 1, 4]]), numbers(6, 8)),
    call(torch.tensor([[2, 0, 3]]), numbers(4, 4)),
    call(torch.tensor([[6, 2], [0, 6], [1, 5]]), numbers(7, 7)),
    call(torch.arange(160).remainder(47).view(4, 40), numbers(50, 64)),
)


@exercise.answer
def my_embed(ids: Tensor, table: Tensor) -> Tensor:
    return table[ids]


@exercise.mistake(see=ROWS)
def ids_from_1(ids: Tensor, table: Tensor) -> Tensor:
    """each token gets the row of the id before its own. The first token of the vocabulary has id
    0."""
    return table[ids - 1]


@exercise.mistake(see=ROWS)
def columns_instead_of_rows(ids: Tensor, table: Tensor) -> Tensor:
    """you take columns of the table. A column holds one feature of all tokens, but you need all
    features of one token."""
    return table.T[ids]


@exercise.mistake(see=ROWS)
def the_place_instead_of_the_word(ids: Tensor, table: Tensor) -> Tensor:
    """you never read the ids: every text gets the first rows of the table, one per position. That
    is what a table of positions does."""
    return table[: ids.shape[1]].expand(*ids.shape, -1)


@exercise.mistake(see=ROWS)
def the_id_as_a_number(ids: Tensor, table: Tensor) -> Tensor:
    """you return the ids themselves. An id is a name: it says which row to take."""
    return ids.unsqueeze(-1).to(table.dtype).expand(*ids.shape, table.shape[1])


@exercise.mistake(see=ROWS)
def the_id_as_a_factor(ids: Tensor, table: Tensor) -> Tensor:
    """you multiply by the ids. An id is a name and not a size: it says which row to take."""
    return ids.unsqueeze(-1) * table[: ids.shape[1]]


@exercise.mistake(see=ROWS)
def each_word_once(ids: Tensor, table: Tensor) -> Tensor:
    """each id appears only once, in sorted order. If a word occurs twice in the text, its row has
    to appear twice, in the order of the text."""
    return table[ids.unique()]


@exercise.mistake(see=ROWS)
def first_text_only(ids: Tensor, table: Tensor) -> Tensor:
    """only the first text of the batch comes back."""
    return table[ids[0]]


@exercise.mistake(see=ROWS)
def texts_run_together(ids: Tensor, table: Tensor) -> Tensor:
    """the texts of the batch have run together into one long one; their axis is lost."""
    return table[ids.flatten()]

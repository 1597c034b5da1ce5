"""Exercise: adding the rows of a table to a batch of texts."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.learned._common import TABLE, numbers
from pe_lib.exercises.runs import call


def _rows(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """The rows of the positions of one text, (seq, dim)."""
    return table[offset : offset + x.shape[1]]


def _add(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    return x + _rows(x, table, offset)


def _by_text(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """Positions counted along the batch."""
    return x + table[offset : offset + x.shape[0], None]


def _running_on(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """Positions that do not start anew with the next text of the batch."""
    batch, seq, _ = x.shape
    positions = torch.arange(offset, offset + batch * seq).view(batch, seq)
    return x + table[positions]


EXERCISE = Exercise(
    name="add_learned",
    signature="my_add(x, table, offset=0)",
    reference=_add,
    calls=(
        call(numbers(2, 5, 4), numbers(16, 4)),
        call(numbers(1, 3, 6), numbers(9, 6)),
        call(numbers(3, 2, 4), numbers(20, 4), offset=7),
        call(numbers(2, 1, 8), numbers(12, 8), offset=9),
    ),
    mistakes=(
        Mistake(
            "offset ignored",
            lambda x, table, offset=0: _add(x, table),
            "right without an offset, but offset changes nothing: the first vector of the call "
            "stands at that position, not at 0.",
            TABLE,
        ),
        Mistake(
            "offset on one side only",
            lambda x, table, offset=0: x + table[offset : x.shape[1]],
            "the first row moves with the offset, the last one stays where it was: count how many "
            "rows your slice holds.",
            TABLE,
        ),
        Mistake(
            "positions from 1",
            lambda x, table, offset=0: _add(x, table, offset + 1),
            "every vector gets the row of the next position: the first one stands at position 0.",
            TABLE,
        ),
        Mistake(
            "rows from the end",
            lambda x, table, offset=0: x + table[len(table) - x.shape[1] :],
            "you take the last rows of the table. A short text uses the first ones.",
            TABLE,
        ),
        Mistake(
            "one row for all",
            lambda x, table, offset=0: x + table[offset],
            "all words of a text get one and the same row: one row was looked up, and it was "
            "spread over the text without a word.",
            TABLE,
        ),
        Mistake(
            "positions along the batch",
            _by_text,
            "all words of one text get the row that is the number of their text in the batch: "
            "positions run along the sequence axis.",
            TABLE,
        ),
        Mistake(
            "positions run on through the batch",
            _running_on,
            "the second text of the batch goes on counting where the first one ended. Every text "
            "starts at the same position.",
            TABLE,
        ),
        Mistake(
            "words only",
            lambda x, table, offset=0: x,
            "the words come back as they were: no row was added to them.",
            TABLE,
        ),
        Mistake(
            "rows only",
            lambda x, table, offset=0: _rows(x, table, offset).expand(x.shape),
            "the words are gone: your result is the rows alone.",
            TABLE,
        ),
        Mistake(
            "rows only, no batch",
            _rows,
            "you look the rows up and give them back. They are still to be added to the words.",
            TABLE,
        ),
        Mistake(
            "rows multiplied",
            lambda x, table, offset=0: x * _rows(x, table, offset),
            "you multiply words and rows; they are added.",
            TABLE,
        ),
    ),
)

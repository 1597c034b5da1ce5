"""Exercise: adding the rows of a table to a batch of texts."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.learned._common import TABLE, numbers

exercise = Exercise(
    call(numbers(2, 5, 4), numbers(16, 4)),
    call(numbers(1, 3, 6), numbers(9, 6)),
    call(numbers(3, 2, 4), numbers(20, 4), offset=7),
    call(numbers(2, 1, 8), numbers(12, 8), offset=9),
    call(numbers(2, 4, 3), numbers(6000, 3), offset=5003),
    call(numbers(2, 3, 4, dtype=torch.float64), numbers(8, 4, dtype=torch.float64), offset=2),
)


@exercise.answer
def my_add(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    return x + _rows(x, table, offset)


def _rows(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """The rows of the positions of one text, (seq, dim)."""
    return table[offset : offset + x.shape[1]]


# --- positions ----------------------------------------------------------------------------------


@exercise.mistake(see=TABLE)
def offset_ignored(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """this is right without an offset, but a given offset has no effect: the first vector of the
    call is at that position, not at 0."""
    return my_add(x, table)


@exercise.mistake(see=TABLE)
def offset_on_one_side_only(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """the first row moves with the offset, but the last one stays where it was. Count how many rows
    your slice holds."""
    return x + table[offset : x.shape[1]]


@exercise.mistake(see=TABLE)
def positions_from_1(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """every vector gets the row of the next position. Without an offset, the first vector is at
    position 0."""
    return my_add(x, table, offset + 1)


@exercise.mistake(see=TABLE)
def rows_from_the_end(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """you take the last rows of the table. A short text uses the first ones."""
    return x + table[len(table) - x.shape[1] :]


@exercise.mistake(see=TABLE)
def one_row_for_all(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """all words of a text get one and the same row: one row was looked up and broadcast over
    the text, which raises no error."""
    return x + table[offset]


@exercise.mistake(see=TABLE)
def positions_along_the_batch(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """all words of a text get the same row, the one with the number of their text in the batch.
    Positions should run along the sequence axis."""
    return x + table[offset : offset + x.shape[0], None]


@exercise.mistake(see=TABLE)
def positions_run_on_through_the_batch(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """the second text of the batch continues counting where the first one ended. Every text starts
    at the same position."""
    batch, seq, _ = x.shape
    positions = torch.arange(offset, offset + batch * seq).view(batch, seq)
    return x + table[positions]


@exercise.mistake(see=TABLE)
def offset_added_to_the_numbers(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """the offset is added to the numbers. It is a position in the text, and it says which row comes
    first."""
    return my_add(x, table) + offset


# --- the sum ------------------------------------------------------------------------------------


@exercise.mistake(see=TABLE)
def words_only(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """the words come back as they were: no row was added to them."""
    return x


@exercise.mistake(see=TABLE)
def rows_only(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """the words are gone: your result is the rows alone."""
    return _rows(x, table, offset).expand(x.shape)


@exercise.mistake(see=TABLE)
def rows_without_the_batch(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """you look the rows up and give them back. They still have to be added to the words."""
    return _rows(x, table, offset)


@exercise.mistake(see=TABLE)
def rows_multiplied(x: Tensor, table: Tensor, offset: int = 0) -> Tensor:
    """you multiply the words by the rows, but they should be added."""
    return x * _rows(x, table, offset)

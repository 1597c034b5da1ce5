"""Exercise: the table."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.sinusoidal._common import CODE, FORMULA, even, row
from pe_lib.frequencies import inverse_frequencies
from pe_lib.sinusoidal import sinusoidal_encoding


def _interleaved(sin: Tensor, cos: Tensor) -> Tensor:
    return torch.stack((sin, cos), dim=-1).flatten(-2)


def _table(length: int, dim: int) -> Tensor:
    return sinusoidal_encoding(length, dim, dtype=torch.float64)


def _table_with(frequencies: Tensor, length: int, first: int = 0) -> Tensor:
    """A table from the frequencies of the pairs."""
    angles = torch.outer(row(length, first), frequencies)
    return _interleaved(angles.sin(), angles.cos())


def _table_by_column(frequencies: Tensor, length: int) -> Tensor:
    """A table where every column, cosines too, has a frequency of its own."""
    angles = torch.outer(row(length), frequencies)
    return _interleaved(angles[:, 0::2].sin(), angles[:, 1::2].cos())


EXERCISE = Exercise(
    name="sinusoidal_table",
    signature="my_table(length, dim)",
    reference=_table,
    calls=(call(6, 8), call(1, 4), call(12, 6), call(3, 2), call(5, 16)),
    mistakes=(
        Mistake(
            "sign of the exponent",
            lambda length, dim: _table_with(10000 ** (even(dim) / dim), length),
            "the exponent has the wrong sign. Your later pairs turn faster than the first one; "
            "they should turn slower and slower.",
            FORMULA,
        ),
        Mistake(
            "positions from 1",
            lambda length, dim: _table_with(inverse_frequencies(dim), length, first=1),
            "your rows are those of the next position: you count positions from 1. "
            "The first word stands at position 0.",
            FORMULA,
        ),
        Mistake(
            "exponent without its 2",
            lambda length, dim: _table_with(10000 ** -(even(dim) / 2 / dim), length),
            "your frequencies fall only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            FORMULA,
        ),
        Mistake(
            "exponent with its 2 twice",
            lambda length, dim: _table_with(10000 ** -(2 * even(dim) / dim), length),
            "your frequencies fall twice as far as they should: a column number that steps "
            "by two already holds the factor 2, and you multiply by 2 again.",
            FORMULA,
        ),
        Mistake(
            "column as pair index",
            lambda length, dim: _table_by_column(10000 ** (-2 * row(dim) / dim), length),
            "you take the number of the column for the index of the pair. The two columns of "
            "a pair share one index, and there are only half as many pairs as columns.",
            FORMULA,
        ),
        Mistake(
            "cosine with a frequency of its own",
            lambda length, dim: _table_by_column(10000 ** (-row(dim) / dim), length),
            "your sines are right, your cosines turn too slowly: a cosine shares the "
            "frequency of the sine to its left.",
            FORMULA,
        ),
        Mistake(
            "halves instead of interleaved",
            lambda length, dim: torch.cat(
                (_table(length, dim)[:, 0::2], _table(length, dim)[:, 1::2]), dim=1
            ),
            "all sines come first, then all cosines. The numbers are right, their columns are "
            "not: sine and cosine take turns.",
            CODE,
        ),
        Mistake(
            "sine and cosine swapped",
            lambda length, dim: _table(length, dim).unflatten(1, (-1, 2)).flip(-1).flatten(1),
            "sine and cosine have changed places. Look at the row of position 0: which of the "
            "two starts at zero?",
            FORMULA,
        ),
        Mistake(
            "no cosine",
            lambda length, dim: _table(length, dim)[:, 0::2].repeat_interleave(2, dim=1),
            "both columns of a pair hold the sine; where is the cosine?",
            FORMULA,
        ),
        Mistake(
            "transposed",
            lambda length, dim: _table(length, dim).T,
            "the table lies on its side: one row for each position, one column for each feature.",
            CODE,
        ),
        Mistake(
            "degrees",
            lambda length, dim: _table_with(torch.deg2rad(inverse_frequencies(dim)), length),
            "you take the angles for degrees. The formula and torch speak of radians.",
            FORMULA,
        ),
        Mistake(
            "divided by the length",
            lambda length, dim: _table_with(inverse_frequencies(dim) / length, length),
            "you divide the position by the length of the sequence, so that the same position "
            "gets another code in every sequence.",
            FORMULA,
        ),
    ),
)

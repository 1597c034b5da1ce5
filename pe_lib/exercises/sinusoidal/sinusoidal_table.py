"""Exercise: the table."""

import torch
from torch import Tensor

from pe_lib.absolute.sinusoidal import sinusoidal_encoding
from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.sinusoidal._common import CODE, FORMULA, even, row

exercise = Exercise(call(6, 8), call(1, 4), call(12, 6), call(3, 2), call(5, 16))


@exercise.answer
def my_table(length: int, dim: int) -> Tensor:
    return sinusoidal_encoding(length, dim, dtype=torch.float64)


def _interleaved(sines: Tensor, cosines: Tensor) -> Tensor:
    return torch.stack((sines, cosines), dim=-1).flatten(-2)


def _table_with(frequencies: Tensor, positions: Tensor) -> Tensor:
    """A table from the frequencies of the pairs."""
    angles = torch.outer(positions, frequencies)
    return _interleaved(angles.sin(), angles.cos())


def _table_by_column(frequencies: Tensor, positions: Tensor) -> Tensor:
    """A table where every column, cosines too, has a frequency of its own."""
    angles = torch.outer(positions, frequencies)
    return _interleaved(angles[:, 0::2].sin(), angles[:, 1::2].cos())


# --- frequencies --------------------------------------------------------------------------------


@exercise.mistake(see=FORMULA)
def sign_of_the_exponent(length: int, dim: int) -> Tensor:
    """the exponent has the wrong sign. Your later pairs turn faster than the first one; they
    should turn slower and slower."""
    return _table_with(10000 ** (even(dim) / dim), row(length))


@exercise.mistake(see=FORMULA)
def exponent_without_its_2(length: int, dim: int) -> Tensor:
    """your frequencies fall only half as far as they should: in the exponent, the index of the
    pair has lost its factor."""
    return _table_with(10000 ** -(even(dim) / 2 / dim), row(length))


@exercise.mistake(see=FORMULA)
def exponent_with_its_2_twice(length: int, dim: int) -> Tensor:
    """your frequencies fall twice as far as they should: a column number that steps by two
    already holds the factor 2, and you multiply by 2 again."""
    return _table_with(10000 ** -(2 * even(dim) / dim), row(length))


@exercise.mistake(see=FORMULA)
def last_pair_at_the_base(length: int, dim: int) -> Tensor:
    """all pairs after the first are too slow: you spread the exponents from 0 to 1, both ends
    included. In the formula they stop one step before 1."""
    return _table_with(10000 ** -torch.linspace(0, 1, dim // 2).double(), row(length))


@exercise.mistake(see=FORMULA)
def natural_exponential(length: int, dim: int) -> Tensor:
    """all your pairs turn nearly as fast as the first one: you take powers of the number e. The
    formula has a different, much larger base."""
    return _table_with((-even(dim) / dim).exp(), row(length))


@exercise.mistake(see=FORMULA)
def column_as_pair_index(length: int, dim: int) -> Tensor:
    """you use the number of the column as the index of the pair. The two columns of a pair share
    one index, and there are only half as many pairs as columns."""
    return _table_by_column(10000 ** (-2 * row(dim) / dim), row(length))


@exercise.mistake(see=FORMULA)
def cosine_with_a_frequency_of_its_own(length: int, dim: int) -> Tensor:
    """your sines are right, but your cosines turn too slowly. A cosine has the same frequency as
    the sine to its left."""
    return _table_by_column(10000 ** (-row(dim) / dim), row(length))


# --- positions and places -----------------------------------------------------------------------


@exercise.mistake(see=FORMULA)
def positions_from_1(length: int, dim: int) -> Tensor:
    """your rows are those of the next position: you count positions from 1. The first word is at
    position 0."""
    return _table_with(inverse_frequencies(dim), row(length, first=1))


@exercise.mistake(see=CODE)
def halves_instead_of_interleaved(length: int, dim: int) -> Tensor:
    """all sines come first, then all cosines. The numbers are right, but they are in the wrong
    columns: sines and cosines should alternate."""
    table = my_table(length, dim)
    return torch.cat((table[:, 0::2], table[:, 1::2]), dim=1)


@exercise.mistake(see=FORMULA)
def sine_and_cosine_swapped(length: int, dim: int) -> Tensor:
    """sine and cosine have changed places. Look at the row of position 0: which of the two
    starts at zero?"""
    table = my_table(length, dim)
    return _interleaved(table[:, 1::2], table[:, 0::2])


@exercise.mistake(see=FORMULA)
def no_cosine(length: int, dim: int) -> Tensor:
    """both columns of a pair hold the sine; where is the cosine?"""
    sines = my_table(length, dim)[:, 0::2]
    return _interleaved(sines, sines)


@exercise.mistake(see=CODE)
def transposed(length: int, dim: int) -> Tensor:
    """your table is transposed: it should have one row per position and one column per feature."""
    return my_table(length, dim).T

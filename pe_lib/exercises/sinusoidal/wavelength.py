"""Exercise: the wavelength of a column."""

import math

from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.sinusoidal._common import WAVELENGTHS

exercise = Exercise(call(0, 8), call(1, 8), call(6, 16), call(31, 64), call(127, 128))


@exercise.answer
def my_wavelength(column: int, dim: int) -> Tensor:
    return wavelengths(dim)[column // 2]


def _frequency(column: int, dim: int) -> Tensor:
    return inverse_frequencies(dim)[column // 2]


def _wavelength_with(exponent: float) -> float:
    return 2 * math.pi * math.pow(10000, exponent)


@exercise.mistake(see=WAVELENGTHS)
def column_as_pair_index(column: int, dim: int) -> float:
    """your wavelengths grow far too fast: the formula needs the index of the pair, but you use the
    number of the column."""
    return _wavelength_with(2 * column / dim)


@exercise.mistake(see=WAVELENGTHS)
def odd_column_with_a_wavelength_of_its_own(column: int, dim: int) -> float:
    """your even columns are right, but the wavelengths of your odd columns are too long. The two
    columns of a pair share one wavelength."""
    return _wavelength_with(column / dim)


@exercise.mistake(see=WAVELENGTHS)
def exponent_without_its_2(column: int, dim: int) -> float:
    """your wavelengths grow only half as far as they should: in the exponent, the index of the
    pair has lost its factor."""
    return _wavelength_with(column // 2 / dim)


@exercise.mistake(see=WAVELENGTHS)
def last_pair_at_the_base(column: int, dim: int) -> float:
    """all wavelengths after the first are too long: you spread the exponents from 0 to 1, both
    ends included. In the formula they stop one step before 1."""
    return _wavelength_with(column // 2 / (dim // 2 - 1))


@exercise.mistake(see=WAVELENGTHS)
def natural_exponential(column: int, dim: int) -> float:
    """your wavelengths barely grow: you take powers of the number e. The encoding has a different,
    much larger base."""
    return 2 * math.pi * math.exp(column // 2 * 2 / dim)


@exercise.mistake(see=WAVELENGTHS)
def radians_instead_of_turns(column: int, dim: int) -> Tensor:
    """you give the number of positions for one radian. A wavelength is the number of positions
    for one full turn."""
    return 1 / _frequency(column, dim)


@exercise.mistake(see=WAVELENGTHS)
def frequency(column: int, dim: int) -> Tensor:
    """this is the frequency, the angle per position. The wavelength is how many positions one full
    turn takes: it grows from left to right."""
    return _frequency(column, dim)


@exercise.mistake(see=WAVELENGTHS)
def turned_upside_down(column: int, dim: int) -> Tensor:
    """the full turn is there, but the frequency is on the wrong side of the fraction: slow pairs
    need more positions for a turn, not fewer."""
    return 2 * math.pi * _frequency(column, dim)


@exercise.mistake(see=WAVELENGTHS)
def turns_for_each_position(column: int, dim: int) -> Tensor:
    """you give turns per position, but the wavelength is positions per turn."""
    return 1 / my_wavelength(column, dim)


@exercise.mistake(see=WAVELENGTHS)
def degrees(column: int, dim: int) -> Tensor:
    """you count a full turn in degrees; the frequencies are in radians."""
    return 360 / _frequency(column, dim)

"""Exercise: the wavelength of a column."""

import math

from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.sinusoidal._common import WAVELENGTHS
from pe_lib.frequencies import inverse_frequencies, wavelengths


def _wavelength(column: int, dim: int) -> Tensor:
    return wavelengths(dim)[column // 2]


EXERCISE = Exercise(
    name="wavelength",
    signature="my_wavelength(column, dim)",
    reference=_wavelength,
    calls=(call(0, 8), call(1, 8), call(6, 16), call(31, 64), call(127, 128)),
    mistakes=(
        Mistake(
            "column as pair index",
            lambda column, dim: 2 * math.pi * 10000 ** (2 * column / dim),
            "your wavelengths grow far too fast: the formula wants the index of the pair, and "
            "you put in the number of the column. (A tutorial has this very formula.)",
            WAVELENGTHS,
        ),
        Mistake(
            "odd column with a wavelength of its own",
            lambda column, dim: 2 * math.pi * 10000 ** (column / dim),
            "your even columns are right, your odd ones are too long: the two columns of a "
            "pair share one wavelength.",
            WAVELENGTHS,
        ),
        Mistake(
            "exponent without its 2",
            lambda column, dim: 2 * math.pi * 10000 ** (column // 2 / dim),
            "your wavelengths grow only half as far as they should: the pair index has lost "
            "its factor in the exponent.",
            WAVELENGTHS,
        ),
        Mistake(
            "radians instead of turns",
            lambda column, dim: 1 / inverse_frequencies(dim)[column // 2],
            "you give the number of positions for one radian. A wavelength is the number of "
            "positions for one full turn.",
            WAVELENGTHS,
        ),
        Mistake(
            "frequency",
            lambda column, dim: inverse_frequencies(dim)[column // 2],
            "this is the frequency, the angle for each position. The wavelength is how many "
            "positions one full turn takes: it grows from left to right.",
            WAVELENGTHS,
        ),
        Mistake(
            "turned upside down",
            lambda column, dim: 2 * math.pi * inverse_frequencies(dim)[column // 2],
            "the full turn is there, but the frequency stands on the wrong side of the "
            "fraction: slow pairs need more positions for a turn, not fewer.",
            WAVELENGTHS,
        ),
        Mistake(
            "turns for each position",
            lambda column, dim: 1 / wavelengths(dim)[column // 2],
            "you give turns for each position; the wavelength is positions for each turn.",
            WAVELENGTHS,
        ),
        Mistake(
            "natural exponential",
            lambda column, dim: 2 * math.pi * math.exp(column // 2 * 2 / dim),
            "your wavelengths grow with the base e. The encoding has another, much larger base.",
            WAVELENGTHS,
        ),
        Mistake(
            "half a turn",
            lambda column, dim: wavelengths(dim)[column // 2] / 2,
            "this is where the wave crosses zero again, half a turn on. A wavelength is a "
            "full one.",
            WAVELENGTHS,
        ),
        Mistake(
            "degrees",
            lambda column, dim: 360 / inverse_frequencies(dim)[column // 2],
            "you count a full turn in degrees; the frequencies are in radians.",
            WAVELENGTHS,
        ),
    ),
)

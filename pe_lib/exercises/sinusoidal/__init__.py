"""The five exercises of chapter 02, the sinusoidal encoding."""

from pe_lib.exercises.sinusoidal.adding import ADD_POSITIONS
from pe_lib.exercises.sinusoidal.score import SCORE_BY_OFFSET
from pe_lib.exercises.sinusoidal.shift import SHIFT_MATRIX
from pe_lib.exercises.sinusoidal.table import SINUSOIDAL_TABLE
from pe_lib.exercises.sinusoidal.wavelength import WAVELENGTH

EXERCISES = (SINUSOIDAL_TABLE, WAVELENGTH, SHIFT_MATRIX, ADD_POSITIONS, SCORE_BY_OFFSET)

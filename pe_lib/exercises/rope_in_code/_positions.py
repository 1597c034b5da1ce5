"""Mistakes in which position a row gets, and in the precision of positions and angles."""

import math

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_in_code import _turns as turns
from pe_lib.exercises.rope_in_code._common import BLOCK, OFFSET, PRECISION, turned

wrong_positions = Mistakes()


# --- which axis ---------------------------------------------------------------------------------


@wrong_positions.mistake(see=BLOCK)
def heads_counted(x: Tensor, offset: int = 0) -> Tensor:
    """your position counts the heads: all tokens of a head turn alike, wherever they are."""
    return turns.rope(x.transpose(1, -2), offset).transpose(1, -2)


@wrong_positions.mistake(see=BLOCK)
def texts_counted(x: Tensor, offset: int = 0) -> Tensor:
    """your position counts the texts of the batch: all tokens of a text turn alike, wherever they
    are."""
    return turns.rope(x.transpose(0, -2), offset).transpose(0, -2)


@wrong_positions.mistake(see=BLOCK)
def one_angle_for_all_tokens(x: Tensor, offset: int = 0) -> Tensor:
    """all tokens turn by the angle of the first one."""
    return turned(x, turns.angles_at(x[..., :1, :], offset))


# --- offset -------------------------------------------------------------------------------------


@wrong_positions.mistake(see=OFFSET)
def offset_ignored(x: Tensor, offset: int = 0) -> Tensor:
    """right without an offset, but offset changes nothing: every call starts at position 0 again,
    as if nothing were in the cache."""
    return turns.rope(x)


@wrong_positions.mistake(see=OFFSET)
def offset_subtracted(x: Tensor, offset: int = 0) -> Tensor:
    """right without an offset, but with one your tokens move back to positions below zero. New
    tokens come after those in the cache."""
    return turns.rope(x, -offset)


@wrong_positions.mistake(see=OFFSET)
def offset_added_to_the_angle(x: Tensor, offset: int = 0) -> Tensor:
    """you add the offset to the angle, so that slow pairs move as far as the fast one. Move the
    position instead."""
    return turned(x, turns.angles_at(x) + offset)


@wrong_positions.mistake(see=OFFSET)
def positions_from_1(x: Tensor, offset: int = 0) -> Tensor:
    """every token is turned as far as the next one should be: you count positions from 1."""
    return turns.rope(x, offset + 1)


@wrong_positions.mistake(see=OFFSET)
def last_rows_of_a_table(x: Tensor, offset: int = 0) -> Tensor:
    """you take the last rows of a table with 2048 rows. Within one call all offsets are then right,
    but nothing fits the keys of another call. Begin with the row whose number is offset."""
    return turns.rope(x, 2048 - x.shape[-2])


@wrong_positions.mistake(see=OFFSET)
def last_rows_of_a_longer_table(x: Tensor, offset: int = 0) -> Tensor:
    """you take the last rows of a table with 4096 rows. Within one call all offsets are then right,
    but nothing fits the keys of another call. Begin with the row whose number is offset."""
    return turns.rope(x, 4096 - x.shape[-2])


@wrong_positions.mistake(see=OFFSET)
def table_too_short(x: Tensor, offset: int = 0) -> Tensor:
    """right if the positions are small, but your table ends somewhere after two thousand rows, and
    past its end a slice is empty. Make the rows that the call needs."""
    rows = turns.angles_at(x.new_zeros(2048, x.shape[-1]))
    return turned(x, rows[offset : offset + x.shape[-2]])


# --- precision ----------------------------------------------------------------------------------

_STEPS = ("positions", "frequencies", "angles")


def _rounded(
    x: Tensor,
    offset: int,
    *,
    positions: torch.dtype = torch.float64,
    frequencies: torch.dtype = torch.float64,
    angles: torch.dtype = torch.float64,
) -> Tensor:
    """Turned by angles that are rounded to these dtypes on their way."""
    rows = turns.places(x, offset).to(positions).double()
    columns = inverse_frequencies(x.shape[-1]).to(frequencies).double()
    return turned(x, torch.outer(rows, columns).to(angles).double().repeat(1, 2))


@wrong_positions.mistake(see=PRECISION)
def positions_in_bfloat16(x: Tensor, offset: int = 0) -> Tensor:
    """right for the first 256 positions. Your positions are in bfloat16, which has no odd numbers
    above 256, so two neighbours get the same position."""
    return _rounded(x, offset, positions=torch.bfloat16)


@wrong_positions.mistake(see=PRECISION)
def positions_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. Your positions have the dtype of x, and bfloat16 has no odd numbers
    above 256, so two neighbours there get the same position."""
    return _rounded(x, offset, positions=x.dtype)


@wrong_positions.mistake(see=PRECISION)
def frequencies_in_bfloat16(x: Tensor, offset: int = 0) -> Tensor:
    """right for small positions. Your frequencies are rounded to bfloat16: the error is small, but
    the position multiplies it."""
    return _rounded(x, offset, frequencies=torch.bfloat16)


@wrong_positions.mistake(see=PRECISION)
def frequencies_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. Your frequencies have the dtype of x: in bfloat16 they are rounded,
    and the position multiplies the error."""
    return _rounded(x, offset, frequencies=x.dtype)


@wrong_positions.mistake(see=PRECISION)
def angles_in_bfloat16(x: Tensor, offset: int = 0) -> Tensor:
    """right for small positions. You round the angles to bfloat16 before you take their cosines,
    and at large positions the angles are then wrong by whole radians."""
    return _rounded(x, offset, angles=torch.bfloat16)


@wrong_positions.mistake(see=PRECISION)
def angles_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. You give the angles the dtype of x before you take their cosines. In
    bfloat16, large angles are then wrong by whole radians. Round the cosines instead."""
    return _rounded(x, offset, angles=x.dtype)


@wrong_positions.mistake(see=PRECISION)
def all_in_bfloat16(x: Tensor, offset: int = 0) -> Tensor:
    """right for small positions. Your positions, frequencies and angles are all in bfloat16, so the
    angles at large positions are wrong by whole radians."""
    return _rounded(x, offset, **dict.fromkeys(_STEPS, torch.bfloat16))


@wrong_positions.mistake(see=PRECISION)
def all_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. You make positions, frequencies and angles in the dtype of x. In
    bfloat16, the angles at large positions are then wrong by whole radians."""
    return _rounded(x, offset, **dict.fromkeys(_STEPS, x.dtype))


def _made_in_the_dtype_of_x(x: Tensor, offset: int, frequencies: Tensor) -> Tensor:
    """The frequencies have the dtype of x already; positions and angles get it too."""
    rows = turns.places(x, offset).to(x.dtype)
    return turned(x, torch.outer(rows, frequencies).double().repeat(1, 2))


def _exponents(x: Tensor) -> Tensor:
    return torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]


@wrong_positions.mistake(see=PRECISION)
def powers_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. You compute everything in the dtype of x, even the powers of the base.
    In bfloat16, the angles at large positions are then wrong by whole radians."""
    return _made_in_the_dtype_of_x(x, offset, 10000 ** -_exponents(x))


@wrong_positions.mistake(see=PRECISION)
def inverse_powers_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. You compute everything in the dtype of x, even the powers of the base.
    In bfloat16, the angles at large positions are then wrong by whole radians."""
    return _made_in_the_dtype_of_x(x, offset, 1 / 10000 ** _exponents(x))


@wrong_positions.mistake(see=PRECISION)
def exponentials_in_the_dtype_of_x(x: Tensor, offset: int = 0) -> Tensor:
    """right if x is float32. You compute everything in the dtype of x, even the exponentials. In
    bfloat16, the angles at large positions are then wrong by whole radians."""
    return _made_in_the_dtype_of_x(x, offset, torch.exp(-math.log(10000) * _exponents(x)))


@wrong_positions.mistake(see=PRECISION)
def dtype_of_x_lost(x: Tensor, offset: int = 0) -> Tensor:
    """the numbers are right, but if x is bfloat16, your result is not: it should have the dtype
    that came in, or it will not fit the values."""
    return turns.rope(x, offset)

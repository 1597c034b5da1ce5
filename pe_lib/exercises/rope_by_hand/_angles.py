"""Mistakes in the angles of a position and a width, whatever the angles are used for."""

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_by_hand._common import BUGS, FREQUENCIES, right_angles

wrong_angles = Mistakes()
wrong_positions = Mistakes()  # apart, as they are none where only offsets count


def pairs(dim: int) -> Tensor:
    """0, 1 … dim/2 - 1."""
    return torch.arange(dim // 2, dtype=torch.float64)


def by_exponents(position: float | Tensor, exponents: Tensor) -> Tensor:
    """Angles whose frequencies are the base to the power of minus these exponents."""
    return position * 10000**-exponents


# --- frequencies --------------------------------------------------------------------------------


# (Where these meet half a vector, torch says that sizes do not match.)
@wrong_angles.mistake(see=FREQUENCIES)
def six_frequencies(position: float | Tensor, dim: int) -> Tensor:
    """you give every feature an angle of its own. A turn needs two features: there is one angle for
    each pair."""
    return by_exponents(position, torch.arange(dim) / dim)


@wrong_angles.mistake(see=FREQUENCIES)
def exponent_without_its_2(position: float | Tensor, dim: int) -> Tensor:
    """your frequencies fall only half as far as they should: the pair's number has lost its factor
    in the exponent."""
    return by_exponents(position, pairs(dim) / dim)


@wrong_angles.mistake(see=FREQUENCIES)
def exponent_with_its_2_twice(position: float | Tensor, dim: int) -> Tensor:
    """your frequencies fall twice as far as they should: the exponent has one factor too many."""
    return by_exponents(position, 4 * pairs(dim) / dim)


@wrong_angles.mistake(see=FREQUENCIES)
def last_pair_at_the_base(position: float | Tensor, dim: int) -> Tensor:
    """your exponents run from 0 to 1, both ends included, so your slowest pair needs as many
    positions for one radian as the base says. The exponents should stop one step before 1."""
    return by_exponents(position, 2 * pairs(dim) / (dim - 2))


@wrong_angles.mistake(see=FREQUENCIES)
def exponent_not_divided(position: float | Tensor, dim: int) -> Tensor:
    """you take the power first and divide the result by the width. Divide the exponent instead: it
    needs brackets."""
    return by_exponents(position, 2 * pairs(dim)) / dim


@wrong_angles.mistake(see=FREQUENCIES)
def sign_of_the_exponent(position: float | Tensor, dim: int) -> Tensor:
    """the exponent has the wrong sign: your later pairs turn faster than the first one."""
    return by_exponents(position, -2 * pairs(dim) / dim)


@wrong_angles.mistake(see=FREQUENCIES)
def pairs_counted_from_1(position: float | Tensor, dim: int) -> Tensor:
    """every pair has the frequency of the next one: the pairs are counted from 0, so the first one
    turns by one radian per position."""
    return by_exponents(position, 2 * (pairs(dim) + 1) / dim)


@wrong_angles.mistake(see=FREQUENCIES)
def slowest_pair_first(position: float | Tensor, dim: int) -> Tensor:
    """your angles run from the slowest pair to the fastest. Pair 0 is the fastest one."""
    return right_angles(position, dim).flip(-1)


@wrong_angles.mistake(see=FREQUENCIES)
def one_angle_for_all_pairs(position: float | Tensor, dim: int) -> Tensor:
    """every pair turns by the angle of the fastest one. Each pair has its own frequency. (A
    division that drops what comes after the decimal point makes them all alike.)"""
    return position * torch.ones(dim // 2, dtype=torch.float64)


@wrong_angles.mistake(see=FREQUENCIES)
def natural_exponential(position: float | Tensor, dim: int) -> Tensor:
    """your frequencies barely fall: it looks as if the base were e. The exponent is right, but the
    base is a much larger number."""
    return position * torch.exp(-2 * pairs(dim) / dim)


@wrong_angles.mistake(see=FREQUENCIES)
def base_ten_times_too_small(position: float | Tensor, dim: int) -> Tensor:
    """your later pairs turn too fast: the base is too small. Count its zeros."""
    return position * inverse_frequencies(dim, 1e3)


@wrong_angles.mistake(see=FREQUENCIES)
def base_ten_times_too_large(position: float | Tensor, dim: int) -> Tensor:
    """your later pairs turn too slowly: the base is too large. Count its zeros."""
    return position * inverse_frequencies(dim, 1e5)


# --- units --------------------------------------------------------------------------------------


@wrong_angles.mistake(see=BUGS)
def taken_for_degrees(position: float | Tensor, dim: int) -> Tensor:
    """you treat the angles as degrees. A position times a frequency is already in radians."""
    return torch.deg2rad(right_angles(position, dim))


@wrong_angles.mistake(see=BUGS)
def turned_into_degrees(position: float | Tensor, dim: int) -> Tensor:
    """you convert the angles to degrees. Angles are in radians throughout."""
    return torch.rad2deg(right_angles(position, dim))


# --- positions ----------------------------------------------------------------------------------


@wrong_positions.mistake(see=FREQUENCIES)
def positions_from_1(position: float | Tensor, dim: int) -> Tensor:
    """your angles are those of the next position. The token at position 0 does not turn at all."""
    return right_angles(position + 1, dim)


@wrong_positions.mistake(see=FREQUENCIES)
def position_forgotten(position: float | Tensor, dim: int) -> Tensor:
    """your angles are the same for every position: so far they are the bare frequencies."""
    return right_angles(1, dim)

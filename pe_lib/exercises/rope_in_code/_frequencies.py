"""Mistakes in how fast the pairs turn: their frequencies, and the unit of their angles."""

from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_in_code import _turns as turns
from pe_lib.exercises.rope_in_code._common import BLOCK, HALF_SPLIT, angles_of, turned

# The width of a head gives the frequencies of its pairs.
Frequencies = Callable[[int], Tensor]

wrong_frequencies = Mistakes()
wrong_angles = Mistakes()  # where a frequency for each pair would not say what is wrong


def turned_at(frequencies: Frequencies, x: Tensor, offset: int = 0) -> Tensor:
    """x turned at these frequencies."""
    return turned(x, angles_of(turns.places(x, offset), frequencies(x.shape[-1])))


def _pairs(head_dim: int) -> Tensor:
    """0, 1 … head_dim/2 - 1."""
    return torch.arange(head_dim // 2, dtype=torch.float64)


# --- exponents ----------------------------------------------------------------------------------


@wrong_frequencies.mistake(see=HALF_SPLIT)
def sign_of_the_exponent(head_dim: int) -> Tensor:
    """the exponent has the wrong sign: your later pairs turn faster than the first one."""
    return 10000 ** (2 * _pairs(head_dim) / head_dim)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def exponent_without_its_2(head_dim: int) -> Tensor:
    """your exponents are only half as large as they should be, so the later pairs turn too fast.
    The number of the pair has lost its factor."""
    return 10000 ** (-_pairs(head_dim) / head_dim)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def exponent_with_its_2_twice(head_dim: int) -> Tensor:
    """your exponents are twice as large as they should be, so the later pairs turn too slowly. A
    factor 2 appears twice."""
    return 10000 ** (-4 * _pairs(head_dim) / head_dim)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def pairs_counted_from_1(head_dim: int) -> Tensor:
    """all your pairs turn too slowly: the first one should turn by one radian per position. Which
    number does the first pair have?"""
    return 10000 ** (-2 * (_pairs(head_dim) + 1) / head_dim)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def last_pair_at_the_base(head_dim: int) -> Tensor:
    """all pairs after the first are too slow: your exponents go all the way to the base. They
    should stop one step before it."""
    return 10000 ** (-2 * _pairs(head_dim) / (head_dim - 2))


@wrong_frequencies.mistake(see=HALF_SPLIT)
def one_frequency_for_all(head_dim: int) -> Tensor:
    """all your pairs turn at the speed of the first one."""
    return torch.ones(head_dim // 2, dtype=torch.float64)


def _by_feature(x: Tensor, offset: int, factor: int) -> Tensor:
    exponents = torch.arange(x.shape[-1], dtype=torch.float64) / x.shape[-1]
    return turned(x, turns.places(x, offset)[:, None] * 10000 ** (-factor * exponents))


@wrong_angles.mistake(see=HALF_SPLIT)
def a_frequency_for_each_feature(x: Tensor, offset: int = 0) -> Tensor:
    """every feature has a frequency of its own, so the two of a pair turn by two different angles.
    A pair has one frequency."""
    return _by_feature(x, offset, 1)


@wrong_angles.mistake(see=HALF_SPLIT)
def feature_as_pair_index(x: Tensor, offset: int = 0) -> Tensor:
    """you use the number of the feature as the number of the pair. So the second half of the
    features gets angles of its own, and barely turns at all."""
    return _by_feature(x, offset, 2)


# --- another base -------------------------------------------------------------------------------


@wrong_frequencies.mistake(see=HALF_SPLIT)
def natural_exponential(head_dim: int) -> Tensor:
    """your frequencies barely fall: it looks as if the base were e. The exponent is right, but the
    base is a much larger number."""
    return inverse_frequencies(head_dim, torch.e)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def base_ten_times_too_small(head_dim: int) -> Tensor:
    """your later pairs turn too fast: the base is too small. Count its zeros."""
    return inverse_frequencies(head_dim, 1e3)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def base_ten_times_too_large(head_dim: int) -> Tensor:
    """your later pairs turn too slowly: the base is too large. Count its zeros."""
    return inverse_frequencies(head_dim, 1e5)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def base_of_llama_3(head_dim: int) -> Tensor:
    """your later pairs turn too slowly: this is the base of Llama 3. The exercise asks for a
    different base, and a model fits only its own."""
    return inverse_frequencies(head_dim, 5e5)


@wrong_frequencies.mistake(see=HALF_SPLIT)
def base_of_a_million(head_dim: int) -> Tensor:
    """your later pairs turn too slowly: you use a base for long texts, like that of Qwen 2. The
    exercise asks for a different base, and a model fits only its own."""
    return inverse_frequencies(head_dim, 1e6)


# --- units, and the width -----------------------------------------------------------------------


@wrong_angles.mistake(see=HALF_SPLIT)
def whole_turns(x: Tensor, offset: int = 0) -> Tensor:
    """you treat position times frequency as a number of full turns. It is already an angle in
    radians."""
    return turned(x, 2 * torch.pi * turns.angles_at(x, offset))


@wrong_angles.mistake(see=HALF_SPLIT)
def degrees(x: Tensor, offset: int = 0) -> Tensor:
    """you treat the angles as degrees. Position times frequency is an angle in radians."""
    return turned(x, turns.angles_at(x, offset).deg2rad())


@wrong_angles.mistake(see=BLOCK)
def width_of_the_model(x: Tensor, offset: int = 0) -> Tensor:
    """your frequencies are those of a head as wide as all heads together. Every head is rotated on
    its own."""
    heads, head_dim = x.shape[1], x.shape[-1]
    frequencies = inverse_frequencies(heads * head_dim)[: head_dim // 2]
    return turned(x, angles_of(turns.places(x, offset), frequencies))

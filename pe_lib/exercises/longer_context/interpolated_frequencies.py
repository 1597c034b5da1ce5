"""Exercise: the frequencies under position interpolation."""

import math

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import (
    BASE,
    SQUEEZE,
    UNSEEN,
    exponent_over_the_pairs,
    exponent_without_the_2,
    numbers,
)
from pe_lib.rotary.scaling.linear import LinearScaling
from pe_lib.rotary.scaling.ntk import NTKScaling

# Small bases keep all frequencies of a size that a wrong one cannot hide in.
exercise = Exercise(
    call(8, 10.0, 2.0),
    call(12, 3.0, 4.0),
    call(6, 100.0, 1.0),  # nothing changes
    call(4, 2.0, 1.6),
    call(20, 7.0, 8.0),
    call(64, 10000.0, 4.0),
    call(128, 500000.0, 32.0),
)


@exercise.answer
def my_interpolated(dim: int, theta: float, factor: float) -> Tensor:
    return LinearScaling(factor).inverse_frequencies(dim, theta)


# --- the factor ---------------------------------------------------------------------------------


@exercise.mistake(see=SQUEEZE)
def multiplied(dim: int, theta: float, factor: float) -> Tensor:
    """your pairs turn faster than before, and meet new angles even sooner. Squeezed positions lie
    closer together, so every pair turns slower."""
    return factor * inverse_frequencies(dim, theta)


@exercise.mistake(see=SQUEEZE)
def unchanged(dim: int, theta: float, factor: float) -> Tensor:
    """these are the frequencies of training: the factor does not change anything."""
    return inverse_frequencies(dim, theta)


@exercise.mistake(see=SQUEEZE)
def divided_twice(dim: int, theta: float, factor: float) -> Tensor:
    """you divide twice. Either the positions are squeezed or the frequencies, not both."""
    return inverse_frequencies(dim, theta) / factor**2


@exercise.mistake(see=SQUEEZE)
def root_of_the_factor(dim: int, theta: float, factor: float) -> Tensor:
    """your pairs turn slower, but only by the root of the factor. The whole of it is needed: the
    last position should land where training ended."""
    return inverse_frequencies(dim, theta) / math.sqrt(factor)


@exercise.mistake(see=SQUEEZE)
def taken_off(dim: int, theta: float, factor: float) -> Tensor:
    """you subtract the same number from every frequency. Positions are divided by the factor, so
    frequencies are too."""
    return inverse_frequencies(dim, theta) - (1 - 1 / factor)


@exercise.mistake(see=SQUEEZE)
def one_more_than_the_factor(dim: int, theta: float, factor: float) -> Tensor:
    """you divide by one more than the factor. With factor 1 nothing should change."""
    return inverse_frequencies(dim, theta) / (1 + factor)


# --- which pairs --------------------------------------------------------------------------------


@exercise.mistake(see=SQUEEZE)
def first_pair_kept(dim: int, theta: float, factor: float) -> Tensor:
    """you leave the first pair alone. Squeezed positions slow every pair, the fastest too: that is
    what interpolation is blamed for."""
    squeezed = my_interpolated(dim, theta, factor)
    return torch.cat((inverse_frequencies(dim, theta)[:1], squeezed[1:]))


@exercise.mistake(see=SQUEEZE)
def slow_half_alone(dim: int, theta: float, factor: float) -> Tensor:
    """you slow only the second half of the pairs. Squeezed positions slow every pair."""
    fast = numbers(dim) < dim // 4
    unscaled = inverse_frequencies(dim, theta)
    return torch.where(fast, unscaled, unscaled / factor)


@exercise.mistake(see=BASE)
def ntk_for_interpolation(dim: int, theta: float, factor: float) -> Tensor:
    """only your last pair is slowed by the whole factor, the first not at all. That is a change of
    the base; here positions are squeezed, which slows all pairs alike."""
    return NTKScaling(factor).inverse_frequencies(dim, theta)


@exercise.mistake(see=BASE)
def theta_multiplied(dim: int, theta: float, factor: float) -> Tensor:
    """you multiply theta by the factor, so the first pair does not change, and the others all by
    different amounts. Here all are slowed alike."""
    return inverse_frequencies(dim, theta * factor)


@exercise.mistake(see=BASE)
def theta_divided(dim: int, theta: float, factor: float) -> Tensor:
    """you divide theta by the factor: that makes all pairs faster except the first. Here all are
    slowed alike."""
    return inverse_frequencies(dim, theta / factor)


@exercise.mistake(see=BASE)
def exponent_multiplied(dim: int, theta: float, factor: float) -> Tensor:
    """your factor is in the exponent. Then the first pair does not change, and the last ones change
    far too much. Here all are slowed alike."""
    return inverse_frequencies(dim, theta) ** factor


@exercise.mistake(see=BASE)
def exponent_divided(dim: int, theta: float, factor: float) -> Tensor:
    """your factor divides the exponent: most pairs turn faster than before. Positions are divided
    by it, and so is every frequency."""
    return inverse_frequencies(dim, theta) ** (1 / factor)


# --- the frequencies ----------------------------------------------------------------------------


@exercise.mistake(see=UNSEEN)
def exponent_without_2(dim: int, theta: float, factor: float) -> Tensor:
    """the factor is right, but your frequencies fall only half as far as they should: a 2 is
    missing in the exponent, because every pair is two features."""
    return exponent_without_the_2(dim, theta) / factor


@exercise.mistake(see=UNSEEN)
def exponent_over_pairs(dim: int, theta: float, factor: float) -> Tensor:
    """the factor is right, but your frequencies fall twice as far as they should: the exponent is
    divided by all features, not by the number of pairs."""
    return exponent_over_the_pairs(dim, theta) / factor


@exercise.mistake(see=UNSEEN)
def positive_exponent(dim: int, theta: float, factor: float) -> Tensor:
    """the factor is right, but your frequencies grow from pair to pair: the exponent has the wrong
    sign. The first pair is the fastest."""
    return 1 / inverse_frequencies(dim, theta) / factor


@exercise.mistake(see=UNSEEN)
def wavelengths_given(dim: int, theta: float, factor: float) -> Tensor:
    """these are the wavelengths, in positions for a full turn, and they are right. The exercise
    asks for the frequencies, in radians per position."""
    return wavelengths(dim, theta) * factor


@exercise.mistake(see=UNSEEN)
def turns_given(dim: int, theta: float, factor: float) -> Tensor:
    """your frequencies are turns per position. The exercise asks for radians per position."""
    return my_interpolated(dim, theta, factor) / (2 * math.pi)


@exercise.mistake(see=UNSEEN)
def theta_ignored(dim: int, theta: float, factor: float) -> Tensor:
    """right for the usual base, but yours is the same for every theta: it is an argument."""
    return my_interpolated(dim, 10000.0, factor)


@exercise.mistake(see=UNSEEN)
def a_frequency_for_every_feature(dim: int, theta: float, factor: float) -> Tensor:
    """you give every frequency twice, in two halves. The exercise asks for one for each pair."""
    return my_interpolated(dim, theta, factor).repeat(2)


@exercise.mistake(see=UNSEEN)
def every_frequency_twice(dim: int, theta: float, factor: float) -> Tensor:
    """you give every frequency twice, for two features that are neighbours. The exercise asks for
    one for each pair."""
    return my_interpolated(dim, theta, factor).repeat_interleave(2)

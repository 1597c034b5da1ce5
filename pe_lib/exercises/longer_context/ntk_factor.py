"""Exercise: the factor that NTK-aware scaling needs."""

import math

from pe_lib.common.frequencies import wavelengths
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import BASE, UNSEEN, exponent_over_the_pairs

exercise = Exercise(
    call(128, 32, 10000.0, 4.0),
    call(8192, 128, 10000.0, 4.0),
    call(8192, 128, 500000.0, 8.0),
    call(32768, 128, 1000000.0, 4.0),
    call(20, 8, 50.0, 2.5),
    call(10, 16, 100.0, 3.0),  # pair 1
    call(64, 6, 1000.0, 16.0),  # the last pair, which is slowed by all of the factor
    call(12, 10, 7.0, 1.0),  # nothing changes
)


@exercise.answer
def my_factor(trained: int, dim: int, theta: float, ratio: float) -> float:
    return _factor(_first_beyond(trained, dim, theta), dim, ratio)


def _factor(pair: int, dim: int, ratio: float) -> float:
    """The factor that slows ``pair`` by ``ratio``; none slows pair 0."""
    return math.pow(ratio, (dim - 2) / (2 * pair)) if pair else math.inf


def _first_beyond(positions: float, dim: int, theta: float) -> int:
    """The fastest pair whose turn takes more than ``positions``, or the number of all pairs."""
    return int((wavelengths(dim, theta) <= positions).sum())


# --- what is returned ---------------------------------------------------------------------------


@exercise.mistake(see=BASE)
def the_ratio_itself(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you return the ratio of the lengths. With this factor only the last pair is slowed by the
    ratio, and every faster pair by less."""
    return ratio


@exercise.mistake(see=BASE)
def how_much_the_pair_is_slowed(trained: int, dim: int, theta: float, ratio: float) -> float:
    """your exponent is upside down: your result is how much the pair is slowed if the factor is the
    ratio. The exercise asks for the factor that slows it by the ratio."""
    pair = _first_beyond(trained, dim, theta)
    return math.pow(ratio, 2 * pair / (dim - 2))


@exercise.mistake(see=BASE)
def the_base(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you return the new base. The exercise asks for the factor from which NTK-aware scaling makes
    this base."""
    return theta * math.pow(my_factor(trained, dim, theta, ratio), dim / (dim - 2))


@exercise.mistake(see=BASE)
def the_exponent(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you return the exponent alone. The factor is the ratio raised to it."""
    return (dim - 2) / (2 * _first_beyond(trained, dim, theta))


@exercise.mistake(see=BASE)
def product_rather_than_power(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you multiply the ratio by what should be its exponent. With ratio 1 nothing should change."""
    return ratio * (dim - 2) / (2 * _first_beyond(trained, dim, theta))


# --- the exponent -------------------------------------------------------------------------------


@exercise.mistake(see=BASE)
def all_features(trained: int, dim: int, theta: float, ratio: float) -> float:
    """your exponent counts all features, so you have the number that multiplies the base. The
    factor itself is a little smaller."""
    return math.pow(ratio, dim / (2 * _first_beyond(trained, dim, theta)))


@exercise.mistake(see=BASE)
def exponent_without_2(trained: int, dim: int, theta: float, ratio: float) -> float:
    """your exponent is twice as large as it should be. A frequency's exponent contains the number
    of the pair times 2, and this one needs the same 2."""
    return math.pow(ratio, (dim - 2) / _first_beyond(trained, dim, theta))


@exercise.mistake(see=BASE)
def exponent_rounded(trained: int, dim: int, theta: float, ratio: float) -> float:
    """your exponent is rounded down to a whole number. Use a division that keeps the fraction."""
    return math.pow(ratio, (dim - 2) // (2 * _first_beyond(trained, dim, theta)))


# --- which pair ---------------------------------------------------------------------------------


@exercise.mistake(see=UNSEEN)
def last_that_turned(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you take the slowest pair that completed a turn. It needs no help; the next slower pair is
    the first that does."""
    return _factor(_first_beyond(trained, dim, theta) - 1, dim, ratio)


@exercise.mistake(see=UNSEEN)
def counted_from_1(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you number the pairs from 1, or take the second pair that never completed a turn. Pair 0 is
    the fastest, and its frequency is 1."""
    return _factor(_first_beyond(trained, dim, theta) + 1, dim, ratio)


@exercise.mistake(see=UNSEEN)
def how_many_are_slow(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you put the number of slow pairs where the number of the first of them belongs."""
    return _factor(dim // 2 - _first_beyond(trained, dim, theta), dim, ratio)


@exercise.mistake(see=UNSEEN)
def a_radian_for_a_turn(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you look for a pair that rotates by less than one radian in training. A full turn is
    more than six radians."""
    return _factor(_first_beyond(2 * math.pi * trained, dim, theta), dim, ratio)


@exercise.mistake(see=UNSEEN)
def half_a_turn(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you use half a turn as if it were a whole one."""
    return _factor(_first_beyond(2 * trained, dim, theta), dim, ratio)


@exercise.mistake(see=UNSEEN)
def turns_of_the_long_text(trained: int, dim: int, theta: float, ratio: float) -> float:
    """you look for a pair that doesn't complete a turn in the long text. What counts is whether it
    completed one in training."""
    return _factor(_first_beyond(ratio * trained, dim, theta), dim, ratio)


@exercise.mistake(see=UNSEEN)
def exponent_over_pairs(trained: int, dim: int, theta: float, ratio: float) -> float:
    """your frequencies fall twice as fast as they should: you divide their exponent by the number
    of pairs. Divide it by the number of features."""
    turn = 2 * math.pi / exponent_over_the_pairs(dim, theta)
    return _factor(int((turn <= trained).sum()), dim, ratio)

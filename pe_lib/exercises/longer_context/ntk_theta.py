"""Exercise: the base of NTK-aware scaling."""

import math

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import BASE

exercise = Exercise(
    call(10000.0, 4.0, 128),
    call(10000.0, 8.0, 8),
    call(500000.0, 2.5, 6),
    call(100.0, 3.0, 4),
    call(10000.0, 1.0, 64),  # nothing changes
    call(50.0, 16.0, 10),
    call(1000000.0, 32.0, 20),
)


@exercise.answer
def my_theta(theta: float, factor: float, dim: int) -> float:
    return theta * math.pow(factor, dim / (dim - 2))


@exercise.mistake(see=BASE)
def times_the_factor(theta: float, factor: float, dim: int) -> float:
    """you multiply theta by the factor itself. The last pair's exponent is a little below 1, so it
    would be slowed by a little less than the factor."""
    return theta * factor


@exercise.mistake(see=BASE)
def unchanged(theta: float, factor: float, dim: int) -> float:
    """this is the base of training: the factor does not change anything."""
    return theta


@exercise.mistake(see=BASE)
def factor_added(theta: float, factor: float, dim: int) -> float:
    """you add to theta. With factor 1 nothing should change."""
    return theta + math.pow(factor, dim / (dim - 2))


@exercise.mistake(see=BASE)
def divided(theta: float, factor: float, dim: int) -> float:
    """your base becomes smaller, and pairs turn faster. Slower pairs need a larger base."""
    return theta / math.pow(factor, dim / (dim - 2))


# --- the exponent -------------------------------------------------------------------------------


@exercise.mistake(see=BASE)
def exponent_upside_down(theta: float, factor: float, dim: int) -> float:
    """your exponent is upside down, and below 1. It has to make up for the last pair's own
    exponent, which is below 1 too."""
    return theta * math.pow(factor, (dim - 2) / dim)


@exercise.mistake(see=BASE)
def exponent_of_all_features(theta: float, factor: float, dim: int) -> float:
    """your exponent is the number of features, and the base becomes enormous. The exponent is a
    little above 1."""
    return theta * math.pow(factor, dim)


@exercise.mistake(see=BASE)
def exponent_of_half_the_features(theta: float, factor: float, dim: int) -> float:
    """your exponent is the number of pairs, and the base becomes enormous. The exponent is a little
    above 1."""
    return theta * math.pow(factor, dim / 2)


@exercise.mistake(see=BASE)
def pairs_for_features(theta: float, factor: float, dim: int) -> float:
    """you have put the number of pairs where the number of features belongs. One pair is missing
    from the whole, not two."""
    pairs = dim / 2
    exponent = math.inf if pairs == 2 else pairs / (pairs - 2)
    return theta * math.pow(factor, exponent)


@exercise.mistake(see=BASE)
def one_feature_left_out(theta: float, factor: float, dim: int) -> float:
    """your exponent leaves out one feature. The last pair's exponent lacks a whole pair, which is
    two."""
    return theta * math.pow(factor, dim / (dim - 1))


@exercise.mistake(see=BASE)
def one_pair_too_many(theta: float, factor: float, dim: int) -> float:
    """your exponent is below 1: the sign of its 2 is wrong, as if there were a pair more, not one
    less."""
    return theta * math.pow(factor, dim / (dim + 2))


@exercise.mistake(see=BASE)
def exponent_rounded(theta: float, factor: float, dim: int) -> float:
    """your exponent is rounded down to a whole number: that is a different division. It is a little
    above 1."""
    return theta * math.pow(factor, dim // (dim - 2))


@exercise.mistake(see=BASE)
def exponent_without_the_whole(theta: float, factor: float, dim: int) -> float:
    """your exponent is that of the second pair alone. Between the first and the last pair there is
    one step less than there are pairs."""
    return theta * math.pow(factor, 2 / (dim - 2))


@exercise.mistake(see=BASE)
def product_rather_than_power(theta: float, factor: float, dim: int) -> float:
    """you multiply by what should be the exponent. Then even factor 1 changes the base."""
    return theta * factor * dim / (dim - 2)


@exercise.mistake(see=BASE)
def power_before_the_division(theta: float, factor: float, dim: int) -> float:
    """brackets are missing around the exponent: a power comes before a division."""
    return theta * math.pow(factor, dim) / (dim - 2)


@exercise.mistake(see=BASE)
def exponent_of_the_product(theta: float, factor: float, dim: int) -> float:
    """you raise the product of both to the power. It belongs to the factor alone: with factor 1
    nothing should change."""
    return math.pow(theta * factor, dim / (dim - 2))


@exercise.mistake(see=BASE)
def exponent_of_theta(theta: float, factor: float, dim: int) -> float:
    """you raise theta to the power. It belongs to the factor: with factor 1 nothing should
    change."""
    return math.pow(theta, dim / (dim - 2)) * factor


@exercise.mistake(see=BASE)
def factor_times_the_circle(theta: float, factor: float, dim: int) -> float:
    """you have changed a base into a wavelength: a turn's radians do not belong here. With factor 1
    nothing should change."""
    return 2 * math.pi * my_theta(theta, factor, dim)


@exercise.mistake(see=BASE)
def only_the_change(theta: float, factor: float, dim: int) -> float:
    """you give the number by which theta has to be multiplied. The exercise asks for the new base
    itself."""
    return math.pow(factor, dim / (dim - 2))

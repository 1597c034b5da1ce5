"""Exercise: the base of dynamic NTK scaling at one length."""

import math

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import BASE, DYNAMIC

# Short texts are long enough for the learner's formula to have a real result without the floor.
exercise = Exercise(
    call(8192, 2048, 128, 10000.0, 2.0),
    call(2048, 2048, 64, 10000.0, 4.0),  # still the trained length
    call(1800, 2048, 64, 10000.0, 4.0),  # shorter
    call(7, 5, 8, 100.0, 3.0),
    call(5000, 4096, 6, 500000.0, 1.0),
    call(100, 40, 4, 50.0, 1.5),
    call(30, 40, 10, 50.0, 2.0),
)


@exercise.answer
def my_dynamic_theta(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    return _stretched(_needed(length, original, factor), dim, theta)


def _needed(length: float, original: int, factor: float) -> float:
    """The factor of this length, 1 up to the trained one."""
    return 1 + factor * (max(length / original, 1) - 1)


def _stretched(factor: float, dim: int, theta: float) -> float:
    return theta * math.pow(factor, dim / (dim - 2))


# --- short texts --------------------------------------------------------------------------------


@exercise.mistake(see=DYNAMIC)
def short_texts_changed(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """right for long texts, but below the trained length your base shrinks. Such texts should be
    read as in training."""
    return _stretched(1 + factor * (length / original - 1), dim, theta)


@exercise.mistake(see=DYNAMIC)
def jump_at_the_trained_length(
    length: int, original: int, dim: int, theta: float, factor: float
) -> float:
    """your base jumps at the trained length: you multiply by the factor and subtract nothing. At
    this length nothing should have changed yet."""
    return _stretched(factor * max(length / original, 1), dim, theta)


@exercise.mistake(see=DYNAMIC)
def jump_after_the_trained_length(
    length: int, original: int, dim: int, theta: float, factor: float
) -> float:
    """texts of the trained length are left alone, but with one token more your base jumps: you
    multiply by the factor and subtract nothing. It should grow from where it was."""
    longer = length / original
    return _stretched(factor * longer if longer > 1 else 1, dim, theta)


@exercise.mistake(see=DYNAMIC)
def jump_at_any_length(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """you multiply length and factor and subtract nothing, whatever the length. Up to the trained
    length nothing should change."""
    return _stretched(factor * length / original, dim, theta)


# --- the factor ---------------------------------------------------------------------------------


@exercise.mistake(see=DYNAMIC)
def factor_left_out(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """right for factor 1. You stretch by the ratio of the lengths, but with a larger factor the
    stretching should grow faster."""
    return _stretched(max(length / original, 1), dim, theta)


@exercise.mistake(see=DYNAMIC)
def factor_and_floor_left_out(
    length: int, original: int, dim: int, theta: float, factor: float
) -> float:
    """you stretch by the ratio of the lengths alone. The factor makes that grow faster, and a text
    shorter than in training should not change at all."""
    return _stretched(length / original, dim, theta)


@exercise.mistake(see=BASE)
def length_ignored(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """your base is the same for every length: that is NTK-aware scaling with a fixed factor, as in
    a configuration. Dynamic scaling stretches only as much as the text needs."""
    return _stretched(factor, dim, theta)


@exercise.mistake(see=BASE)
def whole_factor_for_long_texts(
    length: int, original: int, dim: int, theta: float, factor: float
) -> float:
    """you change nothing for short texts, and stretch all longer texts by the whole factor. In
    dynamic scaling, the stretching grows with the length."""
    return _stretched(factor if length > original else 1, dim, theta)


@exercise.mistake(see=DYNAMIC)
def factor_divides(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """you divide the length by the factor, as if the trained length were that many times greater. A
    larger factor should stretch more, and stretching should begin at the trained length."""
    return _stretched(max(length / (original * factor), 1), dim, theta)


@exercise.mistake(see=DYNAMIC)
def one_forgotten(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """your base falls to 0 at the trained length: you stretch only by the part that should be added
    to 1."""
    return _stretched(_needed(length, original, factor) - 1, dim, theta)


@exercise.mistake(see=DYNAMIC)
def factor_as_a_power(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """you use the factor as an exponent of the ratio of the lengths. It should multiply the part of
    the ratio that is above 1."""
    return _stretched(math.pow(max(length / original, 1), factor), dim, theta)


# --- the length ---------------------------------------------------------------------------------


@exercise.mistake(see=DYNAMIC)
def whole_multiples(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """your base grows in steps: you count how many whole times the trained length fits into the
    text. It should grow with every token."""
    return _stretched(_needed(length // original, 1, factor), dim, theta)


@exercise.mistake(see=DYNAMIC)
def steps_of_doublings(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """your base grows in steps, whenever the length has doubled, and without the factor: that is
    the rule of the first Qwen models. Here it grows with every token."""
    doublings = math.ceil(math.log2(max(length / original, 1)) + 1)
    return _stretched(2**doublings - 1, dim, theta)


@exercise.mistake(see=DYNAMIC)
def last_position_for_length(
    length: int, original: int, dim: int, theta: float, factor: float
) -> float:
    """you use the largest position as the length. Positions begin at 0, so the length is one
    more."""
    return _stretched(_needed(length - 1, original, factor), dim, theta)


# --- the base -----------------------------------------------------------------------------------


@exercise.mistake(see=BASE)
def exponent_left_out(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """the stretching is right, but you multiply theta by it directly. NTK-aware scaling gives it an
    exponent, so that the last pair is slowed by the whole stretching."""
    return theta * _needed(length, original, factor)


@exercise.mistake(see=BASE)
def exponent_upside_down(
    length: int, original: int, dim: int, theta: float, factor: float
) -> float:
    """the stretching is right, but its exponent is upside down, and below 1. It has to make up for
    the last pair's own exponent."""
    return theta * math.pow(_needed(length, original, factor), (dim - 2) / dim)


@exercise.mistake(see=DYNAMIC)
def only_the_stretching(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """this is how much the last pair is slowed, and it is right. The exercise asks for the new
    base."""
    return _needed(length, original, factor)


@exercise.mistake(see=DYNAMIC)
def inside_the_power(length: int, original: int, dim: int, theta: float, factor: float) -> float:
    """you raise theta to the power too. The exponent belongs to the stretching alone, because up to
    the trained length the base should stay as it is."""
    return math.pow(theta * _needed(length, original, factor), dim / (dim - 2))

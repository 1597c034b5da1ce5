"""Exercise: the angle of every pair."""

import math

from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.rope_by_hand._angles import wrong_angles, wrong_positions
from pe_lib.exercises.rope_by_hand._common import FREQUENCIES, right_angles

exercise = Exercise(
    call(1, 6),
    call(3, 6),
    call(0, 4),
    call(100, 8),
    call(2.5, 12),
    call(-7, 4),
    call(5003, 6),
    call(1, 64),
)


@exercise.answer
def my_angles(position: float, dim: int) -> Tensor:
    return right_angles(position, dim)


exercise.take(wrong_angles)
exercise.take(wrong_positions)


@exercise.mistake(see=FREQUENCIES)
def every_angle_twice(position: float, dim: int) -> Tensor:
    """the angles are right, but you give all of them twice. The exercise asks for one number per
    pair."""
    return right_angles(position, dim).repeat(2)


@exercise.mistake(see=FREQUENCIES)
def every_angle_twice_in_a_row(position: float, dim: int) -> Tensor:
    """the angles are right, but you give each of them twice in a row. The exercise asks for one
    number per pair."""
    return right_angles(position, dim).repeat_interleave(2)


@exercise.mistake(see=FREQUENCIES)
def turns_instead_of_radians(position: float, dim: int) -> Tensor:
    """you count full turns, but the exercise asks for radians. At position 1, the fastest hand has
    turned by one radian, which is less than a full turn."""
    return right_angles(position, dim) / (2 * math.pi)


@exercise.mistake(see=FREQUENCIES)
def a_full_turn_for_each_position(position: float, dim: int) -> Tensor:
    """your fastest hand makes a full turn at every position, so it would always point the same way.
    Its frequency is one radian per position."""
    return right_angles(position, dim) * (2 * math.pi)


@exercise.mistake(see=FREQUENCIES)
def full_turns_taken_away(position: float, dim: int) -> Tensor:
    """your angles point the right way, but you left out the full turns. Keep them: the exercise
    asks how far each hand has turned in total."""
    return right_angles(position, dim) % (2 * math.pi)


@exercise.mistake(see=FREQUENCIES)
def cosines(position: float, dim: int) -> Tensor:
    """you give the cosines of the angles. The exercise asks for the angles themselves."""
    return right_angles(position, dim).cos()


@exercise.mistake(see=FREQUENCIES)
def sines(position: float, dim: int) -> Tensor:
    """you give the sines of the angles. The exercise asks for the angles themselves."""
    return right_angles(position, dim).sin()

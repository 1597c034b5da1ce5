"""Exercise: the interleaved turn, with complex numbers."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._angles import wrong_angles, wrong_positions
from pe_lib.exercises.rope_by_hand._common import (
    COMPLEX,
    LAYOUTS,
    Angles,
    angles_of,
    half_split,
    interleaved,
    right_angles,
)
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half

exercise = Exercise(
    call(fixed(6, seed=5), 1),
    call(fixed(4, seed=6), 3),
    call(fixed(8, seed=7), 50),
    call(fixed(6, seed=8), 0),
    call(fixed(8, seed=9), -20),
    call(fixed(4, seed=10), 5003),
    call(fixed(16, seed=11), 7),
)


@exercise.answer
def my_complex_turn(x: Tensor, position: float) -> Tensor:
    return _turned(right_angles, x, position)


def _turned(angles: Angles, x: Tensor, position: float) -> Tensor:
    return interleaved(x, angles(position, len(x)))


def _numbers(x: Tensor) -> Tensor:
    """Neighbours as complex numbers."""
    return torch.view_as_complex(x.unflatten(-1, (-1, 2)))


def _flat(numbers: Tensor) -> Tensor:
    return torch.view_as_real(numbers.resolve_conj()).flatten()


def _factors(x: Tensor, position: float) -> Tensor:
    angles = angles_of(x, position)
    return torch.polar(torch.ones_like(angles), angles)


exercise.take(wrong_angles, within=_turned)
exercise.take(wrong_positions, within=_turned)


# --- from features to numbers and back ----------------------------------------------------------


@exercise.mistake(see=LAYOUTS)
def half_split_layout(x: Tensor, position: float) -> Tensor:
    """you turn features that are half a vector apart: that is the half-split layout. Here a complex
    number is made of neighbours."""
    return half_split(x, angles_of(x, position))


@exercise.mistake(see=COMPLEX)
def real_parts_first(x: Tensor, position: float) -> Tensor:
    """the turn is right, but all real parts come first and all imaginary parts after them. Each
    imaginary part belongs next to its real part, as in the vector that came in."""
    return interleaved_to_half(my_complex_turn(x, position))


@exercise.mistake(see=LAYOUTS)
def read_by_halves(x: Tensor, position: float) -> Tensor:
    """you take the first half as real parts and the second half as imaginary parts, but you return
    the result in pairs. Here neighbours are a pair, in the input and in the result."""
    return half_to_interleaved(half_split(x, angles_of(x, position)))


@exercise.mistake(see=COMPLEX)
def left_as_pairs(x: Tensor, position: float) -> Tensor:
    """the numbers are right, but they still lie in rows of two. The exercise asks for a vector."""
    rows: Tensor = my_complex_turn(x, position).unflatten(-1, (-1, 2))
    return rows


@exercise.mistake(see=COMPLEX)
def imaginary_part_first(x: Tensor, position: float) -> Tensor:
    """the turn is right, but in every pair of the result the imaginary part comes first. Put the
    numbers back in the order of the input."""
    return my_complex_turn(x, position).view(-1, 2).flip(-1).flatten()


@exercise.mistake(see=COMPLEX)
def real_parts_only(x: Tensor, position: float) -> Tensor:
    """you give back the real parts. The imaginary parts are features too: every complex number
    becomes two of them."""
    return my_complex_turn(x, position)[::2]


# --- the product --------------------------------------------------------------------------------


@exercise.mistake(see=COMPLEX)
def turned_backwards(x: Tensor, position: float) -> Tensor:
    """your hands turn clockwise, as they do if the factor has a bar or a negative angle. Here a
    positive angle turns counter-clockwise."""
    return my_complex_turn(x, -position)


@exercise.mistake(see=COMPLEX)
def bar_on_the_vector(x: Tensor, position: float) -> Tensor:
    """you put a bar on the vector: its hands are mirrored before they turn. The bar belongs in the
    score, where two vectors meet."""
    return _flat(_numbers(x).conj() * _factors(x, position))


@exercise.mistake(see=COMPLEX)
def exponential_without_i(x: Tensor, position: float) -> Tensor:
    """your hands change their lengths and do not turn: the exponential of a real number is a
    real number. What does the exponent need to make it a turn?"""
    return _flat(_numbers(x) * angles_of(x, position).exp())


@exercise.mistake(see=COMPLEX)
def length_and_angle_swapped(x: Tensor, position: float) -> Tensor:
    """every hand turns by one radian and is stretched by its angle: length and angle have changed
    places. The length comes first, and a turn changes no length."""
    angles = angles_of(x, position)
    return _flat(_numbers(x) * torch.polar(angles, torch.ones_like(angles)))


@exercise.mistake(see=COMPLEX)
def multiplied_by_the_angle(x: Tensor, position: float) -> Tensor:
    """you multiply by the angle itself: that stretches a hand. To turn it, multiply by the complex
    number of length one that has this angle."""
    return _flat(_numbers(x) * angles_of(x, position))


@exercise.mistake(see=COMPLEX)
def turned_to_the_angle(x: Tensor, position: float) -> Tensor:
    """your hands keep their lengths, but each of them now points in the direction of its angle,
    wherever it pointed before. A hand should turn by the angle, and not to it."""
    return _flat(torch.polar(_numbers(x).abs(), angles_of(x, position)))


@exercise.mistake(see=COMPLEX)
def added(x: Tensor, position: float) -> Tensor:
    """you add the factor. That moves the tip of a hand; multiplying turns it."""
    return _flat(_numbers(x) + _factors(x, position))


@exercise.mistake(see=COMPLEX)
def not_turned(x: Tensor, position: float) -> Tensor:
    """your vector comes back as it went in."""
    return x.clone()

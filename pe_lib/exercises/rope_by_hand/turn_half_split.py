"""Exercise: turning a whole vector, half-split."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._angles import by_exponents, wrong_angles, wrong_positions
from pe_lib.exercises.rope_by_hand._common import (
    FREQUENCIES,
    LAYOUTS,
    TURN,
    Angles,
    angles_of,
    half_split,
    interleaved,
    right_angles,
)
from pe_lib.rotary.apply import rotate_half
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half

exercise = Exercise(
    call(fixed(6), 1),
    call(fixed(4, seed=1), 3),
    call(fixed(8, seed=2), 50),
    call(fixed(6, seed=3), 0),
    call(fixed(8, seed=4), -20),
    call(fixed(4, seed=5), 5003),
    call(fixed(16, seed=6), 7),
)


@exercise.answer
def my_turn(x: Tensor, position: float) -> Tensor:
    return _turned(right_angles, x, position)


def _turned(angles: Angles, x: Tensor, position: float) -> Tensor:
    return half_split(x, angles(position, len(x)))


def _parts(x: Tensor, position: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Both halves, and the cosine and sine of their angles."""
    a, b = x.chunk(2)
    angles = angles_of(x, position)
    return a, b, angles.cos(), angles.sin()


def _with_tables(x: Tensor, quarter: Tensor, angles: Tensor) -> Tensor:
    """x cos + quarter sin, with an angle for every feature."""
    return x * angles.cos() + quarter * angles.sin()


exercise.take(wrong_angles, within=_turned)
exercise.take(wrong_positions, within=_turned)


@exercise.mistake(see=FREQUENCIES)
def an_angle_for_every_feature(x: Tensor, position: float) -> Tensor:
    """you give every feature an angle of its own. The two features of a pair turn together, by one
    and the same angle: there are half as many angles as features."""
    return _with_tables(x, rotate_half(x), by_exponents(position, torch.arange(len(x)) / len(x)))


# --- partners -----------------------------------------------------------------------------------


@exercise.mistake(see=LAYOUTS)
def interleaved_layout(x: Tensor, position: float) -> Tensor:
    """you turn neighbours together: that is the interleaved layout. Here the partner of a feature
    is half a vector away."""
    return interleaved(x, angles_of(x, position))


@exercise.mistake(see=LAYOUTS)
def laid_out_alternately(x: Tensor, position: float) -> Tensor:
    """your pairs are right and turn as they should, but you put the new numbers down alternately.
    Each new number belongs where the old one was."""
    return half_to_interleaved(my_turn(x, position))


@exercise.mistake(see=LAYOUTS)
def picked_alternately(x: Tensor, position: float) -> Tensor:
    """you pick neighbours as pairs, and then lay the result out in halves. Pick the pairs and put
    them back in the same layout."""
    return my_turn(interleaved_to_half(x), position)


@exercise.mistake(see=LAYOUTS)
def tables_of_the_other_layout(x: Tensor, position: float) -> Tensor:
    """you mix two layouts: your partners are half a vector apart, but you give each angle to two
    neighbours. So the two features of a pair get different angles, and the result is not a
    rotation."""
    return _with_tables(x, rotate_half(x), angles_of(x, position).repeat_interleave(2))


@exercise.mistake(see=LAYOUTS)
def quarter_turn_of_the_other_layout(x: Tensor, position: float) -> Tensor:
    """you mix two layouts: the angles are laid out in halves, but neighbours are mixed with each
    other. Neighbours have different angles, so the result is not a rotation."""
    return _with_tables(x, rotate_half(x, interleaved=True), angles_of(x, position).repeat(2))


@exercise.mistake(see=LAYOUTS)
def each_half_with_itself(x: Tensor, position: float) -> Tensor:
    """your halves never meet: each new number is made of one old number alone. A pair is one
    feature of each half, and each new number needs both."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - a * sin, b * cos + b * sin))


# --- the four products --------------------------------------------------------------------------


@exercise.mistake(see=TURN)
def turned_backwards(x: Tensor, position: float) -> Tensor:
    """your hands turn clockwise, as those of chapter 02 did. Here a positive angle turns
    counter-clockwise."""
    return my_turn(x, -position)


@exercise.mistake(see=TURN)
def minus_sign_missing(x: Tensor, position: float) -> Tensor:
    """your hands change their lengths: a minus sign is missing."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos + b * sin, a * sin + b * cos))


@exercise.mistake(see=TURN)
def one_minus_sign_too_many(x: Tensor, position: float) -> Tensor:
    """your hands change their lengths: there is one minus sign too many."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, b * cos - a * sin))


@exercise.mistake(see=TURN)
def one_cosine_forgotten(x: Tensor, position: float) -> Tensor:
    """the first half is right. In the second, something is missing: the old second number, times a
    cosine, is part of the new one."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, a * sin))


@exercise.mistake(see=TURN)
def only_the_cosine(x: Tensor, position: float) -> Tensor:
    """your hands get shorter and do not turn: each new number needs both old ones."""
    a, b, cos, _ = _parts(x, position)
    return torch.cat((a * cos, b * cos))


@exercise.mistake(see=TURN)
def new_half_used_too_early(x: Tensor, position: float) -> Tensor:
    """the first half is right. The second one is computed from the new first half, but it needs the
    old one."""
    a, b, cos, sin = _parts(x, position)
    a = a * cos - b * sin
    return torch.cat((a, a * sin + b * cos))


@exercise.mistake(see=TURN)
def sine_and_cosine_swapped(x: Tensor, position: float) -> Tensor:
    """at position 0 your hands make a quarter turn: sine and cosine are swapped."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * sin - b * cos, a * cos + b * sin))


@exercise.mistake(see=TURN)
def sine_and_cosine_swapped_in_the_second_half(x: Tensor, position: float) -> Tensor:
    """the first half is right. In the second, sine and cosine are swapped: which of the old numbers
    must stay unchanged at position 0?"""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, a * cos + b * sin))


@exercise.mistake(see=TURN)
def minus_in_the_second_half(x: Tensor, position: float) -> Tensor:
    """the first half is right. The second changes its sign even at position 0, where nothing turns:
    there is one minus sign too many."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, a * sin - b * cos))


@exercise.mistake(see=TURN)
def second_half_left_alone(x: Tensor, position: float) -> Tensor:
    """the first half is right, but the second one comes back as it went in. Both numbers of a pair
    change when its hand turns."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, b))


@exercise.mistake(see=TURN)
def not_turned(x: Tensor, position: float) -> Tensor:
    """your vector comes back as it went in."""
    return x.clone()

"""Exercise: turning arrows in the plane."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.warm_up._common import ROTATION

exercise = Exercise(
    call(fixed(3, 2), 0.5),
    call(fixed(1, 2, seed=1), math.pi / 2),
    call(fixed(5, 2, seed=2), -1.2),
    call(fixed(2, 2, seed=3), 4.0),
    call(fixed(2, 2, seed=4), 0.0),
    call(fixed(4, 2, seed=5), 5000.5),
)


@exercise.answer
def my_rotate(x: Tensor, angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, c, -s, s, c)


def _mixed(x: Tensor, a: float, b: float, c: float, d: float) -> Tensor:
    """Every row times the matrix with the rows (a, b) and (c, d)."""
    return x @ torch.tensor([[a, c], [b, d]], dtype=x.dtype)


@exercise.mistake(see=ROTATION)
def turned_backwards(x: Tensor, angle: float) -> Tensor:
    """your arrows turn clockwise. A positive angle turns counter-clockwise: an arrow to the right
    turns upwards."""
    return my_rotate(x, -angle)


@exercise.mistake(see=ROTATION)
def taken_for_degrees(x: Tensor, angle: float) -> Tensor:
    """your angles are about 57 times too small: you treat them as degrees, but they are in
    radians."""
    return my_rotate(x, math.radians(angle))


@exercise.mistake(see=ROTATION)
def turned_into_degrees(x: Tensor, angle: float) -> Tensor:
    """you convert the angle to degrees first, but sine and cosine expect radians."""
    return my_rotate(x, math.degrees(angle))


@exercise.mistake(see=ROTATION)
def new_number_used_too_early(x: Tensor, angle: float) -> Tensor:
    """the first column is right. The second one is computed from the new first column, but it needs
    the old one."""
    c, s = math.cos(angle), math.sin(angle)
    across = x[:, 0] * c - x[:, 1] * s
    return torch.stack((across, across * s + x[:, 1] * c), dim=-1)


@exercise.mistake(see=ROTATION)
def minus_sign_missing(x: Tensor, angle: float) -> Tensor:
    """your arrows change their length: a minus sign is missing."""
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, c, s, s, c)


@exercise.mistake(see=ROTATION)
def sine_and_cosine_swapped(x: Tensor, angle: float) -> Tensor:
    """at angle 0 your arrows make a quarter turn: sine and cosine are swapped."""
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, s, -c, c, s)


@exercise.mistake(see=ROTATION)
def only_the_cosine(x: Tensor, angle: float) -> Tensor:
    """your arrows get shorter and do not turn: each new number needs both old ones."""
    return x * math.cos(angle)


@exercise.mistake(see=ROTATION)
def one_cosine_forgotten(x: Tensor, angle: float) -> Tensor:
    """the first column is right. In the second, you still have to add the upward part, multiplied
    by a cosine."""
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, c, -s, s, 0.0)


@exercise.mistake(see=ROTATION)
def columns_instead_of_rows(x: Tensor, angle: float) -> Tensor:
    """you swapped the two columns of x: the first column is across, and the second is up."""
    return my_rotate(x.flip(-1), angle)


@exercise.mistake(see=ROTATION)
def not_turned(x: Tensor, angle: float) -> Tensor:
    """your arrows come back as they went in."""
    return x.clone()

"""Exercise: turning arrows in the plane."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.runs import call
from pe_lib.exercises.warm_up._common import ANGLES, ROTATION


def _turned(x: Tensor, angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, c, -s, s, c)


def _mixed(x: Tensor, a: float, b: float, c: float, d: float) -> Tensor:
    """Every row times the matrix with the rows (a, b) and (c, d)."""
    return x @ torch.tensor([[a, c], [b, d]], dtype=x.dtype)


def _one_after_the_other(x: Tensor, angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    across = x[:, 0] * c - x[:, 1] * s
    return torch.stack((across, across * s + x[:, 1] * c), dim=-1)


def _symmetric(x: Tensor, angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, c, s, s, c)


def _swapped(x: Tensor, angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, s, -c, c, s)


def _one_cosine(x: Tensor, angle: float) -> Tensor:
    c, s = math.cos(angle), math.sin(angle)
    return _mixed(x, c, -s, s, 0.0)


EXERCISE = Exercise(
    name="rotate",
    signature="my_rotate(x, angle)",
    reference=_turned,
    calls=(
        call(fixed(3, 2), 0.5),
        call(fixed(1, 2, seed=1), math.pi / 2),
        call(fixed(5, 2, seed=2), -1.2),
        call(fixed(2, 2, seed=3), 4.0),
        call(fixed(2, 2, seed=4), 0.0),
    ),
    mistakes=(
        Mistake(
            "turned backwards",
            lambda x, angle: _turned(x, -angle),
            "your arrows turn clockwise. A positive angle turns counter-clockwise: from the right "
            "upwards.",
            ROTATION,
        ),
        Mistake(
            "taken for degrees",
            lambda x, angle: _turned(x, math.radians(angle)),
            "your arrows hardly move: you take the angle for degrees, but it comes in radians.",
            ANGLES,
        ),
        Mistake(
            "turned into degrees",
            lambda x, angle: _turned(x, math.degrees(angle)),
            "you turn the angle into degrees first. Sine and cosine want radians.",
            ANGLES,
        ),
        Mistake(
            "new number used too early",
            _one_after_the_other,
            "the first column is right. The second one is computed from the new first column, "
            "where it needs the old one.",
            ROTATION,
        ),
        Mistake(
            "minus sign missing",
            _symmetric,
            "your arrows change their length: a minus sign is missing.",
            ROTATION,
        ),
        Mistake(
            "sine and cosine swapped",
            _swapped,
            "at angle 0 your arrows turn by a quarter: sine and cosine have changed places.",
            ROTATION,
        ),
        Mistake(
            "only the cosine",
            lambda x, angle: x * math.cos(angle),
            "your arrows get shorter and do not turn: each new number needs both old ones.",
            ROTATION,
        ),
        Mistake(
            "one cosine forgotten",
            _one_cosine,
            "the first column is right. In the second, the number up is still to be multiplied by "
            "a cosine and added.",
            ROTATION,
        ),
        Mistake(
            "columns instead of rows",
            lambda x, angle: _turned(x.flip(-1), angle),
            "the two columns of x are swapped: the first is the one across, the second the one up.",
            ROTATION,
        ),
        Mistake(
            "not turned",
            lambda x, angle: x.clone(),
            "your arrows come back as they went in.",
            ROTATION,
        ),
    ),
)

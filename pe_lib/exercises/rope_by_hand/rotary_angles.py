"""Exercise: the angle of every pair."""

import math

from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.rope_by_hand._common import (
    FREQUENCIES,
    TURN,
    Angles,
    right_angles,
    wrong_angles,
)
from pe_lib.exercises.runs import call


def _angles(position: float, dim: int, angles: Angles = right_angles) -> Tensor:
    return angles(position, dim)


EXERCISE = Exercise(
    name="rotary_angles",
    signature="my_angles(position, dim)",
    reference=_angles,
    calls=(call(1, 6), call(3, 6), call(0, 4), call(100, 8), call(2.5, 12), call(-7, 4)),
    mistakes=(
        Mistake(
            "every angle twice, half-split",
            lambda position, dim: right_angles(position, dim).repeat(2),
            "the angles are right, but each is there twice. Asked for is one number for each "
            "pair; tables as wide as the vector come later.",
            FREQUENCIES,
        ),
        Mistake(
            "every angle twice, interleaved",
            lambda position, dim: right_angles(position, dim).repeat_interleave(2),
            "the angles are right, but each is there twice in a row. Asked for is one number for "
            "each pair; tables as wide as the vector come later.",
            FREQUENCIES,
        ),
        *wrong_angles(_angles),
        Mistake(
            "turns instead of radians",
            lambda position, dim: right_angles(position, dim) / (2 * math.pi),
            "you count full turns. The frequencies are radians a position: the fastest hand is at "
            "one radian after one position, not after a whole turn.",
            FREQUENCIES,
        ),
        Mistake(
            "a full turn a position",
            lambda position, dim: right_angles(position, dim) * (2 * math.pi),
            "your fastest hand makes a full turn at every position: it would point the same way "
            "always. Its frequency is one radian a position.",
            FREQUENCIES,
        ),
        Mistake(
            "full turns taken away",
            lambda position, dim: right_angles(position, dim) % (2 * math.pi),
            "your angles point where they should, but the full turns are taken away. Keep them: "
            "asked for is how far the hand has turned in all.",
            FREQUENCIES,
        ),
        Mistake(
            "cosines",
            lambda position, dim: right_angles(position, dim).cos(),
            "you give the cosines of the angles. The angles themselves were asked for.",
            TURN,
        ),
        Mistake(
            "sines",
            lambda position, dim: right_angles(position, dim).sin(),
            "you give the sines of the angles. The angles themselves were asked for.",
            TURN,
        ),
    ),
)

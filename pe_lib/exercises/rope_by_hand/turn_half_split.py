"""Exercise: turning a whole vector, half-split."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._common import (
    EXHIBIT_MIXED,
    FORTY_FIVE,
    FREQUENCIES,
    LAYOUTS,
    RADIANS,
    TURN,
    Angles,
    angles_of,
    by_exponents,
    half_split,
    interleaved,
    right_angles,
    wrong_angles,
)
from pe_lib.exercises.runs import call
from pe_lib.rotary.apply import rotate_half
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half


def _turn(x: Tensor, position: float, angles: Angles = right_angles) -> Tensor:
    return half_split(x, angles(position, len(x)))


def _parts(x: Tensor, position: float) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Both halves, and the cosine and sine of their angles."""
    a, b = x.chunk(2)
    angles = angles_of(x, position)
    return a, b, angles.cos(), angles.sin()


def _with_tables(x: Tensor, quarter: Tensor, angles: Tensor) -> Tensor:
    """x cos + quarter sin, with an angle for every feature."""
    return x * angles.cos() + quarter * angles.sin()


def _with_quarter(x: Tensor, position: float, first: float, second: float) -> Tensor:
    """With ``first`` and ``second`` as the signs of the quarter turn's halves."""
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos + first * b * sin, b * cos + second * a * sin))


def _each_half_alone(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - a * sin, b * cos + b * sin))


def _new_half_used(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    a = a * cos - b * sin
    return torch.cat((a, a * sin + b * cos))


def _one_cosine(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, a * sin))


def _swapped(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * sin - b * cos, a * cos + b * sin))


def _swapped_below(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, a * cos + b * sin))


def _mirrored(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, a * sin - b * cos))


def _first_half_only(x: Tensor, position: float) -> Tensor:
    a, b, cos, sin = _parts(x, position)
    return torch.cat((a * cos - b * sin, b))


EXERCISE = Exercise(
    name="turn_half_split",
    signature="my_turn(x, position)",
    reference=_turn,
    calls=(
        call(fixed(6), 1),
        call(fixed(4, seed=1), 3),
        call(fixed(8, seed=2), 50),
        call(fixed(6, seed=3), 0),
        call(fixed(8, seed=4), -20),
    ),
    mistakes=(
        Mistake(
            "interleaved layout",
            lambda x, position: interleaved(x, angles_of(x, position)),
            "you turn neighbours together: that is the interleaved layout. Here the partner of a "
            "feature is half a vector away.",
            LAYOUTS,
        ),
        Mistake(
            "laid out alternately",
            lambda x, position: half_to_interleaved(_turn(x, position)),
            "your pairs are the right ones and turn as they should, but you lay the new numbers "
            "out in turn. They go back to where the old ones were.",
            LAYOUTS,
        ),
        Mistake(
            "picked alternately",
            lambda x, position: _turn(interleaved_to_half(x), position),
            "you pick neighbours as pairs, and then lay the result out in halves. Pairs are to be "
            "picked and put back in one and the same layout.",
            LAYOUTS,
        ),
        Mistake(
            "tables of the other layout",
            lambda x, position: _with_tables(
                x, rotate_half(x), angles_of(x, position).repeat_interleave(2)
            ),
            "you mix two layouts: partners half a vector apart, but each angle given to two "
            "neighbours. So the two features of a pair get different angles, and it is no turn.",
            EXHIBIT_MIXED,
        ),
        Mistake(
            "quarter turn of the other layout",
            lambda x, position: _with_tables(
                x, rotate_half(x, interleaved=True), angles_of(x, position).repeat(2)
            ),
            "you mix two layouts: the angles are laid out in halves, but neighbours are mixed "
            "with each other. Neighbours have different angles, so it is no turn.",
            EXHIBIT_MIXED,
        ),
        Mistake(
            "an angle for every feature",
            lambda x, position: _with_tables(
                x, rotate_half(x), by_exponents(position, torch.arange(len(x)) / len(x))
            ),
            "you give every feature an angle of its own. The two features of a pair turn together, "
            "by one and the same angle: there are half as many angles as features.",
            FREQUENCIES,
        ),
        Mistake(
            "each half with itself",
            _each_half_alone,
            "your halves never meet: each new number is made of one old number alone. A pair is "
            "one feature of each half, and each new number needs both.",
            LAYOUTS,
        ),
        Mistake(
            "turned backwards",
            lambda x, position: _turn(x, -position),
            "your hands turn clockwise, as those of the sinusoidal clock did. Here a positive "
            "angle turns counter-clockwise.",
            RADIANS,
        ),
        Mistake(
            "minus sign missing",
            lambda x, position: _with_quarter(x, position, 1, 1),
            "your hands change their lengths: a minus sign is missing.",
            TURN,
        ),
        Mistake(
            "one minus sign too many",
            lambda x, position: _with_quarter(x, position, -1, -1),
            "your hands change their lengths: there is a minus sign too many.",
            TURN,
        ),
        Mistake(
            "one cosine forgotten",
            _one_cosine,
            "the first half is right. In the second, something is left out: the old second number "
            "has its share in the new one, times a cosine.",
            FORTY_FIVE,
        ),
        Mistake(
            "only the cosine",
            lambda x, position: _with_quarter(x, position, 0, 0),
            "your hands get shorter and do not turn: each new number needs both old ones.",
            TURN,
        ),
        Mistake(
            "new half used too early",
            _new_half_used,
            "the first half is right. The second one is computed from the new first half, where "
            "it needs the old one.",
            TURN,
        ),
        Mistake(
            "sine and cosine swapped",
            _swapped,
            "at position 0 your hands turn by a quarter: sine and cosine have changed places.",
            TURN,
        ),
        Mistake(
            "sine and cosine swapped in the second half",
            _swapped_below,
            "the first half is right. In the second, sine and cosine have changed places: which of "
            "the old numbers must be kept whole at position 0?",
            TURN,
        ),
        Mistake(
            "minus in the second half",
            _mirrored,
            "the first half is right. The second changes its sign even at position 0, where "
            "nothing turns: there is a minus sign too many.",
            TURN,
        ),
        Mistake(
            "second half left alone",
            _first_half_only,
            "the first half is right, but the second one comes back as it went in. Both numbers of "
            "a pair change when its hand turns.",
            TURN,
        ),
        Mistake(
            "not turned",
            lambda x, position: x.clone(),
            "your vector comes back as it went in.",
            TURN,
        ),
        *wrong_angles(_turn),
    ),
)

"""Exercise: the quarter turn of every pair."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import AXIS, CLOTHES, HALF_SPLIT
from pe_lib.exercises.runs import call
from pe_lib.rotary.apply import rotate_half


def _halves(x: Tensor) -> tuple[Tensor, Tensor]:
    first, second = x.chunk(2, dim=-1)
    return first, second


def _swapped(x: Tensor) -> Tensor:
    return torch.cat(_halves(x)[::-1], dim=-1)


def _minus_on_the_first(x: Tensor) -> Tensor:
    """Nothing moves; the first half changes its sign."""
    first, second = _halves(x)
    return torch.cat((-first, second), dim=-1)


def _glued_along_the_first_axis(x: Tensor) -> Tensor:
    first, second = _halves(x)
    return torch.cat((-second, first))


def _first_axis_cut(x: Tensor) -> Tensor:
    first, second = x.chunk(2)
    return torch.cat((-second, first))


def _first_axis_cut_last_glued(x: Tensor) -> Tensor:
    first, second = x.chunk(2)
    return torch.cat((-second, first), dim=-1)


EXERCISE = Exercise(
    name="rotate_half",
    signature="my_rotate_half(x)",
    reference=rotate_half,
    calls=(
        call(fixed(2, 3, 8)),
        call(fixed(6, seed=1)),
        call(fixed(2, 2, 3, 12, seed=2)),
        call(fixed(4, 4, seed=3)),
    ),
    mistakes=(
        Mistake(
            "sign on the wrong half",
            lambda x: -rotate_half(x),
            "you turn every pair by a quarter the other way round: the minus stands at the wrong "
            "one of the two halves.",
            HALF_SPLIT,
        ),
        Mistake(
            "no minus",
            _swapped,
            "the halves have changed places, and that is all. Without a sign it is a mirror, not a "
            "turn: do it twice, and you are back where you began.",
            HALF_SPLIT,
        ),
        Mistake(
            "minus twice",
            lambda x: -_swapped(x),
            "both halves have changed their sign. A quarter turn changes the sign of one of the "
            "two numbers.",
            HALF_SPLIT,
        ),
        Mistake(
            "halves not swapped",
            _minus_on_the_first,
            "one half has its minus, but the halves have not changed places.",
            HALF_SPLIT,
        ),
        Mistake(
            "minus on the second, not swapped",
            lambda x: -_minus_on_the_first(x),
            "one half has a minus, but the halves have not changed places.",
            HALF_SPLIT,
        ),
        Mistake(
            "half a turn",
            lambda x: -x,
            "you turn every pair by half a turn, which is what two quarter turns give.",
            HALF_SPLIT,
        ),
        Mistake(
            "nothing turned",
            lambda x: x,
            "the features come back as they were.",
            HALF_SPLIT,
        ),
        Mistake(
            "overwritten before it was read",
            lambda x: -torch.cat(2 * [x.chunk(2, dim=-1)[1]], dim=-1),
            "both halves come from the second one: the first was overwritten before it was read.",
            HALF_SPLIT,
        ),
        Mistake(
            "features reversed",
            lambda x: x.flip(-1),
            "you turn the whole row of features round, last one first. Inside a half their order "
            "stays: only the halves change places.",
            HALF_SPLIT,
        ),
        Mistake(
            "features reversed, with a minus",
            lambda x: _minus_on_the_first(x.flip(-1)),
            "the minus is there, but you turn the whole row of features round, last one first. "
            "Inside a half their order stays.",
            HALF_SPLIT,
        ),
        Mistake(
            "interleaved pairs",
            lambda x: rotate_half(x, interleaved=True),
            "a quarter turn, but of neighbours: your pairs are interleaved. In this layout the two "
            "features of a pair are half a head apart.",
            CLOTHES,
        ),
        Mistake(
            "half-split read, interleaved written",
            lambda x: rotate_half(x).unflatten(-1, (2, -1)).mT.flatten(-2),
            "your pairs are the right ones and turned, but the results are laid down like the "
            "other layout's: the two numbers of a pair side by side.",
            CLOTHES,
        ),
        Mistake(
            "interleaved read, half-split written",
            lambda x: rotate_half(x, interleaved=True).unflatten(-1, (-1, 2)).mT.flatten(-2),
            "you take neighbours for a pair, and lay the results down in halves. The pairs should "
            "be read from where they are written to.",
            CLOTHES,
        ),
        Mistake(
            "first axis cut in halves",
            _first_axis_cut,
            "you cut the first axis in halves. The features of a vector are on the last one, "
            "however many axes stand before it.",
            AXIS,
        ),
        Mistake(
            "glued along the first axis",
            _glued_along_the_first_axis,
            "the halves are right, but they end up one above the other: put together again, they "
            "should be as wide as the vector was.",
            AXIS,
        ),
        Mistake(
            "first axis cut, last axis glued",
            _first_axis_cut_last_glued,
            "what you put side by side are two halves of the first axis. The features of a vector "
            "are on the last one.",
            AXIS,
        ),
    ),
)

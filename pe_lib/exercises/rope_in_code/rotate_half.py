"""Exercise: the quarter turn of every pair."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import BLOCK, HALF_SPLIT, LAYOUT
from pe_lib.rotary.apply import rotate_half
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half

exercise = Exercise(
    call(fixed(2, 3, 8)),
    call(fixed(6, seed=1)),
    call(fixed(2, 2, 3, 12, seed=2)),
    call(fixed(4, 4, seed=3)),
    call(fixed(2, 128, seed=4)),
)


@exercise.answer
def my_rotate_half(x: Tensor) -> Tensor:
    return rotate_half(x)


def _halves(x: Tensor) -> tuple[Tensor, Tensor]:
    first, second = x.chunk(2, dim=-1)
    return first, second


# --- the minus ----------------------------------------------------------------------------------


@exercise.mistake(see=LAYOUT)
def turned_clockwise(x: Tensor) -> Tensor:
    """you turn every pair by a quarter in the wrong direction: the minus is on the wrong half."""
    return -rotate_half(x)


@exercise.mistake(see=HALF_SPLIT)
def no_minus(x: Tensor) -> Tensor:
    """the halves have changed places, but no sign has changed. This is a reflection and not a turn:
    if you do it twice, you are back where you began."""
    first, second = _halves(x)
    return torch.cat((second, first), dim=-1)


@exercise.mistake(see=HALF_SPLIT)
def minus_twice(x: Tensor) -> Tensor:
    """both halves have changed their sign. A quarter turn changes the sign of one of the two
    numbers."""
    first, second = _halves(x)
    return torch.cat((-second, -first), dim=-1)


# --- the places ---------------------------------------------------------------------------------


@exercise.mistake(see=HALF_SPLIT)
def halves_not_swapped(x: Tensor) -> Tensor:
    """one half has its minus, but the halves have not changed places."""
    first, second = _halves(x)
    return torch.cat((-first, second), dim=-1)


@exercise.mistake(see=HALF_SPLIT)
def minus_on_the_second_and_not_swapped(x: Tensor) -> Tensor:
    """one half has a minus, but the halves have not changed places."""
    first, second = _halves(x)
    return torch.cat((first, -second), dim=-1)


@exercise.mistake(see=HALF_SPLIT)
def half_a_turn(x: Tensor) -> Tensor:
    """you turn every pair by half a turn, which is what two quarter turns give."""
    return -x


@exercise.mistake(see=HALF_SPLIT)
def nothing_turned(x: Tensor) -> Tensor:
    """the features come back as they were."""
    return x


@exercise.mistake(see=HALF_SPLIT)
def overwritten_before_it_was_read(x: Tensor) -> Tensor:
    """both halves come from the second one: the first was overwritten before it was read."""
    _, second = _halves(x)
    return torch.cat((-second, -second), dim=-1)


@exercise.mistake(see=HALF_SPLIT)
def features_reversed(x: Tensor) -> Tensor:
    """you reverse the whole row of features. Inside a half their order stays: only the halves
    change places."""
    return x.flip(-1)


@exercise.mistake(see=HALF_SPLIT)
def features_reversed_with_a_minus(x: Tensor) -> Tensor:
    """the minus is there, but you reverse the whole row of features. Inside a half their order
    stays."""
    first, second = _halves(x.flip(-1))
    return torch.cat((-first, second), dim=-1)


# --- the pairs ----------------------------------------------------------------------------------


@exercise.mistake(see=LAYOUT)
def interleaved_pairs(x: Tensor) -> Tensor:
    """this is a quarter turn, but of neighbours: your pairs are interleaved. In the half-split
    layout the two features of a pair are half a head apart."""
    return rotate_half(x, interleaved=True)


@exercise.mistake(see=LAYOUT)
def half_split_read_and_interleaved_written(x: Tensor) -> Tensor:
    """you turn the right pairs, but write the results in the other layout, with the two numbers of
    a pair side by side."""
    return half_to_interleaved(rotate_half(x))


@exercise.mistake(see=LAYOUT)
def interleaved_read_and_half_split_written(x: Tensor) -> Tensor:
    """you read neighbours as a pair, but write the results in two halves. Read each pair from the
    places to which you write it."""
    return interleaved_to_half(rotate_half(x, interleaved=True))


# --- the axis -----------------------------------------------------------------------------------


@exercise.mistake(see=BLOCK)
def first_axis_cut_in_halves(x: Tensor) -> Tensor:
    """you cut the first axis in halves. The features of a vector are on the last one, however many
    axes come before it."""
    first, second = x.chunk(2)
    return torch.cat((-second, first))


@exercise.mistake(see=BLOCK)
def glued_along_the_first_axis(x: Tensor) -> Tensor:
    """the halves are right, but you put one above the other. The result should be as wide as the
    vector was."""
    first, second = _halves(x)
    return torch.cat((-second, first))


@exercise.mistake(see=BLOCK)
def first_axis_cut_and_last_axis_glued(x: Tensor) -> Tensor:
    """you put two halves of the first axis side by side. The features of a vector are on the last
    axis."""
    first, second = x.chunk(2)
    return torch.cat((-second, first), dim=-1)

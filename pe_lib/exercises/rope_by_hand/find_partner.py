"""Exercise: finding out which features a turn pairs."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.rope_by_hand._common import (
    LAYOUTS,
    Layout,
    half_split,
    interleaved,
    right_angles,
)

Turn = Callable[[Any, Any], Tensor]


def _first_with_last(x: Tensor, angles: Tensor) -> Tensor:
    """The first feature turned together with the last, the second with the last but one …"""
    a, b = x.chunk(2, -1)
    a, b = half_split(torch.cat((a, b.flip(-1)), -1), angles).chunk(2, -1)
    return torch.cat((a, b.flip(-1)), -1)


def _turn(layout: Layout, dim: int) -> Turn:
    """A turn that does not say which features it pairs."""

    def turn(x: object, position: float | Tensor) -> Tensor:
        vector = torch.as_tensor(x)
        if not vector.is_floating_point():
            vector = vector.double()
        if vector.shape[-1:] != (dim,):
            raise ValueError(f"x: expected {dim} features, got shape {tuple(vector.shape)}")
        return layout(vector, right_angles(position, dim)).to(vector.dtype)

    return turn


def _call(layout: Layout, feature: int, dim: int) -> Call:
    return call(_turn(layout, dim), feature, dim)


exercise = Exercise(
    _call(half_split, 0, 6),
    _call(interleaved, 0, 6),
    _call(interleaved, 3, 8),
    _call(half_split, 7, 8),
    _call(_first_with_last, 1, 10),
    _call(_first_with_last, 9, 12),
    _call(interleaved, 6, 8),
    _call(interleaved, 1, 4),
    _call(half_split, 31, 64),
)


@exercise.answer
def my_partner(turn: Turn, feature: int, dim: int) -> int:
    turned = _probed(turn, feature, dim)
    turned[feature] = 0
    return int(turned.abs().argmax())


def _probed(turn: Turn, feature: int, dim: int) -> Tensor:
    """A vector with a single 1, turned."""
    probe = torch.zeros(dim, dtype=torch.float64)
    probe[feature] = 1
    return turn(probe, 1)


# --- the turn was not asked ---------------------------------------------------------------------


@exercise.mistake(see=LAYOUTS)
def half_split_taken_for_granted(turn: Turn, feature: int, dim: int) -> int:
    """this is right only for half-split turns, in which the partner is half a vector away. You
    never called `turn` to find out."""
    return (feature + dim // 2) % dim


@exercise.mistake(see=LAYOUTS)
def half_a_vector_further(turn: Turn, feature: int, dim: int) -> int:
    """you always go half a vector further, even past its end. That is right only for the first half
    of a half-split turn: call `turn` to find out."""
    return feature + dim // 2


@exercise.mistake(see=LAYOUTS)
def neighbours_taken_for_granted(turn: Turn, feature: int, dim: int) -> int:
    """this is right only for interleaved turns, in which the partner is the neighbour. You never
    called `turn` to find out."""
    return feature + 1 - 2 * (feature % 2)


@exercise.mistake(see=LAYOUTS)
def the_next_feature(turn: Turn, feature: int, dim: int) -> int:
    """you always name the next feature. A partner may come earlier, or be far away: call `turn` to
    find out."""
    return feature + 1


@exercise.mistake(see=LAYOUTS)
def first_with_last_taken_for_granted(turn: Turn, feature: int, dim: int) -> int:
    """this is right only if the first feature is paired with the last one: call `turn` to find
    out."""
    return dim - 1 - feature


@exercise.mistake(see=LAYOUTS)
def one_of_two_layouts(turn: Turn, feature: int, dim: int) -> int:
    """this is right for both layouts of the chapter, but there are others: use `turn` to find the
    partner of the given feature itself."""
    neighbours = my_partner(turn, 0, dim) == 1
    return feature + 1 - 2 * (feature % 2) if neighbours else (feature + dim // 2) % dim


@exercise.mistake(see=LAYOUTS)
def always_the_first_feature_probed(turn: Turn, feature: int, dim: int) -> int:
    """you name the partner of the first feature, whatever feature was asked for."""
    return my_partner(turn, 0, dim)


# --- the answer was misread ---------------------------------------------------------------------


@exercise.mistake(see=LAYOUTS)
def the_feature_itself(turn: Turn, feature: int, dim: int) -> int:
    """you name the feature itself: it was the only number that you put in, and you found it again.
    The partner is the other feature whose number has changed."""
    return feature


@exercise.mistake(see=LAYOUTS)
def the_largest_number(turn: Turn, feature: int, dim: int) -> int:
    """this is right for the fast pairs. A slow pair turns very little, so the larger number is
    still at the feature itself. The partner is the other feature whose number is not zero."""
    return int(_probed(turn, feature, dim).abs().argmax())


@exercise.mistake(see=LAYOUTS)
def the_largest_number_with_its_sign(turn: Turn, feature: int, dim: int) -> int:
    """you look for the largest number. A slow pair turns very little, so the largest number is
    still at the feature itself. And the partner's number may be negative."""
    return int(_probed(turn, feature, dim).argmax())


@exercise.mistake(see=LAYOUTS)
def the_first_that_is_not_zero(turn: Turn, feature: int, dim: int) -> int:
    """you name the first number that is not zero. That is the partner only if it comes before the
    feature. Otherwise it is the feature itself."""
    return int(_probed(turn, feature, dim).nonzero()[0])


@exercise.mistake(see=LAYOUTS)
def the_last_that_is_not_zero(turn: Turn, feature: int, dim: int) -> int:
    """you name the last number that is not zero. That is the partner only if it comes after the
    feature. Otherwise it is the feature itself."""
    return int(_probed(turn, feature, dim).nonzero()[-1])


@exercise.mistake(see=LAYOUTS)
def the_second_largest_number(turn: Turn, feature: int, dim: int) -> int:
    """this is right for the slow pairs. A fast pair can turn so far that the partner's number
    becomes the larger one. The partner is the other feature that is not zero, whatever its size."""
    return int(_probed(turn, feature, dim).abs().topk(2).indices[1])


@exercise.mistake(see=LAYOUTS)
def sign_forgotten(turn: Turn, feature: int, dim: int) -> int:
    """this is right if the partner's number is positive. For the second feature of a pair it is
    negative, so you miss it: compare sizes, without the sign."""
    turned = _probed(turn, feature, dim)
    turned[feature] = 0
    return int(turned.argmax())


@exercise.mistake(see=LAYOUTS)
def only_positive_numbers(turn: Turn, feature: int, dim: int) -> int | None:
    """if the partner's number is negative, you find nothing and return None. That happens for the
    second feature of every pair."""
    partner = my_partner(turn, feature, dim)
    return partner if _probed(turn, feature, dim)[partner] > 0 else None


@exercise.mistake(see=LAYOUTS)
def slow_pairs_missed(turn: Turn, feature: int, dim: int) -> int | None:
    """for the slow pairs you find nothing and return None: at position 1 they have barely moved.
    Accept smaller numbers, or try a position at which the pairs have moved further."""
    partner = my_partner(turn, feature, dim)
    return partner if _probed(turn, feature, dim)[partner].abs() > 0.01 else None


@exercise.mistake(see=LAYOUTS)
def always_the_first_feature(turn: Turn, feature: int, dim: int) -> int:
    """your answer is always 0. Did you look at position 0, where nothing turns? Or did you put in a
    vector in which every number moves?"""
    return 0

"""Exercise: finding out which features a turn pairs."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.rope_by_hand._common import (
    LAYOUTS,
    Layout,
    half_split,
    interleaved,
    right_angles,
)
from pe_lib.exercises.runs import Call, call

Turn = Callable[[Any, Any], Tensor]


def _mirrored(x: Tensor, angles: Tensor) -> Tensor:
    """The first feature turned together with the last, the second with the last but one ..."""
    a, b = half_split(torch.cat((_first(x), _last(x)), -1), angles).chunk(2, -1)
    return torch.cat((a, b.flip(-1)), -1)


def _first(x: Tensor) -> Tensor:
    return x[..., : x.shape[-1] // 2]


def _last(x: Tensor) -> Tensor:
    """The second half, backwards."""
    return x[..., x.shape[-1] // 2 :].flip(-1)


def _turn(turned: Layout, dim: int) -> Turn:
    """A turn that does not say which features it pairs."""

    def turn(x: object, position: float | Tensor) -> Tensor:
        vector = torch.as_tensor(x)
        if not vector.is_floating_point():
            vector = vector.double()
        if vector.shape[-1:] != (dim,):
            raise ValueError(f"x: expected {dim} features, got shape {tuple(vector.shape)}")
        return turned(vector, right_angles(position, dim)).to(vector.dtype)

    return turn


def _probed(turn: Turn, feature: int, dim: int, position: int = 1) -> Tensor:
    """A vector with a single 1, turned."""
    probe = torch.zeros(dim, dtype=torch.float64)
    probe[feature] = 1
    return turn(probe, position)


def _partner(turn: Turn, feature: int, dim: int) -> Tensor:
    turned = _probed(turn, feature, dim)
    turned[feature] = 0
    return turned.abs().argmax()


def _moved(turn: Turn, feature: int, dim: int) -> Tensor:
    """The numbers of the features that are not zero."""
    return _probed(turn, feature, dim).nonzero().flatten()


def _clearly_moved(turn: Turn, feature: int, dim: int) -> int | None:
    """The partner where it has moved far enough to be seen at a glance, else nothing."""
    partner = _partner(turn, feature, dim)
    return int(partner) if _probed(turn, feature, dim)[partner].abs() > 0.01 else None


def _positive(turn: Turn, feature: int, dim: int) -> int | None:
    """The partner where its number is positive, else nothing."""
    partner = _partner(turn, feature, dim)
    return int(partner) if _probed(turn, feature, dim)[partner] > 0 else None


def _sign_forgotten(turn: Turn, feature: int, dim: int) -> Tensor:
    turned = _probed(turn, feature, dim)
    turned[feature] = 0
    return turned.argmax()


def _one_of_two(turn: Turn, feature: int, dim: int) -> int:
    interleaved = _partner(turn, 0, dim) == 1
    return feature + 1 - 2 * (feature % 2) if interleaved else (feature + dim // 2) % dim


def _call(turned: Layout, feature: int, dim: int) -> Call:
    return call(_turn(turned, dim), feature, dim)


EXERCISE = Exercise(
    name="find_partner",
    signature="my_partner(turn, feature, dim)",
    reference=_partner,
    calls=(
        _call(half_split, 0, 6),
        _call(interleaved, 0, 6),
        _call(interleaved, 3, 8),
        _call(half_split, 7, 8),
        _call(_mirrored, 1, 10),
        _call(_mirrored, 9, 12),
        _call(interleaved, 6, 8),
        _call(interleaved, 1, 4),
    ),
    mistakes=(
        Mistake(
            "half-split taken for granted",
            lambda turn, feature, dim: (feature + dim // 2) % dim,
            "right for half-split turns only: half a vector away. You never asked the turn itself.",
            LAYOUTS,
        ),
        Mistake(
            "half a vector further",
            lambda turn, feature, dim: feature + dim // 2,
            "you always go half a vector further, even past its end. That is right for the first "
            "half of a half-split turn only: ask the turn itself.",
            LAYOUTS,
        ),
        Mistake(
            "neighbours taken for granted",
            lambda turn, feature, dim: feature + 1 - 2 * (feature % 2),
            "right for interleaved turns only: the neighbour. You never asked the turn itself.",
            LAYOUTS,
        ),
        Mistake(
            "the next feature",
            lambda turn, feature, dim: feature + 1,
            "you always name the next feature. A partner may stand before it, or far away: ask the "
            "turn itself.",
            LAYOUTS,
        ),
        Mistake(
            "first with last taken for granted",
            lambda turn, feature, dim: dim - 1 - feature,
            "right only where the first feature is paired with the last one: ask the turn itself.",
            LAYOUTS,
        ),
        Mistake(
            "the feature itself",
            lambda turn, feature, dim: feature,
            "you name the feature itself: where a single number went in, it is the first that one "
            "sees again. Its partner is the other number that has changed.",
            LAYOUTS,
        ),
        Mistake(
            "the largest number",
            lambda turn, feature, dim: _probed(turn, feature, dim).abs().argmax(),
            "right for the fast pairs. A slow pair turns very little, and then the larger number "
            "is still where it was. Its partner is the other one that is not zero.",
            LAYOUTS,
        ),
        Mistake(
            "the largest number, with its sign",
            lambda turn, feature, dim: _probed(turn, feature, dim).argmax(),
            "you look for the largest number. A slow pair turns very little, so the largest is "
            "still where it was; and what moved may be negative.",
            LAYOUTS,
        ),
        Mistake(
            "the first that is not zero",
            lambda turn, feature, dim: _moved(turn, feature, dim)[0],
            "you name the first number that is not zero. That is the partner only where it stands "
            "before the feature; else it is the feature itself.",
            LAYOUTS,
        ),
        Mistake(
            "the last that is not zero",
            lambda turn, feature, dim: _moved(turn, feature, dim)[-1],
            "you name the last number that is not zero. That is the partner only where it stands "
            "after the feature; else it is the feature itself.",
            LAYOUTS,
        ),
        Mistake(
            "the second largest number",
            lambda turn, feature, dim: _probed(turn, feature, dim).abs().topk(2).indices[1],
            "right for the slow pairs. A fast pair can turn so far that the partner's number is "
            "the larger one. It is the other one that is not zero, whatever its size.",
            LAYOUTS,
        ),
        Mistake(
            "sign forgotten",
            _sign_forgotten,
            "right where the partner's number is positive. For the second feature of a pair it is "
            "negative, and then you find nothing: look at its size.",
            LAYOUTS,
        ),
        Mistake(
            "only positive numbers",
            _positive,
            "where the partner's number is negative, you find nothing and give back None. So it is "
            "for the second feature of every pair.",
            LAYOUTS,
        ),
        Mistake(
            "slow pairs missed",
            _clearly_moved,
            "for the slow pairs you find nothing and give back None: at position 1 they have "
            "hardly moved. Ask for less, or look where they have moved further.",
            LAYOUTS,
        ),
        Mistake(
            "one of two layouts",
            _one_of_two,
            "right for both layouts of the chapter, but there are others: ask for the partner of "
            "this very feature.",
            LAYOUTS,
        ),
        Mistake(
            "always the first feature probed",
            lambda turn, feature, dim: _partner(turn, 0, dim),
            "you name the partner of the first feature, whatever feature was asked for.",
            LAYOUTS,
        ),
        Mistake(
            "always the first feature",
            lambda turn, feature, dim: 0,
            "your answer is always 0. Did you look at position 0, where nothing turns? Or put in a "
            "vector in which everything moves?",
            LAYOUTS,
        ),
    ),
)

"""Exercise: the pairs that meet angles that training never showed."""

import math

import torch
from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import (
    UNSEEN,
    exponent_over_the_pairs,
    exponent_without_the_2,
    numbers,
)

exercise = Exercise(
    call(8192, 32768, 128, 10000.0),
    call(8192, 131072, 128, 500000.0),
    call(512, 640, 64, 10000.0),
    call(64, 256, 16, 100.0),
    call(12, 13, 8, 50.0),
    call(5, 7, 4, 2.0),  # all of them
    call(7, 9, 4, 2.0),  # the first comes round at position 7, the first that is new
    call(1000, 4000, 32, 3.0),  # none: all have turned
    call(256, 256, 64, 10000.0),  # none: nothing is new
    call(2048, 512, 64, 10000.0),
)


@exercise.answer
def my_unseen(trained: int, context: int, dim: int, theta: float) -> Tensor:
    return _unseen(trained, context, wavelengths(dim, theta))


def _unseen(trained: float, context: float, turn: Tensor) -> Tensor:
    """The pairs whose full ``turn`` takes more positions than training had."""
    return _numbers_of((turn > trained) & (context > trained))


def _numbers_of(chosen: Tensor) -> Tensor:
    return torch.nonzero(chosen).flatten()


# --- which pairs --------------------------------------------------------------------------------


@exercise.mistake(see=UNSEEN)
def pairs_that_have_turned(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you name the fast pairs. They have gone all the way round in training, so no angle is new to
    them; the slow ones have not."""
    return _numbers_of((wavelengths(dim, theta) <= trained) & (context > trained))


@exercise.mistake(see=UNSEEN)
def pairs_that_have_turned_in_any_text(
    trained: int, context: int, dim: int, theta: float
) -> Tensor:
    """you name the fast pairs, whatever the new length is. They have gone all the way round in
    training, so no angle is new to them; the slow ones have not."""
    return _numbers_of(wavelengths(dim, theta) <= trained)


@exercise.mistake(see=UNSEEN)
def texts_no_longer_than_training(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """right for texts that are longer than those of training. In a text that is not longer, no pair
    meets a new angle, however slow it is."""
    return _numbers_of(wavelengths(dim, theta) > trained)


@exercise.mistake(see=UNSEEN)
def no_turn_within_the_context(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you name the pairs that do not complete a turn within the new length. But some pairs complete
    a turn there and did not do so in training, so they meet new angles too."""
    return _numbers_of((wavelengths(dim, theta) > context) & (context > trained))


@exercise.mistake(see=UNSEEN)
def no_turn_within_the_context_in_any_text(
    trained: int, context: int, dim: int, theta: float
) -> Tensor:
    """you compare with the new length alone. What counts is which pairs did not complete a turn
    within the trained length, and whether the new length is greater at all."""
    return _numbers_of(wavelengths(dim, theta) > context)


@exercise.mistake(see=UNSEEN)
def first_turn_within_the_context(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """the slowest pairs are missing. They do not go all the way round within the new length either,
    but they go farther than in training, and that is new."""
    turn = wavelengths(dim, theta)
    return _numbers_of((turn > trained) & (turn <= context))


@exercise.mistake(see=UNSEEN)
def only_the_new_positions(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you ask which pairs do not complete a turn within the new positions. What counts is whether
    they completed one within the positions of training."""
    return _unseen(context - trained, context, wavelengths(dim, theta))


@exercise.mistake(see=UNSEEN)
def last_position_for_length(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you compare with the last position of training, which is one less than its length. A pair
    that has almost completed its turn there completes it at the very next position, and meets no
    new angle."""
    return _numbers_of((wavelengths(dim, theta) > trained - 1) & (context > trained))


@exercise.mistake(see=UNSEEN)
def trained_and_context_exchanged(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you have exchanged the two lengths: the trained one comes first."""
    return my_unseen(context, trained, dim, theta)


# --- how long a turn is -------------------------------------------------------------------------


@exercise.mistake(see=UNSEEN)
def radians_for_turns(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you stop after one radian. A pair has shown all its angles after a full turn, and that takes
    more than six times as many positions."""
    return _unseen(trained, context, 1 / inverse_frequencies(dim, theta))


@exercise.mistake(see=UNSEEN)
def half_a_turn(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """half a turn is not enough: on the other half of the circle all angles are still new."""
    return _unseen(trained, context, wavelengths(dim, theta) / 2)


@exercise.mistake(see=UNSEEN)
def degrees_for_radians(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you divide a turn in degrees by a frequency in radians per position."""
    return _unseen(trained, context, 360 / inverse_frequencies(dim, theta))


@exercise.mistake(see=UNSEEN)
def inverse_turns(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """your wavelengths are upside down: they shrink from pair to pair. The last pair needs the most
    positions for a turn."""
    return _unseen(trained, context, 2 * math.pi * inverse_frequencies(dim, theta))


@exercise.mistake(see=UNSEEN)
def exponent_without_2(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """your frequencies fall too slowly from pair to pair: a factor 2 is missing in the exponent,
    because every pair has two features."""
    return _unseen(trained, context, 2 * math.pi / exponent_without_the_2(dim, theta))


@exercise.mistake(see=UNSEEN)
def exponent_over_pairs(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """your frequencies fall too fast from pair to pair: you divide the exponent by the number of
    pairs. Divide it by the number of features."""
    return _unseen(trained, context, 2 * math.pi / exponent_over_the_pairs(dim, theta))


@exercise.mistake(see=UNSEEN)
def theta_reached(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """your last pair is too slow: your exponents go all the way to theta. They should stop one step
    before it."""
    turn = 2 * math.pi * theta ** (numbers(dim) / max(dim // 2 - 1, 1))
    return _unseen(trained, context, turn)


@exercise.mistake(see=UNSEEN)
def theta_ignored(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """right for the usual base, but your function ignores its argument theta."""
    return my_unseen(trained, context, dim, 10000.0)


# --- the answer ---------------------------------------------------------------------------------


@exercise.mistake(see=UNSEEN)
def ones_and_zeros(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you say yes or no for every pair, with a 1 or a 0. The exercise asks for the numbers of the
    pairs for which it is true."""
    return ((wavelengths(dim, theta) > trained) & (context > trained)).long()


@exercise.mistake(see=UNSEEN)
def how_many(trained: int, context: int, dim: int, theta: float) -> int:
    """you give how many pairs there are. The exercise asks for their numbers."""
    return len(my_unseen(trained, context, dim, theta))


@exercise.mistake(see=UNSEEN)
def counted_from_1(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """the right pairs, but you count them from 1. The fastest is pair 0."""
    return my_unseen(trained, context, dim, theta) + 1


@exercise.mistake(see=UNSEEN)
def first_features(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you count features, two for each pair. The exercise asks for the numbers of the pairs."""
    return 2 * my_unseen(trained, context, dim, theta)


@exercise.mistake(see=UNSEEN)
def each_in_a_row_of_its_own(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """the right numbers, but each in a row of its own, with one column. The exercise asks for a
    vector."""
    return my_unseen(trained, context, dim, theta)[:, None]


@exercise.mistake(see=UNSEEN)
def their_wavelengths(trained: int, context: int, dim: int, theta: float) -> Tensor:
    """you give the wavelengths of the pairs. The exercise asks for their numbers."""
    return wavelengths(dim, theta)[my_unseen(trained, context, dim, theta)]

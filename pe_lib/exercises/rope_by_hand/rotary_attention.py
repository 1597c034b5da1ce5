"""Exercise: a whole attention head with rotary positions."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._angles import by_exponents, pairs, wrong_angles
from pe_lib.exercises.rope_by_hand._common import (
    BUGS,
    FREQUENCIES,
    LAW,
    LAYOUTS,
    TURN,
    WEIGHTS,
    Angles,
    interleaved,
)
from pe_lib.exercises.rope_by_hand._weights import scores, turned, weights, wrong_weights

# Turned queries and keys give the attention weights.
Weights = Callable[[Tensor, Tensor], Tensor]


def _call(seq: int, width: int, dim: int) -> Call:
    return call(fixed(seq, width, seed=seq), *fixed(3, width, dim, seed=width))


exercise = Exercise(
    _call(5, 8, 6),
    _call(9, 6, 4),
    _call(12, 10, 8),
    _call(1, 6, 6),
    _call(7, 6, 6),
    _call(70, 6, 4),
)


@exercise.answer
def my_attention(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return _with_weights(weights, x, w_q, w_k, w_v)


def _with_weights(weights: Weights, x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return weights(turned(x @ w_q), turned(x @ w_k)) @ (x @ w_v)


def _with_angles(angles: Angles, x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return weights(turned(x @ w_q, angles), turned(x @ w_k, angles)) @ (x @ w_v)


exercise.take(wrong_weights, within=_with_weights)
exercise.take(wrong_angles, within=_with_angles)


# --- what is turned -----------------------------------------------------------------------------


@exercise.mistake(see=FREQUENCIES)
def turned_before_the_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you turn the tokens' vectors before they are projected. The projection mixes the pairs, so
    turn what comes out of it."""
    first = turned(x)
    return weights(first @ w_q, first @ w_k) @ (x @ w_v)


@exercise.mistake(see=FREQUENCIES)
def all_turned_before_the_projection(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you turn the tokens' vectors before they become queries, keys and values. Turn after the
    projection, and do not turn all three."""
    first = turned(x)
    return weights(first @ w_q, first @ w_k) @ (first @ w_v)


@exercise.mistake(see=WEIGHTS)
def values_turned_too(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """the weights are right, but you turn the values as well. So the output depends on where the
    text begins."""
    return weights(turned(x @ w_q), turned(x @ w_k)) @ turned(x @ w_v)


@exercise.mistake(see=BUGS)
def only_the_queries_turned(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you turn only the queries. Then the scores depend on where the query is, and not on how far
    the key is from it. The keys have to turn as well."""
    return weights(turned(x @ w_q), x @ w_k) @ (x @ w_v)


@exercise.mistake(see=BUGS)
def only_the_keys_turned(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you turn only the keys. Then the scores depend on where the key is, and not on how far it is
    from the query. The queries have to turn as well."""
    return weights(x @ w_q, turned(x @ w_k)) @ (x @ w_v)


@exercise.mistake(see=TURN)
def not_turned(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """the positions have no effect: this is attention without positions. (The same happens if all
    rows get the same position, because only offsets count.)"""
    return weights(x @ w_q, x @ w_k) @ (x @ w_v)


# --- how it is turned ---------------------------------------------------------------------------


@exercise.mistake(see=TURN)
def turned_in_opposite_directions(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """queries and keys turn in opposite directions: in their dot product the two angles add up.
    Turn both the same way, and one undoes the other."""
    return weights(turned(x @ w_q), turned(x @ w_k, sign=-1)) @ (x @ w_v)


@exercise.mistake(see=TURN)
def turned_backwards(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """your queries and keys turn clockwise: before and after are exchanged. Here a positive angle
    turns counter-clockwise."""
    return weights(turned(x @ w_q, sign=-1), turned(x @ w_k, sign=-1)) @ (x @ w_v)


@exercise.mistake(see=LAYOUTS)
def interleaved_layout(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you turn neighbours together: that is the interleaved layout. Here the partner of a feature
    is half a vector away."""
    q, k = (turned(x @ w, layout=interleaved) for w in (w_q, w_k))
    return weights(q, k) @ (x @ w_v)


@exercise.mistake(see=BUGS)
def frequencies_of_the_width_of_x(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you compute the frequencies from the width of the tokens' vectors. But you turn queries and
    keys, which have a width of their own."""

    def angles(position: Tensor, dim: int) -> Tensor:
        return by_exponents(position, 2 * pairs(dim) / x.shape[1])

    return _with_angles(angles, x, w_q, w_k, w_v)


@exercise.mistake(see=LAW)
def plain_scores_times_a_cosine(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you multiply each plain score by the cosine of its offset. Turn the queries and the keys, and
    then take dot products."""
    places = torch.arange(len(x))
    cosines = (places[:, None] - places).cos()
    return (scores(x @ w_q, x @ w_k) * cosines).softmax(-1) @ (x @ w_v)


# --- projections, and what is given back --------------------------------------------------------


@exercise.mistake(see=WEIGHTS)
def root_of_the_width_of_x(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you divide the scores by the root of the width of the tokens' vectors. What counts is the
    number of features of one query."""
    products = turned(x @ w_q) @ turned(x @ w_k).mT
    return (products / math.sqrt(x.shape[1])).softmax(-1) @ (x @ w_v)


@exercise.mistake(see=WEIGHTS)
def values_not_projected(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """the weights are right, but they average the tokens' own vectors: the values are what the
    third projection gives."""
    return weights(turned(x @ w_q), turned(x @ w_k)) @ x


@exercise.mistake(see=WEIGHTS)
def weights_only(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """these are the attention weights, and they are right. The exercise asks for the output: the
    values still have to be averaged with them."""
    return weights(turned(x @ w_q), turned(x @ w_k))


@exercise.mistake(see=WEIGHTS)
def one_projection_for_both(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """you make the keys with the projection of the queries, but queries and keys each have their
    own projection."""
    return my_attention(x, w_q, w_q, w_v)

"""Exercise: a whole attention head with rotary positions."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rotary_by_hand.common import (
    AFTER,
    EXHIBIT_WIDTH,
    LAW,
    LAYOUTS,
    OFFSET,
    ONE_ALONE,
    RADIANS,
    VALUES,
    WEIGHTS,
    Angles,
    by_exponents,
    half_split,
    interleaved,
    pairs,
    right_angles,
    wrong_angles,
)
from pe_lib.exercises.runs import Call, call

Layout = Callable[[Tensor, Tensor], Tensor]


def _turned(
    rows: Tensor, angles: Angles = right_angles, layout: Layout = half_split, sign: int = 1
) -> Tensor:
    """The rows of a text, each turned for its place."""
    positions = torch.arange(len(rows), dtype=torch.float64)[:, None]
    return layout(rows, sign * angles(positions, rows.shape[1]))


def _weights(q: Tensor, k: Tensor) -> Tensor:
    return _scores(q, k).softmax(-1)


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[1])


def _attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, angles: Angles = right_angles
) -> Tensor:
    return _weights(_turned(x @ w_q, angles), _turned(x @ w_k, angles)) @ (x @ w_v)


def _of_turned(weights: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """The head with other weights made of the turned queries and keys."""
    return lambda x, w_q, w_k, w_v: weights(_turned(x @ w_q), _turned(x @ w_k)) @ (x @ w_v)


def _of_plain(weights: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """The head with other weights made of queries and keys as they were."""
    return lambda x, w_q, w_k, w_v: weights(x @ w_q, x @ w_k) @ (x @ w_v)


def _before(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    turned = _turned(x)
    return _weights(turned @ w_q, turned @ w_k) @ (x @ w_v)


def _before_all(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    turned = _turned(x)
    return _weights(turned @ w_q, turned @ w_k) @ (turned @ w_v)


def _values_turned(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return _weights(_turned(x @ w_q), _turned(x @ w_k)) @ _turned(x @ w_v)


def _width_frequencies(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    width = x.shape[1]
    return _attention(
        x, w_q, w_k, w_v, lambda position, dim: by_exponents(position, 2 * pairs(dim) / width)
    )


def _width_root(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    rescaled = w_q * math.sqrt(w_q.shape[1] / x.shape[1])
    return _attention(x, rescaled, w_k, w_v)


def _causal(q: Tensor, k: Tensor) -> Tensor:
    later = torch.ones(len(q), len(k)).triu(1).bool()
    return _scores(q, k).masked_fill(later, -math.inf).softmax(-1)


def _false_law(q: Tensor, k: Tensor) -> Tensor:
    """The plain scores, each times the cosine of its offset."""
    places = torch.arange(len(q))
    return (_scores(q, k) * (places[:, None] - places).cos()).softmax(-1)


def _call(seq: int, width: int, dim: int) -> Call:
    x, weights = fixed(seq, width, seed=seq), fixed(3, width, dim, seed=width)
    return call(x, *weights)


ROTARY_ATTENTION = Exercise(
    name="rotary_attention",
    signature="my_attention(x, w_q, w_k, w_v)",
    reference=_attention,
    calls=(_call(5, 8, 6), _call(9, 6, 4), _call(12, 10, 8), _call(1, 6, 6), _call(7, 6, 6)),
    mistakes=(
        Mistake(
            "turned before the projection",
            _before,
            "you turn the words' vectors before they are projected. The projection undoes nothing "
            "and keeps no pair together: turn what comes out of it.",
            AFTER,
        ),
        Mistake(
            "all turned before the projection",
            _before_all,
            "you turn the words' vectors before they become queries, keys and values. Turn after "
            "the projection, and not everything.",
            AFTER,
        ),
        Mistake(
            "values turned too",
            _values_turned,
            "the weights are right, but the values have turned as well: what comes out depends on "
            "where the text begins.",
            VALUES,
        ),
        Mistake(
            "values not projected",
            lambda x, w_q, w_k, w_v: _weights(_turned(x @ w_q), _turned(x @ w_k)) @ x,
            "the weights are right, but they average the words' own vectors: the values are what "
            "the third projection gives.",
            WEIGHTS,
        ),
        Mistake(
            "weights only",
            lambda x, w_q, w_k, w_v: _weights(_turned(x @ w_q), _turned(x @ w_k)),
            "these are the attention weights, and they are right. The output was asked for: the "
            "values are still to be averaged with them.",
            WEIGHTS,
        ),
        Mistake(
            "only the queries turned",
            lambda x, w_q, w_k, w_v: _weights(_turned(x @ w_q), x @ w_k) @ (x @ w_v),
            "only the queries have turned. Then the scores depend on where the query stands, and "
            "not on how far the key is from it: the keys turn as well.",
            ONE_ALONE,
        ),
        Mistake(
            "only the keys turned",
            lambda x, w_q, w_k, w_v: _weights(x @ w_q, _turned(x @ w_k)) @ (x @ w_v),
            "only the keys have turned. Then the scores depend on where the key stands, and not "
            "on how far it is from the query: the queries turn as well.",
            ONE_ALONE,
        ),
        Mistake(
            "turned in opposite directions",
            lambda x, w_q, w_k, w_v: (
                _weights(_turned(x @ w_q), _turned(x @ w_k, sign=-1)) @ (x @ w_v)
            ),
            "queries and keys turn in opposite directions: in their dot product the two angles "
            "add up. Turn both the same way, and one undoes the other.",
            OFFSET,
        ),
        Mistake(
            "turned backwards",
            lambda x, w_q, w_k, w_v: (
                _weights(_turned(x @ w_q, sign=-1), _turned(x @ w_k, sign=-1)) @ (x @ w_v)
            ),
            "your queries and keys turn clockwise: before and after are exchanged. Here a positive "
            "angle turns counter-clockwise.",
            RADIANS,
        ),
        Mistake(
            "not turned",
            _of_plain(_weights),
            "the positions do nothing: this is attention without any. (If all rows get the same "
            "position, that is the same: only offsets count.)",
            OFFSET,
        ),
        Mistake(
            "false law",
            _of_plain(_false_law),
            "you multiply each plain score by the cosine of its offset: that is the printed law. "
            "Turn the queries and the keys, and then take dot products.",
            LAW,
        ),
        Mistake(
            "interleaved layout",
            lambda x, w_q, w_k, w_v: (
                _weights(_turned(x @ w_q, layout=interleaved), _turned(x @ w_k, layout=interleaved))
                @ (x @ w_v)
            ),
            "you turn neighbours together: that is the interleaved layout. Here the partner of a "
            "feature is half a vector away.",
            LAYOUTS,
        ),
        Mistake(
            "frequencies of the width of x",
            _width_frequencies,
            "your frequencies are made with the width of the words' vectors. What turns is a query "
            "or a key, and it has a width of its own.",
            EXHIBIT_WIDTH,
        ),
        Mistake(
            "root of the width of x",
            _width_root,
            "you divide the scores by the root of the width of the words' vectors. What counts is "
            "the number of features of one query.",
            WEIGHTS,
        ),
        Mistake(
            "no square root",
            _of_turned(lambda q, k: (q @ k.mT).softmax(-1)),
            "the scores go into the softmax at their full size: they are still to be divided, by a "
            "root.",
            WEIGHTS,
        ),
        Mistake(
            "divided by dim",
            _of_turned(lambda q, k: (q @ k.mT / q.shape[1]).softmax(-1)),
            "you divide the scores by the number of features. It is the root of that number.",
            WEIGHTS,
        ),
        Mistake(
            "root of the number of pairs",
            _of_turned(lambda q, k: (q @ k.mT / math.sqrt(q.shape[1] / 2)).softmax(-1)),
            "you divide the scores by the root of the number of pairs. It is features that count.",
            WEIGHTS,
        ),
        Mistake(
            "multiplied by the root",
            _of_turned(lambda q, k: (q @ k.mT * math.sqrt(q.shape[1])).softmax(-1)),
            "you multiply the scores by the root: they are to become smaller, not larger.",
            WEIGHTS,
        ),
        Mistake(
            "divided after the softmax",
            _of_turned(lambda q, k: (q @ k.mT).softmax(-1) / math.sqrt(q.shape[1])),
            "your weights do not sum to 1: you divide by the root after the softmax. Divide the "
            "scores.",
            WEIGHTS,
        ),
        Mistake(
            "root of the number of words",
            _of_turned(lambda q, k: (q @ k.mT / math.sqrt(len(k))).softmax(-1)),
            "you divide the scores by the root of the number of words. It is features that count: "
            "those of one query.",
            WEIGHTS,
        ),
        Mistake(
            "softmax over the queries",
            _of_turned(lambda q, k: _scores(q, k).softmax(-2)),
            "your columns sum to 1. Each word shares out its own attention, so it is the rows "
            "that sum to 1.",
            WEIGHTS,
        ),
        Mistake(
            "one projection for both",
            lambda x, w_q, w_k, w_v: _attention(x, w_q, w_q, w_v),
            "your keys are made with the queries' weights: there is a projection for each.",
            WEIGHTS,
        ),
        Mistake(
            "queries and keys swapped",
            _of_turned(lambda q, k: _weights(k, q)),
            "queries and keys have changed places: rows belong to the words that look, columns to "
            "the words that are looked at.",
            WEIGHTS,
        ),
        Mistake(
            "softmax missing",
            _of_turned(_scores),
            "you average the values with the scores themselves: the softmax is missing.",
            WEIGHTS,
        ),
        Mistake(
            "masked",
            _of_turned(_causal),
            "your words do not look ahead: there is a causal mask. It was not asked for here.",
            WEIGHTS,
        ),
        *wrong_angles(_attention, positions=False),
    ),
)

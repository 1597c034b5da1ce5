"""Exercise: the score of a turned query and a turned key, from the unturned ones."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._common import (
    LAW,
    LAYOUTS,
    OFFSET,
    ONE_ALONE,
    WEIGHTS,
    Angles,
    half_split,
    right_angles,
    wrong_angles,
)
from pe_lib.exercises.rope_by_hand._complex_mistakes import COMPLEX_MISTAKES, barred
from pe_lib.exercises.runs import Call, call
from pe_lib.rotary.layouts import interleaved_to_half


def _score(q: Tensor, k: Tensor, m: float, n: float, angles: Angles = right_angles) -> Tensor:
    return _terms(q, k, m, n, angles).sum()


def _terms(q: Tensor, k: Tensor, m: float, n: float, angles: Angles = right_angles) -> Tensor:
    """What each pair contributes."""
    (A, B), turn_back = _products(q, k), angles(m - n, len(q))
    return A * turn_back.cos() + B * turn_back.sin()


def _products(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """A and B of every pair."""
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    return q_a * k_a + q_b * k_b, q_a * k_b - q_b * k_a


def _one_product(q: Tensor, k: Tensor, m: float, n: float, which: int) -> Tensor:
    """A or B (``which`` 0 or 1) with the sign inside it the wrong way round."""
    products, angles = list(_products(q, k)), right_angles(m - n, len(q))
    products[which] = _products(barred(q), k)[which]
    return (products[0] * angles.cos() + products[1] * angles.sin()).sum()


def _cosines(q: Tensor, m: float, n: float) -> Tensor:
    return right_angles(m - n, len(q)).cos()


def _swapped(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """The sine of an angle is the cosine of what it lacks of a quarter turn."""
    return _score(q, k, m, n, lambda offset, dim: math.pi / 2 - right_angles(offset, dim))


def _turned(x: Tensor, position: float) -> Tensor:
    return half_split(x, right_angles(position, len(x)))


def _lengths(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    return (torch.hypot(q_a, q_b) * torch.hypot(k_a, k_b) * _cosines(q, m, n)).sum()


def _call(dim: int, m: int, n: int) -> Call:
    return call(2 * fixed(dim, seed=m), 2 * fixed(dim, seed=100 + n), m, n)


EXERCISE = Exercise(
    name="rotary_score",
    signature="my_score(q, k, m, n)",
    reference=_score,
    calls=(
        _call(6, 1, 3),
        _call(6, 7, 2),
        _call(4, 0, 4),
        _call(8, 60, 20),
        _call(8, 5, 5),
        _call(8, 30, 42),
    ),
    mistakes=(
        Mistake(
            "dot product times one cosine",
            lambda q, k, m, n: q @ k * math.cos(m - n),
            "you multiply the dot product by one cosine. That is the printed law, and two arrows "
            "at a right angle refute it. Each pair has terms of its own.",
            LAW,
        ),
        Mistake(
            "dot product times all cosines",
            lambda q, k, m, n: q @ k * _cosines(q, m, n).sum(),
            "you multiply the whole dot product by the cosine of every pair. That is the printed "
            "law, once for each pair, and no truer. A pair's cosine belongs to its own products.",
            LAW,
        ),
        Mistake(
            "dot product times the mean cosine",
            lambda q, k, m, n: q @ k * _cosines(q, m, n).mean(),
            "you multiply the whole dot product by a mean of cosines. The printed law is no better "
            "for it: a pair's cosine belongs to the pair's own products.",
            LAW,
        ),
        Mistake(
            "dot product times each cosine",
            lambda q, k, m, n: q @ k * _cosines(q, m, n),
            "this is the printed law, once for each pair, and no truer. The score is one number, "
            "and a pair's cosine belongs to the pair's own products.",
            LAW,
        ),
        Mistake(
            "sine term missing",
            lambda q, k, m, n: (_products(q, k)[0] * _cosines(q, m, n)).sum(),
            "the cosine terms are right, but they are only half of the law. So your score cannot "
            "tell a key before the query from one after it.",
            LAW,
        ),
        Mistake(
            "offset turned round",
            lambda q, k, m, n: _score(q, k, n, m),
            "your score is that of the opposite offset: before and after are exchanged. Look at "
            "the sign of the sine term, in the difference and in the product it belongs to.",
            LAW,
        ),
        Mistake(
            "offset without its sign",
            lambda q, k, m, n: _score(q, k, abs(m - n), 0),
            "right where the query comes after the key, and wrong where it comes before: the sign "
            "of the offset is lost. A cosine does not mind, a sine does.",
            LAW,
        ),
        Mistake(
            "distance for offset",
            lambda q, k, m, n: _score(q, k, 0, abs(m - n)),
            "right where the key comes after the query, and wrong where it comes before: the sign "
            "of the offset is lost. A cosine does not mind, a sine does.",
            LAW,
        ),
        Mistake(
            "positions added",
            lambda q, k, m, n: _score(q, k, m, -n),
            "you add the two positions. Then the score depends on where the two stand, not on how "
            "far apart: in a dot product, one turn undoes the other.",
            OFFSET,
        ),
        Mistake(
            "only the query turned",
            lambda q, k, m, n: _score(q, k, m, 0),
            "only the query has turned. The key turns as well, by its own position.",
            ONE_ALONE,
        ),
        Mistake(
            "only the key turned",
            lambda q, k, m, n: _score(q, k, 0, n),
            "only the key has turned. The query turns as well, by its own position.",
            ONE_ALONE,
        ),
        Mistake(
            "not turned",
            lambda q, k, m, n: q @ k,
            "this is the dot product of the vectors as they came in: the positions do nothing.",
            OFFSET,
        ),
        Mistake(
            "minus in the cosine's product",
            lambda q, k, m, n: _one_product(q, k, m, n, 0),
            "at offset 0 your score is not the plain dot product: what stands beside the cosine "
            "has a wrong sign in it.",
            LAW,
        ),
        Mistake(
            "plus in the sine's product",
            lambda q, k, m, n: _one_product(q, k, m, n, 1),
            "the cosine terms are right. What stands beside the sine has a wrong sign in it: for a "
            "query and a key that are the same vector, it has to be 0.",
            LAW,
        ),
        Mistake(
            "sine and cosine swapped",
            _swapped,
            "sine and cosine have changed places: at offset 0 the score has to be the plain dot "
            "product.",
            LAW,
        ),
        Mistake(
            "lengths times cosine",
            _lengths,
            "you take the two hands of a pair as if they pointed the same way before they turn. "
            "They have an angle between them already: that is what the second product is for.",
            LAW,
        ),
        Mistake(
            "interleaved layout",
            lambda q, k, m, n: _score(interleaved_to_half(q), interleaved_to_half(k), m, n),
            "you take neighbours for pairs: that is the interleaved layout. Here the partner of a "
            "feature is half a vector away.",
            LAYOUTS,
        ),
        Mistake(
            "first pair only",
            lambda q, k, m, n: _terms(q, k, m, n)[0],
            "only the first pair is counted. Every pair adds its own two terms.",
            LAW,
        ),
        Mistake(
            "last pair only",
            lambda q, k, m, n: _terms(q, k, m, n)[-1],
            "only the last pair is counted. In a loop over the pairs, each one overwrites what "
            "the one before it has left; it should add to it.",
            LAW,
        ),
        Mistake(
            "products not added",
            lambda q, k, m, n: _turned(q, m) * _turned(k, n),
            "these are the products of the single features. They are still to be added: the score "
            "is one number.",
            WEIGHTS,
        ),
        Mistake(
            "terms not added",
            lambda q, k, m, n: _terms(q, k, m, n),
            "these are the contributions of the pairs, and they are right. They are still to be "
            "added: the score is one number.",
            LAW,
        ),
        Mistake(
            "mean instead of sum",
            lambda q, k, m, n: _terms(q, k, m, n).mean(),
            "you average over the pairs. A dot product is a sum.",
            LAW,
        ),
        Mistake(
            "divided by the root of dim",
            lambda q, k, m, n: _score(q, k, m, n) / math.sqrt(len(q)),
            "the score is right, but you divide it by the root of the number of features already. "
            "That is attention's next step, and was not asked for yet.",
            WEIGHTS,
        ),
        Mistake(
            "divided by the lengths",
            lambda q, k, m, n: _score(q, k, m, n) / (q.norm() * k.norm()),
            "your score is divided by the lengths of the two vectors, as in the figure that "
            "compares distances. The score itself is the plain dot product of the turned two.",
            WEIGHTS,
        ),
        *COMPLEX_MISTAKES,
        *wrong_angles(_score, positions=False),
    ),
)

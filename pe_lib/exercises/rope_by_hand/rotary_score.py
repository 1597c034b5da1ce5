"""Exercise: the score of a turned query and a turned key, from the unturned ones."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_by_hand._angles import wrong_angles
from pe_lib.exercises.rope_by_hand._common import (
    BUGS,
    LAW,
    LAYOUTS,
    NUMBERS,
    TURN,
    Angles,
    half_split,
    right_angles,
)
from pe_lib.exercises.rope_by_hand._complex_scores import barred, wrong_scores
from pe_lib.rotary.layouts import interleaved_to_half


def _call(dim: int, m: int, n: int) -> Call:
    return call(2 * fixed(dim, seed=m), 2 * fixed(dim, seed=100 + n), m, n)


exercise = Exercise(
    _call(6, 1, 3),
    _call(6, 7, 2),
    _call(4, 0, 4),
    _call(8, 60, 20),
    _call(8, 5, 5),
    _call(8, 30, 42),
    _call(4, 5009, 5003),
    _call(4, 4, 5011),
)


@exercise.answer
def my_score(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    return _score(right_angles, q, k, m, n)


def _score(angles: Angles, q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    return _terms(q, k, m, n, angles).sum()


def _terms(q: Tensor, k: Tensor, m: float, n: float, angles: Angles = right_angles) -> Tensor:
    """What each pair contributes."""
    return _law(*_products(q, k), angles(m - n, len(q)))


def _law(A: Tensor, B: Tensor, back: Tensor) -> Tensor:
    return A * back.cos() + B * back.sin()


def _products(q: Tensor, k: Tensor) -> tuple[Tensor, Tensor]:
    """A and B of every pair."""
    (q_a, q_b), (k_a, k_b) = q.chunk(2), k.chunk(2)
    return q_a * k_a + q_b * k_b, q_a * k_b - q_b * k_a


def _cosines(q: Tensor, m: float, n: float) -> Tensor:
    return right_angles(m - n, len(q)).cos()


exercise.take(wrong_scores)
exercise.take(wrong_angles, within=_score)


# --- one cosine for the whole product -----------------------------------------------------------


@exercise.mistake(see=LAW)
def dot_product_times_one_cosine(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you multiply the dot product by one cosine. Then the score of two arrows at a right angle
    would always be 0, however they turn. Each pair has terms of its own."""
    return q @ k * math.cos(m - n)


@exercise.mistake(see=LAW)
def dot_product_times_all_cosines(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you multiply the whole dot product by the cosine of every pair. A pair's cosine belongs to
    the pair's own products."""
    return q @ k * _cosines(q, m, n).sum()


@exercise.mistake(see=LAW)
def dot_product_times_the_mean_cosine(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you multiply the whole dot product by a mean of cosines. Each pair has its own cosine, which
    belongs to the pair's own products."""
    return q @ k * _cosines(q, m, n).mean()


@exercise.mistake(see=LAW)
def dot_product_times_each_cosine(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you multiply the whole dot product by each pair's cosine. The score is one number, and a
    pair's cosine belongs to the pair's own products."""
    return q @ k * _cosines(q, m, n)


@exercise.mistake(see=LAW)
def lengths_times_cosine(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you treat the two hands of a pair as if they pointed the same way before they turn. But there
    is already an angle between them, and the second product is there for it."""
    lengths = torch.hypot(*q.chunk(2)) * torch.hypot(*k.chunk(2))
    return (lengths * _cosines(q, m, n)).sum()


# --- the two products ---------------------------------------------------------------------------


@exercise.mistake(see=LAW)
def sine_term_missing(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """the cosine terms are right, but they are only half of the law. So your score cannot tell a
    key before the query from one after it."""
    A, _ = _products(q, k)
    return (A * _cosines(q, m, n)).sum()


@exercise.mistake(see=LAW)
def minus_in_the_cosines_product(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """at offset 0 your score is not the plain dot product: the factor of the cosine has a wrong
    sign in it."""
    (A, _), (_, B) = _products(barred(q), k), _products(q, k)
    return _law(A, B, right_angles(m - n, len(q))).sum()


@exercise.mistake(see=LAW)
def plus_in_the_sines_product(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """the cosine terms are right, but the factor of the sine has a wrong sign in it. This factor
    has to be 0 if query and key are the same vector."""
    (A, _), (_, B) = _products(q, k), _products(barred(q), k)
    return _law(A, B, right_angles(m - n, len(q))).sum()


@exercise.mistake(see=LAW)
def sine_and_cosine_swapped(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """sine and cosine have changed places: at offset 0 the score should be the plain dot
    product."""
    A, B = _products(q, k)
    return _law(B, A, right_angles(m - n, len(q))).sum()


# --- positions ----------------------------------------------------------------------------------


@exercise.mistake(see=LAW)
def offset_turned_round(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """your score is that of the opposite offset: before and after are exchanged. Look at the sign
    of the sine term, in the difference and in the product it belongs to."""
    return my_score(q, k, n, m)


@exercise.mistake(see=LAW)
def offset_without_its_sign(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """this is right if the query comes after the key, but not if it comes before. You lose the sign
    of the offset, which does not change a cosine but changes a sine."""
    return my_score(q, k, abs(m - n), 0)


@exercise.mistake(see=LAW)
def distance_for_offset(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """this is right if the key comes after the query, but not if it comes before. You lose the sign
    of the offset, which does not change a cosine but changes a sine."""
    return my_score(q, k, 0, abs(m - n))


@exercise.mistake(see=TURN)
def positions_added(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you add the two positions. Then the score depends on where the two vectors are, and not on
    how far apart they are. In a dot product, one turn undoes the other."""
    return my_score(q, k, m, -n)


@exercise.mistake(see=BUGS)
def only_the_query_turned(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you turn only the query. The key has to turn as well, by its own position."""
    return my_score(q, k, m, 0)


@exercise.mistake(see=BUGS)
def only_the_key_turned(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you turn only the key. The query has to turn as well, by its own position."""
    return my_score(q, k, 0, n)


@exercise.mistake(see=TURN)
def not_turned(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """this is the dot product of the vectors as they came in: the positions do nothing."""
    return q @ k


# --- pairs and their sum ------------------------------------------------------------------------


@exercise.mistake(see=LAYOUTS)
def interleaved_layout(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you treat neighbours as pairs, as in the interleaved layout. Here the partner of a feature is
    half a vector away."""
    return my_score(interleaved_to_half(q), interleaved_to_half(k), m, n)


@exercise.mistake(see=LAW)
def first_pair_only(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """only the first pair is counted, but every pair adds its own two terms. If there is a loop:
    does it end too early, at a `return` inside it?"""
    return _terms(q, k, m, n)[0]


@exercise.mistake(see=LAW)
def last_pair_only(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """only the last pair is counted. If you use a loop over the pairs, each pair should add to the
    result so far instead of overwriting it."""
    return _terms(q, k, m, n)[-1]


@exercise.mistake(see=NUMBERS)
def products_not_added(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """these are the products of the single features, and they still have to be added."""
    positions = torch.tensor([[m], [n]], dtype=torch.float64)
    return half_split(torch.stack((q, k)), right_angles(positions, len(q))).prod(dim=0)


@exercise.mistake(see=LAW)
def terms_not_added(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """these are the contributions of the pairs, and they are right. They still have to be added."""
    return _terms(q, k, m, n)


@exercise.mistake(see=LAW)
def mean_instead_of_sum(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you average over the pairs. A dot product is a sum."""
    return _terms(q, k, m, n).mean()


@exercise.mistake(see=NUMBERS)
def divided_by_the_root_of_dim(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """the score is right, but you have already divided it by the root of the number of features.
    That is attention's next step, and the exercise does not ask for it."""
    return my_score(q, k, m, n) / math.sqrt(len(q))


@exercise.mistake(see=NUMBERS)
def divided_by_the_lengths(q: Tensor, k: Tensor, m: float, n: float) -> Tensor:
    """you divide the score by the lengths of the two vectors, which gives the cosine between them.
    The score itself is the plain dot product of the two turned vectors."""
    return my_score(q, k, m, n) / (q.square().sum() * k.square().sum()).sqrt()

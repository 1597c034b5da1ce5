"""Exercise: the attention weights of a head with ALiBi.

The exercise asks for the weights and not for the bias, because many biases are right: a constant
may be added to each row, as in a bias that is made from the key's position alone, and keys ahead
can be hidden in several ways. All of these give the same weights, so they all pass.
"""

import math

from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.relative._common import LINE, OFFSETS, from_the_start
from pe_lib.relative.indices import relative_positions


def _call(q_len: int, k_len: int, dim: int, slope: float) -> Call:
    return call(fixed(q_len, dim, seed=q_len), fixed(k_len, dim, seed=k_len + 1), slope)


exercise = Exercise(
    _call(5, 5, 4, 2**-2),
    _call(1, 6, 8, 0.7),
    _call(3, 7, 4, 2**-2),
    _call(6, 6, 16, 2**-1),
    _call(2, 6000, 64, 2**-8),
)


@exercise.answer
def my_alibi_weights(q: Tensor, k: Tensor, slope: float) -> Tensor:
    return _causal(_scores(q, k) - slope * _distance(q, k)).softmax(-1)


def _scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.T / math.sqrt(q.shape[-1])


def _distance(q: Tensor, k: Tensor) -> Tensor:
    """How far each key lies behind its query; negative for those ahead."""
    return -relative_positions(len(q), len(k))


def _seen(scores: Tensor) -> Tensor:
    return relative_positions(*scores.shape) <= 0


def _causal(scores: Tensor) -> Tensor:
    return scores.masked_fill(~_seen(scores), -math.inf)


# --- the penalty --------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def reward_for_distance(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your far keys gain what they should lose: the sign of the bias is the other way round."""
    return _causal(_scores(q, k) + slope * _distance(q, k)).softmax(-1)


@exercise.mistake(see=LINE)
def penalty_forgotten(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """the mask is right, but a far key counts as much as a near one: nothing is subtracted for the
    distance."""
    return _causal(_scores(q, k)).softmax(-1)


@exercise.mistake(see=LINE)
def slope_forgotten(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """every token of distance costs 1, whatever the slope: each head has its own price."""
    return _causal(_scores(q, k) - _distance(q, k)).softmax(-1)


@exercise.mistake(see=LINE)
def distance_squared(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your penalty grows with the square of the distance. It is a straight line: each further
    token costs as much as the one before."""
    return _causal(_scores(q, k) - slope * _distance(q, k) ** 2).softmax(-1)


@exercise.mistake(see=LINE)
def logarithm_of_the_distance(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your penalty grows ever more slowly: you take a logarithm of the distance. (That is a
    different encoding, Kerple.) Here it is a straight line."""
    return _causal(_scores(q, k) - slope * _distance(q, k).abs().log1p()).softmax(-1)


@exercise.mistake(see=LINE)
def penalty_as_a_factor(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """you multiply scores and penalty. The penalty is a number that is subtracted from the score,
    whatever the score is."""
    return _causal(_scores(q, k) * -slope * _distance(q, k)).softmax(-1)


@exercise.mistake(see=LINE)
def penalty_before_the_scaling(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your penalty is too small: you subtract it before the division by the root of dim, so it is
    divided too. Subtract it from scores that are already scaled."""
    penalty = slope * _distance(q, k) / math.sqrt(q.shape[-1])
    return _causal(_scores(q, k) - penalty).softmax(-1)


@exercise.mistake(see=LINE)
def scale_forgotten(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """the bias is right, but the dot products are not divided by the root of dim before it is
    added."""
    return _causal(q @ k.T - slope * _distance(q, k)).softmax(-1)


@exercise.mistake(see=LINE)
def bias_after_the_softmax(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your bias comes after the softmax, so these are not shares any more. It belongs to the scores
    from which the shares are made."""
    return _scores(q, k).softmax(-1) + _causal(-slope * _distance(q, k))


# --- alignment ----------------------------------------------------------------------------------


@exercise.mistake(see=OFFSETS)
def aligned_at_the_start(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """right if there are as many queries as keys. If there are fewer queries, you treat them as the
    first tokens of the text, but they are its last ones."""
    relative = from_the_start(len(q), len(k))
    return (_scores(q, k) + slope * relative).masked_fill(relative > 0, -math.inf).softmax(-1)


@exercise.mistake(see=OFFSETS)
def distance_aligned_at_the_start(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your mask is right, but with fewer queries than keys the distances are those of the first
    tokens of the text. Your queries are its last ones."""
    return _causal(_scores(q, k) - slope * from_the_start(len(q), len(k)).abs()).softmax(-1)


# --- the mask -----------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def no_mask(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """keys ahead cost as much as keys behind, but they can be seen: nothing hides them. This head
    writes a text from left to right."""
    return (_scores(q, k) - slope * _distance(q, k).abs()).softmax(-1)


@exercise.mistake(see=LINE)
def later_keys_rewarded(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """keys ahead are not hidden, and the farther ahead, the more they gain: for them your distance
    is negative."""
    return (_scores(q, k) - slope * _distance(q, k)).softmax(-1)


@exercise.mistake(see=LINE)
def later_keys_for_free(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """keys ahead have a bias of zero, so they are seen at no cost. A key that should be hidden
    needs minus infinity."""
    return (_scores(q, k) - slope * _distance(q, k).clamp(min=0)).softmax(-1)


@exercise.mistake(see=LINE)
def zero_instead_of_minus_infinity(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """you set the scores of keys ahead to zero. Zero is a score like any other: the softmax gives
    it some weight."""
    scores = _scores(q, k) - slope * _distance(q, k)
    return scores.where(_seen(scores), 0).softmax(-1)


@exercise.mistake(see=LINE)
def masked_after_the_softmax(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your rows do not sum to 1: keys ahead are hidden after the softmax has already given them a
    share."""
    weights = (_scores(q, k) - slope * _distance(q, k).abs()).softmax(-1)
    return weights * _seen(weights)


@exercise.mistake(see=LINE)
def rewarded_and_masked_after_the_softmax(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your rows do not sum to 1: keys ahead are hidden after the softmax has already given them a
    share (a large one, because their distance is negative)."""
    weights = (_scores(q, k) - slope * _distance(q, k)).softmax(-1)
    return weights * _seen(weights)


@exercise.mistake(see=OFFSETS)
def own_key_hidden(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """a query does not see its own key. So the first query of a text sees nothing at all, and its
    weights are nan. The distance 0 is allowed."""
    scores = _scores(q, k) - slope * _distance(q, k)
    return scores.masked_fill(_distance(q, k) <= 0, -math.inf).softmax(-1)


@exercise.mistake(see=OFFSETS)
def looking_ahead_only(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your queries see what comes after them, and the past is hidden. It should be the opposite."""
    scores = _scores(q, k) - slope * _distance(q, k).abs()
    return scores.masked_fill(_distance(q, k) > 0, -math.inf).softmax(-1)


# --- the softmax --------------------------------------------------------------------------------


@exercise.mistake(see=LINE)
def softmax_over_the_queries(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """your columns sum to 1. Each query shares out its own attention, so the rows should sum to
    1."""
    return _causal(_scores(q, k) - slope * _distance(q, k)).softmax(0)


@exercise.mistake(see=LINE)
def softmax_forgotten(q: Tensor, k: Tensor, slope: float) -> Tensor:
    """the scores and their bias are right, but they are not weights yet: the softmax is missing."""
    return _causal(_scores(q, k) - slope * _distance(q, k))

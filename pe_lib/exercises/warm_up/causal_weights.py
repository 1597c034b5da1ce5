"""Exercise: causal attention weights, with the mask aligned at the end."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.warm_up._common import ATTENTION, MASK

exercise = Exercise(
    call(fixed(4, 4)),
    call(fixed(6, 6, seed=1, dtype=torch.float32)),
    call(fixed(2, 5, seed=2)),
    call(fixed(1, 6, seed=3)),
    call(fixed(3, 4, seed=4, dtype=torch.float32)),
    call(fixed(5, 300, seed=5)),
)


def _seen(scores: Tensor, shift: int = 0) -> Tensor:
    """Which keys each query may see; ``shift`` more than it should."""
    q_len, k_len = scores.shape
    return torch.ones(q_len, k_len).tril(k_len - q_len + shift).bool()


def _hidden(scores: Tensor, seen: Tensor) -> Tensor:
    return scores.masked_fill(~seen, -math.inf)


@exercise.answer
def my_causal_weights(scores: Tensor) -> Tensor:
    return _hidden(scores, _seen(scores)).softmax(-1)


@exercise.mistake(see=MASK)
def mask_aligned_at_the_start(scores: Tensor) -> Tensor:
    """this is right if there are as many queries as keys. If there are fewer, you treat the queries
    as the first words of the text, but they are the last ones."""
    return _hidden(scores, torch.ones_like(scores).tril().bool()).softmax(-1)


@exercise.mistake(see=MASK)
def no_mask(scores: Tensor) -> Tensor:
    """every word sees every other: nothing hides the words that come later."""
    return scores.softmax(-1)


@exercise.mistake(see=MASK)
def looking_ahead_only(scores: Tensor) -> Tensor:
    """your words see what comes after them, and the past is hidden. It should be the opposite."""
    return _hidden(scores, ~_seen(scores, -1)).softmax(-1)


@exercise.mistake(see=MASK)
def one_word_too_many(scores: Tensor) -> Tensor:
    """every word sees one word too many: the next one, which a model is supposed to predict."""
    return _hidden(scores, _seen(scores, 1)).softmax(-1)


@exercise.mistake(see=MASK)
def own_word_hidden(scores: Tensor) -> Tensor:
    """every word is hidden even from itself, so the first word of a text sees nothing. A word
    should see itself and the words before it."""
    return _hidden(scores, _seen(scores, -1)).softmax(-1)


@exercise.mistake(see=MASK)
def zero_instead_of_minus_infinity(scores: Tensor) -> Tensor:
    """you set the hidden scores to zero. Zero is a score like any other: the softmax gives it some
    weight."""
    return scores.where(_seen(scores), 0).softmax(-1)


@exercise.mistake(see=MASK)
def zero_with_the_mask_aligned_at_the_start(scores: Tensor) -> Tensor:
    """you set the hidden scores to zero, but zero is a score like any other and gets some weight.
    And if there are fewer queries than words, you treat the queries as the first words, not as the
    last ones."""
    return scores.tril().softmax(-1)


@exercise.mistake(see=MASK)
def masked_after_the_softmax(scores: Tensor) -> Tensor:
    """your rows no longer sum to 1: later words are hidden after the softmax has already given them
    a share. Hide them before."""
    return scores.softmax(-1) * _seen(scores)


@exercise.mistake(see=ATTENTION)
def softmax_over_the_queries(scores: Tensor) -> Tensor:
    """your columns sum to 1. Each word shares out its own attention, so the rows should sum to
    1."""
    return _hidden(scores, _seen(scores)).softmax(-2)


@exercise.mistake(see=ATTENTION)
def not_shared_out(scores: Tensor) -> Tensor:
    """the mask is right, but your rows do not sum to 1: the exponentials still have to be divided
    by something."""
    return _hidden(scores, _seen(scores)).exp()


@exercise.mistake(see=ATTENTION)
def softmax_forgotten(scores: Tensor) -> Tensor:
    """the mask is right, but these are still scores: the softmax is missing."""
    return _hidden(scores, _seen(scores))


@exercise.mistake(see=ATTENTION)
def scaled_again(scores: Tensor) -> Tensor:
    """you divide by a square root, but the scores that come in are already scaled. (And they were
    not scaled by the number of words.)"""
    return _hidden(scores, _seen(scores)).div(math.sqrt(scores.shape[-1])).softmax(-1)

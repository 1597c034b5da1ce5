"""Exercise: causal attention weights, with the mask aligned at the end."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.runs import call
from pe_lib.exercises.warm_up._common import ATTENTION, MASK


def _seen(scores: Tensor, shift: int = 0) -> Tensor:
    """Which keys each query may see; ``shift`` more than it should."""
    q_len, k_len = scores.shape
    return torch.ones(q_len, k_len).tril(k_len - q_len + shift).bool()


def _hidden(scores: Tensor, seen: Tensor) -> Tensor:
    return scores.masked_fill(~seen, -math.inf)


def _weights(scores: Tensor) -> Tensor:
    return _hidden(scores, _seen(scores)).softmax(-1)


EXERCISE = Exercise(
    name="causal_weights",
    signature="my_causal_weights(scores)",
    reference=_weights,
    calls=(
        call(fixed(4, 4)),
        call(fixed(6, 6, seed=1)),
        call(fixed(2, 5, seed=2)),
        call(fixed(1, 6, seed=3)),
        call(fixed(3, 4, seed=4)),
    ),
    mistakes=(
        Mistake(
            "mask aligned at the start",
            lambda scores: _hidden(scores, torch.ones_like(scores).tril().bool()).softmax(-1),
            "right for as many queries as keys. With fewer queries, yours are taken for the first "
            "words of the text, but they are its last ones.",
            MASK,
        ),
        Mistake(
            "no mask",
            lambda scores: scores.softmax(-1),
            "every word sees every other: nothing hides the words that come later.",
            MASK,
        ),
        Mistake(
            "looking ahead only",
            lambda scores: _hidden(scores, ~_seen(scores, -1)).softmax(-1),
            "your words see what comes after them, and the past is hidden. It is the other way "
            "round.",
            MASK,
        ),
        Mistake(
            "one word too many",
            lambda scores: _hidden(scores, _seen(scores, 1)).softmax(-1),
            "every word sees one word too many, the very one that a model is to write next.",
            MASK,
        ),
        Mistake(
            "own word hidden",
            lambda scores: _hidden(scores, _seen(scores, -1)).softmax(-1),
            "every word hides from itself too, and the first word of a text is left with nothing. "
            "A word sees itself and the words before it.",
            MASK,
        ),
        Mistake(
            "zero instead of minus infinity",
            lambda scores: scores.where(_seen(scores), 0).softmax(-1),
            "you set the hidden scores to zero. Zero is a score like any other: the softmax gives "
            "it some weight.",
            MASK,
        ),
        Mistake(
            "masked after the softmax",
            lambda scores: scores.softmax(-1) * _seen(scores),
            "your rows no longer sum to 1: later words are hidden after the softmax has already "
            "given them a share. Hide them before.",
            MASK,
        ),
        Mistake(
            "softmax over the queries",
            lambda scores: _hidden(scores, _seen(scores)).softmax(-2),
            "your columns sum to 1. Each word shares out its own attention, so it is the rows "
            "that sum to 1.",
            ATTENTION,
        ),
        Mistake(
            "not shared out",
            lambda scores: _hidden(scores, _seen(scores)).exp(),
            "the mask is right, but your rows do not sum to 1: the exponentials are still to be "
            "divided by something.",
            ATTENTION,
        ),
        Mistake(
            "softmax forgotten",
            lambda scores: _hidden(scores, _seen(scores)),
            "the mask is right, but these are still scores: the softmax is missing.",
            ATTENTION,
        ),
        Mistake(
            "scaled again",
            lambda scores: (
                _hidden(scores, _seen(scores)).div(math.sqrt(scores.shape[-1])).softmax(-1)
            ),
            "you divide by a square root, but the scores that come in are scaled already. (And "
            "the number of words is not what they were scaled by.)",
            ATTENTION,
        ),
    ),
)

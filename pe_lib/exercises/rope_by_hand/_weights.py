"""From queries and keys to attention weights: the right way, and the mistakes on the way."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.rope_by_hand._common import (
    WEIGHTS,
    Angles,
    Layout,
    half_split,
    right_angles,
)

wrong_weights = Mistakes()


def turned(
    rows: Tensor, angles: Angles = right_angles, layout: Layout = half_split, sign: int = 1
) -> Tensor:
    """The rows of a text, each turned for its place."""
    positions = torch.arange(len(rows), dtype=torch.float64)[:, None]
    return layout(rows, sign * angles(positions, rows.shape[1]))


def scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[1])


def weights(q: Tensor, k: Tensor) -> Tensor:
    return scores(q, k).softmax(-1)


@wrong_weights.mistake(see=WEIGHTS)
def queries_and_keys_swapped(q: Tensor, k: Tensor) -> Tensor:
    """queries and keys have changed places: rows belong to the tokens that look, columns to the
    tokens that are looked at."""
    return weights(k, q)


# --- the scale ----------------------------------------------------------------------------------


@wrong_weights.mistake(see=WEIGHTS)
def no_square_root(q: Tensor, k: Tensor) -> Tensor:
    """the scores go into the softmax at their full size: they still have to be divided, by a
    root."""
    return (q @ k.mT).softmax(-1)


@wrong_weights.mistake(see=WEIGHTS)
def divided_by_dim(q: Tensor, k: Tensor) -> Tensor:
    """you divide the scores by the number of features, but it should be the root of that number."""
    return (q @ k.mT / q.shape[1]).softmax(-1)


@wrong_weights.mistake(see=WEIGHTS)
def root_of_the_number_of_pairs(q: Tensor, k: Tensor) -> Tensor:
    """you divide the scores by the root of the number of pairs. What counts is the number of
    features."""
    return (q @ k.mT / math.sqrt(q.shape[1] / 2)).softmax(-1)


@wrong_weights.mistake(see=WEIGHTS)
def multiplied_by_the_root(q: Tensor, k: Tensor) -> Tensor:
    """you multiply the scores by the root: they should become smaller, not larger."""
    return (q @ k.mT * math.sqrt(q.shape[1])).softmax(-1)


@wrong_weights.mistake(see=WEIGHTS)
def divided_after_the_softmax(q: Tensor, k: Tensor) -> Tensor:
    """your weights do not sum to 1: you divide by the root after the softmax. Divide the scores."""
    return (q @ k.mT).softmax(-1) / math.sqrt(q.shape[1])


@wrong_weights.mistake(see=WEIGHTS)
def root_of_the_number_of_tokens(q: Tensor, k: Tensor) -> Tensor:
    """you divide the scores by the root of the number of tokens. What counts is the number of
    features of one query."""
    return (q @ k.mT / math.sqrt(len(k))).softmax(-1)


# --- the softmax --------------------------------------------------------------------------------


@wrong_weights.mistake(see=WEIGHTS)
def softmax_over_the_queries(q: Tensor, k: Tensor) -> Tensor:
    """your columns sum to 1. Each token shares out its own attention, so the rows should sum to
    1."""
    return scores(q, k).softmax(-2)


@wrong_weights.mistake(see=WEIGHTS)
def softmax_missing(q: Tensor, k: Tensor) -> Tensor:
    """you average the values with the scores themselves: the softmax is missing."""
    return scores(q, k)


@wrong_weights.mistake(see=WEIGHTS)
def masked(q: Tensor, k: Tensor) -> Tensor:
    """your tokens do not look ahead, because you use a causal mask. The exercise does not ask for
    one."""
    later = torch.ones(len(q), len(k)).triu(1).bool()
    return scores(q, k).masked_fill(later, -math.inf).softmax(-1)

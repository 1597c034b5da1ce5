"""Exercise: one decoding step with a KV cache."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.warm_up._common import ATTENTION, CACHE


def _call(past: int, dim: int, values: int) -> Call:
    rows = fixed(past + 1, 2 * dim + values, seed=past)
    k, v = rows[:, dim : 2 * dim], rows[:, 2 * dim :]
    return call(rows[-1, :dim], k[-1], v[-1], k[:-1], v[:-1])


exercise = Exercise(
    _call(3, 4, 4),
    _call(0, 4, 4),
    _call(1, 8, 8),
    _call(5, 8, 8),
    _call(200, 16, 6),
)


@exercise.answer
def my_cached_step(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    return _step(q, k, v, past_k, past_v)


def _look(q: Tensor, keys: Tensor, values: Tensor, scale: float | None = None) -> Tensor:
    """One query's output; ``scale`` divides its scores."""
    return _scores(q, keys, scale).softmax(-1) @ values


def _scores(q: Tensor, keys: Tensor, scale: float | None = None) -> Tensor:
    return keys @ q / (math.sqrt(len(q)) if scale is None else scale)


def _with(past: Tensor, new: Tensor) -> Tensor:
    return torch.cat((past, new[None]))


def _step(
    q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor, scale: float | None = None
) -> Tensor:
    return _look(q, _with(past_k, k), _with(past_v, v), scale)


@exercise.mistake(see=CACHE)
def new_word_left_out(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    """your new word looks only at the words before it, but it should see itself as well."""
    return _look(q, past_k, past_v)


@exercise.mistake(see=CACHE)
def past_forgotten(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    """your new word looks only at itself: the cache is not used."""
    return v


@exercise.mistake(see=CACHE)
def keys_and_values_out_of_step(
    q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor
) -> Tensor:
    """keys and values are in different orders: the new key is at one end of its list, and the new
    value is at the other. So a word's weight goes to another word's value."""
    return _look(q, _with(past_k, k), torch.cat((v[None], past_v)))


@exercise.mistake(see=CACHE)
def new_key_in_front(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    """keys and values are in different orders: the new key comes before the old ones, but the new
    value comes after them. So a word's weight goes to another word's value."""
    return _look(q, torch.cat((k[None], past_k)), _with(past_v, v))


@exercise.mistake(see=CACHE)
def query_kept_instead_of_the_key(
    q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor
) -> Tensor:
    """you put the new word's query among the keys. Other words find a word by its key."""
    return _look(q, _with(past_k, q), _with(past_v, v))


@exercise.mistake(see=CACHE)
def keys_collected_instead_of_values(
    q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor
) -> Tensor:
    """the weights are right, but you average the keys. A word hands over its value."""
    return _look(q, _with(past_k, k), _with(past_k, k))


@exercise.mistake(see=ATTENTION)
def scale_forgotten(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    """the scores are not scaled before the softmax."""
    return _step(q, k, v, past_k, past_v, scale=1)


@exercise.mistake(see=ATTENTION)
def scaled_by_dim(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    """the scores are scaled too much: you divide them by the number of features itself."""
    return _step(q, k, v, past_k, past_v, scale=len(q))


@exercise.mistake(see=ATTENTION)
def scaled_by_the_number_of_words(
    q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor
) -> Tensor:
    """your scale depends on the number of words. It should depend on the number of features."""
    return _step(q, k, v, past_k, past_v, scale=math.sqrt(len(past_k) + 1))


@exercise.mistake(see=ATTENTION)
def softmax_forgotten(q: Tensor, k: Tensor, v: Tensor, past_k: Tensor, past_v: Tensor) -> Tensor:
    """you average with the scores themselves. Before the softmax they can be negative, and they do
    not sum to 1."""
    return _scores(q, _with(past_k, k)) @ _with(past_v, v)

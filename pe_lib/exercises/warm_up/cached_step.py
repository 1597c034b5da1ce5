"""Exercise: one decoding step with a KV cache."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.runs import Call, call
from pe_lib.exercises.warm_up._common import ATTENTION, CACHE


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


def _call(past: int, dim: int, values: int) -> Call:
    rows = fixed(past + 1, 2 * dim + values, seed=past)
    k, v = rows[:, dim : 2 * dim], rows[:, 2 * dim :]
    return call(rows[-1, :dim], k[-1], v[-1], k[:-1], v[:-1])


EXERCISE = Exercise(
    name="cached_step",
    signature="my_cached_step(q, k, v, past_k, past_v)",
    reference=_step,
    calls=(_call(3, 4, 4), _call(0, 4, 4), _call(1, 8, 8), _call(5, 8, 8)),
    mistakes=(
        Mistake(
            "new word left out",
            lambda q, k, v, past_k, past_v: _look(q, past_k, past_v),
            "your new word looks only at the words before it. It sees itself as well.",
            CACHE,
        ),
        Mistake(
            "past forgotten",
            lambda q, k, v, past_k, past_v: v,
            "your new word looks only at itself: the cache is not used.",
            CACHE,
        ),
        Mistake(
            "keys and values out of step",
            lambda q, k, v, past_k, past_v: _look(
                q, _with(past_k, k), torch.cat((v[None], past_v))
            ),
            "keys and values are out of step: the new key stands at one end of its list, the new "
            "value at the other end. So a word's weight goes to another word's value.",
            CACHE,
        ),
        Mistake(
            "query kept instead of the key",
            lambda q, k, v, past_k, past_v: _look(q, _with(past_k, q), _with(past_v, v)),
            "you put the new word's query among the keys. What others find a word by is its key.",
            CACHE,
        ),
        Mistake(
            "keys collected instead of values",
            lambda q, k, v, past_k, past_v: _look(q, _with(past_k, k), _with(past_k, k)),
            "the weights are right, but you average the keys. A word hands over its value.",
            CACHE,
        ),
        Mistake(
            "scale forgotten",
            lambda q, k, v, past_k, past_v: _step(q, k, v, past_k, past_v, scale=1),
            "the scores are not scaled before the softmax.",
            ATTENTION,
        ),
        Mistake(
            "scaled by dim",
            lambda q, k, v, past_k, past_v: _step(q, k, v, past_k, past_v, scale=len(q)),
            "the scores are scaled too much: by the number of features itself.",
            ATTENTION,
        ),
        Mistake(
            "scaled by the number of words",
            lambda q, k, v, past_k, past_v: _step(
                q, k, v, past_k, past_v, scale=math.sqrt(len(past_k) + 1)
            ),
            "your scale depends on the number of words. It is the number of features that counts.",
            ATTENTION,
        ),
        Mistake(
            "softmax forgotten",
            lambda q, k, v, past_k, past_v: _scores(q, _with(past_k, k)) @ _with(past_v, v),
            "you average with the scores themselves: they are not positive and do not sum to 1 "
            "before the softmax.",
            ATTENTION,
        ),
    ),
)

"""Right and wrong attention heads: x (seq, width) and three weights (width, dim) to (seq, dim)."""

import math
from collections.abc import Callable

import torch
from torch import Tensor

from pe_lib.exercises.rope_by_hand._common import (
    Angles,
    Layout,
    by_exponents,
    half_split,
    pairs,
    right_angles,
)


def turned(
    rows: Tensor, angles: Angles = right_angles, layout: Layout = half_split, sign: int = 1
) -> Tensor:
    """The rows of a text, each turned for its place."""
    positions = torch.arange(len(rows), dtype=torch.float64)[:, None]
    return layout(rows, sign * angles(positions, rows.shape[1]))


def weights(q: Tensor, k: Tensor) -> Tensor:
    return scores(q, k).softmax(-1)


def scores(q: Tensor, k: Tensor) -> Tensor:
    return q @ k.mT / math.sqrt(q.shape[1])


def attention(
    x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor, angles: Angles = right_angles
) -> Tensor:
    return weights(turned(x @ w_q, angles), turned(x @ w_k, angles)) @ (x @ w_v)


def of_plain(own: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """The head with other weights made of queries and keys as they were."""
    return lambda x, w_q, w_k, w_v: own(x @ w_q, x @ w_k) @ (x @ w_v)


def of_turned(own: Callable[[Tensor, Tensor], Tensor]) -> Callable[..., Tensor]:
    """The head with other weights made of the turned queries and keys."""
    return of_plain(lambda q, k: own(turned(q), turned(k)))


def before(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    first = turned(x)
    return weights(first @ w_q, first @ w_k) @ (x @ w_v)


def before_all(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    first = turned(x)
    return weights(first @ w_q, first @ w_k) @ (first @ w_v)


def values_turned(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    return weights(turned(x @ w_q), turned(x @ w_k)) @ turned(x @ w_v)


def width_frequencies(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """Frequencies for the width of x."""
    width = x.shape[1]
    return attention(
        x, w_q, w_k, w_v, lambda position, dim: by_exponents(position, 2 * pairs(dim) / width)
    )


def width_root(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor) -> Tensor:
    """Scores divided by the root of the width of x."""
    rescaled = w_q * math.sqrt(w_q.shape[1] / x.shape[1])
    return attention(x, rescaled, w_k, w_v)


def causal(q: Tensor, k: Tensor) -> Tensor:
    later = torch.ones(len(q), len(k)).triu(1).bool()
    return scores(q, k).masked_fill(later, -math.inf).softmax(-1)


def false_law(q: Tensor, k: Tensor) -> Tensor:
    """The plain scores, each times the cosine of its offset."""
    places = torch.arange(len(q))
    return (scores(q, k) * (places[:, None] - places).cos()).softmax(-1)

"""Answers: a whole attention head with rotary positions."""

import math

import numpy as np
import torch
from torch.nn import functional as F

import pe_lib
from tests.exercises.answers.rope_by_hand.rotary_angles import angles_torch
from tests.exercises.answers.rope_by_hand.rotary_score import score_law
from tests.exercises.answers.rope_by_hand.turn_by_complex import complex_torch
from tests.exercises.answers.rope_by_hand.turn_half_split import (
    halves_quarter_backwards,
    halves_torch,
)

# --- right ----------------------------------------------------------------------------------------


def attention_torch(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    q, k = (torch.stack([halves_torch(row, p) for p, row in enumerate(rows)]) for rows in (q, k))
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]


def attention_numpy(x, w_q, w_k, w_v):
    q, k, v = (x.numpy() @ w.numpy() for w in (w_q, w_k, w_v))
    seq, dim = q.shape
    angle = np.arange(seq)[:, None] / 10000 ** (np.arange(0, dim, 2) / dim)
    turned = [
        (rows[:, : dim // 2] + 1j * rows[:, dim // 2 :]) * np.exp(1j * angle) for rows in (q, k)
    ]
    scores = (turned[0] @ turned[1].conj().T).real / np.sqrt(dim)
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True) @ v


def attention_library(x, w_q, w_k, w_v):
    tables = pe_lib.rotary_cos_sin(len(x), w_q.shape[1], dtype=x.dtype)
    q, k = (pe_lib.apply_rotary(x @ w, *tables) for w in (w_q, w_k))
    return pe_lib.attention(q, k, x @ w_v)


def attention_by_scores(x, w_q, w_k, w_v):
    """Positions from 1, every score by itself."""
    scores = torch.zeros(len(x), len(x))
    for m, query in enumerate(x @ w_q, start=1):
        for n, key in enumerate(x @ w_k, start=1):
            scores[m - 1, n - 1] = score_law(query, key, m, n) / w_q.size(1) ** 0.5
    return scores.double().softmax(1) @ (x @ w_v)


def attention_rotate_half(x, w_q, w_k, w_v):
    dim = w_q.shape[-1]
    angle = torch.outer(torch.arange(len(x)), angles_torch(1, dim))
    angle = torch.cat([angle, angle], dim=-1)

    def rotate(t):
        t1, t2 = t[..., : dim // 2], t[..., dim // 2 :]
        return t * angle.cos() + torch.cat([-t2, t1], dim=-1) * angle.sin()

    q, k, v = x @ w_q, x @ w_k, x @ w_v
    return torch.softmax(rotate(q) @ rotate(k).mT * dim**-0.5, -1) @ v


# --- wrong ----------------------------------------------------------------------------------------


def rows_turned(rows, turn=halves_torch):
    return torch.stack([torch.as_tensor(turn(row, p)) for p, row in enumerate(rows)])


def head(q, k, v):
    return F.scaled_dot_product_attention(q[None], k[None], v[None])[0]


def attention_embeddings_turned(x, w_q, w_k, w_v):
    turned = rows_turned(x)
    return head(turned @ w_q, turned @ w_k, x @ w_v)


def attention_embeddings_turned_once(x, w_q, w_k, w_v):
    x = rows_turned(x)
    return head(x @ w_q, x @ w_k, x @ w_v)


def attention_values_too(x, w_q, w_k, w_v):
    return head(*(rows_turned(x @ w) for w in (w_q, w_k, w_v)))


def attention_forgot_value_weights(x, w_q, w_k, w_v):
    return head(rows_turned(x @ w_q), rows_turned(x @ w_k), x)


def attention_queries_only(x, w_q, w_k, w_v):
    return head(rows_turned(x @ w_q), x @ w_k, x @ w_v)


def attention_clockwise(x, w_q, w_k, w_v):
    q, k = (rows_turned(x @ w, halves_quarter_backwards) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_same_position_for_all(x, w_q, w_k, w_v):
    q, k = (torch.stack([halves_torch(row, len(x)) for row in x @ w]) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_key_the_other_way(x, w_q, w_k, w_v):
    q, k = (torch.complex(*(x @ w).chunk(2, -1)) for w in (w_q, w_k))
    factors = torch.exp(1j * torch.outer(torch.arange(len(x)), angles_torch(1, w_q.shape[1])))
    scores = ((q * factors) @ (k * factors.conj()).mH).real / math.sqrt(w_q.shape[1])
    return scores.softmax(-1) @ (x @ w_v)


def attention_interleaved(x, w_q, w_k, w_v):
    q, k = (rows_turned(x @ w, complex_torch) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_dim_of_x(x, w_q, w_k, w_v):
    dim = x.shape[1]
    angle = torch.outer(torch.arange(len(x)), 10000 ** (-2 * torch.arange(w_q.shape[1] // 2) / dim))

    def rotate(t):
        a, b = t.chunk(2, dim=-1)
        return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()], -1)

    return head(rotate(x @ w_q), rotate(x @ w_k), x @ w_v)


def attention_cut_table(x, w_q, w_k, w_v):
    cos, sin = pe_lib.rotary_cos_sin(len(x), x.shape[1], dtype=x.dtype)
    pairs = w_q.shape[1] // 2
    q, k = (pe_lib.apply_rotary(x @ w, cos[:, :pairs], sin[:, :pairs]) for w in (w_q, w_k))
    return head(q, k, x @ w_v)


def attention_scaled_by_width(x, w_q, w_k, w_v):
    scores = rows_turned(x @ w_q) @ rows_turned(x @ w_k).T
    return (scores / math.sqrt(x.shape[-1])).softmax(-1) @ (x @ w_v)


def attention_unscaled(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return F.scaled_dot_product_attention(q, k, x @ w_v, scale=1.0)


def attention_columns(x, w_q, w_k, w_v):
    scores = rows_turned(x @ w_q) @ rows_turned(x @ w_k).T / math.sqrt(w_q.shape[1])
    return F.softmax(scores, dim=0) @ (x @ w_v)


def attention_keys_first(x, w_q, w_k, w_v):
    scores = rows_turned(x @ w_k) @ rows_turned(x @ w_q).T / math.sqrt(w_q.shape[1])
    return F.softmax(scores, dim=1) @ (x @ w_v)


def attention_causal(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return F.scaled_dot_product_attention(q, k, x @ w_v, is_causal=True)


def attention_returns_weights(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return (q @ k.T / math.sqrt(q.shape[1])).softmax(-1)


def attention_of_raw_scores(x, w_q, w_k, w_v):
    q, k = rows_turned(x @ w_q), rows_turned(x @ w_k)
    return q @ k.T / math.sqrt(q.shape[1]) @ (x @ w_v)


def attention_false_law(x, w_q, w_k, w_v):
    place = torch.arange(len(x))
    scores = (x @ w_q) @ (x @ w_k).T / math.sqrt(w_q.shape[1])
    return (scores * torch.cos(place[None] - place[:, None])).softmax(-1) @ (x @ w_v)


RIGHT = [
    attention_torch,
    attention_numpy,
    attention_library,
    attention_by_scores,
    attention_rotate_half,
]
WRONG = [
    (attention_embeddings_turned, "turned before the projection"),
    (attention_embeddings_turned_once, "all turned before the projection"),
    (attention_values_too, "values turned too"),
    (attention_forgot_value_weights, "values not projected"),
    (attention_queries_only, "only the queries turned"),
    (attention_clockwise, "turned backwards"),
    (attention_same_position_for_all, "not turned"),
    (attention_key_the_other_way, "turned in opposite directions"),
    (attention_interleaved, "interleaved layout"),
    (attention_dim_of_x, "frequencies of the width of x"),
    (attention_cut_table, "frequencies of the width of x"),
    (attention_scaled_by_width, "root of the width of x"),
    (attention_unscaled, "no square root"),
    (attention_columns, "softmax over the queries"),
    (attention_keys_first, "queries and keys swapped"),
    (attention_causal, "masked"),
    (attention_returns_weights, "weights only"),
    (attention_of_raw_scores, "softmax missing"),
    (attention_false_law, "plain scores times a cosine"),
]

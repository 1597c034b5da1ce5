"""Answers: a whole attention head with rotary positions."""

import numpy as np
import torch
from torch.nn import functional as F

import pe_lib
from tests.exercises.answers.rope_by_hand.rotary_angles import angles_torch
from tests.exercises.answers.rope_by_hand.rotary_score import score_law
from tests.exercises.answers.rope_by_hand.turn_half_split import (
    halves_torch,
)


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


RIGHT = [
    attention_torch,
    attention_numpy,
    attention_library,
    attention_by_scores,
    attention_rotate_half,
]

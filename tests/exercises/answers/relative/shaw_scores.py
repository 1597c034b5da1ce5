"""shaw_scores (chapter 08): answers in many styles."""

import math

import numpy as np
import torch

import pe_lib


def scores_torch(q, k, table, max_distance):
    q_len, k_len = len(q), len(k)
    relative = torch.arange(k_len) - torch.arange(k_len - q_len, k_len)[:, None]
    a = table[relative.clamp(-max_distance, max_distance) + max_distance]
    return (q @ k.T + (q[:, None] * a).sum(-1)) / math.sqrt(q.shape[-1])


def scores_vector_joins_the_key(q, k, table, max_distance):
    index = pe_lib.relative_position_index(len(q), len(k), max_distance=max_distance)
    return torch.einsum("id,ijd->ij", q, k + table[index]) * q.shape[-1] ** -0.5


def scores_gathered(q, k, table, max_distance):
    index = pe_lib.relative_position_index(len(q), len(k), max_distance=max_distance)
    q, k, table = q.float(), k.float(), table.float()
    return (q @ k.mT + (q @ table.mT).gather(1, index)) / q.shape[-1] ** 0.5


def scores_numpy(q, k, table, max_distance):
    q, k, table = q.numpy(), k.numpy(), table.numpy()
    i, j = np.indices((len(q), len(k)))
    index = np.clip(j - (i + len(k) - len(q)) + max_distance, 0, 2 * max_distance)
    by_row = q @ table.T
    return (q @ k.T + by_row[i, index]) / np.sqrt(q.shape[1])


def scores_loops(q, k, table, max_distance):
    scores = torch.zeros(len(q), len(k), dtype=q.dtype)
    past = len(k) - len(q)
    for i in range(len(q)):
        for j in range(len(k)):
            row = max_distance + max(-max_distance, min(j - i - past, max_distance))
            scores[i, j] = q[i] @ (k[j] + table[row]) / len(q[i]) ** 0.5
    return scores


RIGHT = [
    scores_torch,
    scores_vector_joins_the_key,
    scores_gathered,
    scores_numpy,
    scores_loops,
]

"""shaw_scores (chapter 08): answers in many styles, right and wrong ones."""

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


def not_clipped(q, k, table, max_distance):
    relative = torch.arange(len(k)) - torch.arange(len(k) - len(q), len(k))[:, None]
    return (q @ k.T + torch.einsum("qd,qkd->qk", q, table[relative + max_distance])) / math.sqrt(
        q.shape[-1]
    )


def not_shifted(q, k, table, max_distance):
    relative = torch.arange(len(k)) - torch.arange(len(k) - len(q), len(k))[:, None]
    a = table[relative.clamp(-max_distance, max_distance)]
    return (q @ k.T + (q[:, None] * a).sum(-1)) / math.sqrt(q.shape[-1])


def flipped(q, k, table, max_distance):
    return scores_torch(q, k, table.flip(0), max_distance)


def scaled_in_part(q, k, table, max_distance):
    index = pe_lib.relative_position_index(len(q), len(k), max_distance=max_distance)
    return q @ k.T / math.sqrt(q.shape[-1]) + (q @ table.T).gather(1, index)


def asked_by_the_key(q, k, table, max_distance):
    index = pe_lib.relative_position_index(len(q), len(k), max_distance=max_distance)
    return (q @ k.T + (k * table[index]).sum(-1)) / math.sqrt(q.shape[-1])


def aligned_at_the_start(q, k, table, max_distance):
    i, j = np.indices((len(q), len(k)))
    index = np.clip(j - i, -max_distance, max_distance) + max_distance
    return (q @ k.T + (q @ table.T)[i, index]) / math.sqrt(q.shape[-1])


def query_as_well(q, k, table, max_distance):
    q += 1
    return scores_torch(q - 1, k, table, max_distance)


RIGHT = [
    scores_torch,
    scores_vector_joins_the_key,
    scores_gathered,
    scores_numpy,
    scores_loops,
]
WRONG = [
    (not_clipped, "not clipped"),
    (not_shifted, "not shifted"),
    (flipped, "query minus key"),
    (scaled_in_part, "table not scaled"),
    (asked_by_the_key, "key meets the vector"),
    (aligned_at_the_start, "aligned at the start"),
    (query_as_well, "changed in place"),
    (lambda q, k, table, m: scores_torch(q, k, table, m) * q.shape[-1] ** 0.5, "scale forgotten"),
    (lambda q, k, table, m: scores_torch(q, k, table, m).softmax(-1), "already weights"),
]

"""relative_index (chapter 08): answers in many styles, right and wrong ones."""

import numpy as np
import torch


def index_torch(q_len, k_len, max_distance):
    q = torch.arange(k_len - q_len, k_len)
    k = torch.arange(k_len)
    return torch.clamp(k[None, :] - q[:, None], -max_distance, max_distance) + max_distance


def index_numpy(q_len, k_len, max_distance):
    distance = np.subtract.outer(np.arange(k_len), np.arange(k_len)).T[-q_len:]
    return np.clip(distance, -max_distance, max_distance) + max_distance


def index_loops(q_len, k_len, max_distance):
    rows = []
    for i in range(k_len - q_len, k_len):
        rows.append(
            [max_distance + max(-max_distance, min(max_distance, j - i)) for j in range(k_len)]
        )
    return torch.tensor(rows)


def index_shifted_first(q_len, k_len, max_distance):
    row = torch.arange(k_len).float() - (k_len - q_len) + max_distance
    return (row - torch.arange(q_len).float().view(-1, 1)).clamp(0, 2 * max_distance)


def index_int32(q_len, k_len, max_distance):
    i, j = np.indices((q_len, k_len), dtype=np.int32)
    return np.minimum(np.maximum(j - i + q_len - k_len + max_distance, 0), 2 * max_distance)


def aligned_at_the_start(q_len, k_len, max_distance):
    i, j = np.indices((q_len, k_len))
    return np.clip(j - i, -max_distance, max_distance) + max_distance


def wrong_way(q_len, k_len, max_distance):
    i, j = np.indices((q_len, k_len))
    return np.clip(j + k_len - q_len - i, -max_distance, max_distance) + max_distance


def past_counts_up(q_len, k_len, max_distance):
    q, k = torch.arange(k_len)[-q_len:], torch.arange(k_len)
    return (q[:, None] - k).clamp(-max_distance, max_distance) + max_distance


def python_slice(q_len, k_len, max_distance):
    q, k = torch.arange(k_len)[-q_len:], torch.arange(k_len)
    return (k - q[:, None]).clamp(-max_distance, max_distance - 1) + max_distance


def clamped_last(q_len, k_len, max_distance):
    q, k = torch.arange(k_len)[-q_len:], torch.arange(k_len)
    return (k - q[:, None] + max_distance).clamp(-max_distance, max_distance)


def keys_in_rows(q_len, k_len, max_distance):
    q, k = torch.arange(k_len)[-q_len:], torch.arange(k_len)
    return (k[:, None] - q[None, :]).clamp(-max_distance, max_distance) + max_distance


RIGHT = [index_torch, index_numpy, index_loops, index_shifted_first, index_int32]
WRONG = [
    (aligned_at_the_start, "aligned at the start"),
    (wrong_way, "moved the wrong way"),
    (past_counts_up, "query minus key"),
    (python_slice, "last row lost"),
    (clamped_last, "clipped after the shift"),
    (keys_in_rows, "transposed"),
    (lambda q, k, m: index_numpy(q, k, m) - m, "not shifted"),
    (lambda q, k, m: index_torch(q, k, k) - k + m, "not clipped"),
    (lambda q, k, m: index_numpy(q, k, m - 1), "largest distance lost"),
    (lambda q, k, m: abs(index_loops(q, k, m) - m), "distance without sign or shift"),
]

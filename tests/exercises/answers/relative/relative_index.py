"""relative_index (chapter 08): answers in many styles."""

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


RIGHT = [index_torch, index_numpy, index_loops, index_shifted_first, index_int32]

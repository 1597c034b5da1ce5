"""neighbour_cosine (chapter 03): answers in many styles."""

import numpy as np
from torch import nn


def cosine_by_torch(table, used):
    return nn.functional.cosine_similarity(table[: used - 1], table[1:used], dim=-1).mean()


def cosine_in_numpy(table, used):
    rows = table.numpy()[:used]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.einsum("pd,pd->p", rows[:-1], rows[1:]).mean()


def cosine_in_python(table, used):
    total = 0.0
    for a, b in zip(table[:used].tolist(), table[1:used].tolist(), strict=False):
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        total += dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5
    return total / (used - 1)


RIGHT = [cosine_by_torch, cosine_in_numpy, cosine_in_python]

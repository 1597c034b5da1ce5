"""neighbour_cosine (chapter 03): answers in many styles, right and wrong ones."""

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


def cosine_of_everything(table, used):
    unit = table[:used] / table[:used].norm(dim=-1, keepdim=True)
    return (unit @ unit.T).mean()


def cosine_without_the_last_pair(table, used):
    pairs = [(table[p], table[p + 1]) for p in range(used - 2)]
    return sum(nn.functional.cosine_similarity(a, b, dim=0) for a, b in pairs) / len(pairs)


RIGHT = [cosine_by_torch, cosine_in_numpy, cosine_in_python]
WRONG = [
    (cosine_of_everything, "rows with themselves"),
    (cosine_without_the_last_pair, "one pair too few"),
]

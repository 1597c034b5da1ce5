"""place (chapter 01): answers in many styles."""

import torch


def place_by_formula(seen):
    return 1 / seen - 1


def place_rounded(seen):
    return seen.float().reciprocal().round() - 1


def place_in_whole_numbers(seen):
    return (1 / seen).round().long() - 1


def place_in_numpy(seen):
    return (1 - seen.numpy()) / seen.numpy()


def place_by_search(seen):
    known = [1 / (p + 1) for p in range(10_000)]
    nearest = [
        [min(range(10_000), key=lambda p: abs(known[p] - s)) for s in row] for row in seen.tolist()
    ]
    return torch.tensor(nearest, dtype=torch.float64)


RIGHT = [
    place_by_formula,
    place_rounded,
    place_in_whole_numbers,
    place_in_numpy,
    place_by_search,
]

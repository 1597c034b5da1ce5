"""score_by_offset (chapter 02): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def score_python(k, dim):
    return sum(math.cos(k / 10000 ** (2 * i / dim)) for i in range(dim // 2))


def score_torch(k, dim):
    return torch.cos(k * torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))).sum()


def score_numpy32(k, dim):
    return np.cos(k * 10000 ** -(np.arange(0, dim, 2, dtype=np.float32) / dim)).sum()


def mean_of_cosines(k, dim):
    return np.mean([math.cos(k / 10000 ** (2 * i / dim)) for i in range(dim // 2)])


def returned_too_early(k, dim):
    score = 0
    for i in range(dim // 2):
        score += math.cos(k / 10000 ** (2 * i / dim))
        return score


def sum_overwritten(k, dim):
    for i in range(dim // 2):
        score = torch.tensor(k / 10000 ** (2 * i / dim)).cos()
    return score


def term_for_each_column(k, dim):
    return sum(math.cos(k / 10000 ** (2 * i / dim)) for i in range(dim))


RIGHT = [score_python, score_torch, score_numpy32]
WRONG = [
    (mean_of_cosines, "mean instead of sum"),
    (returned_too_early, "first pair only"),
    (sum_overwritten, "last pair only"),
    (term_for_each_column, "a term for each column"),
]

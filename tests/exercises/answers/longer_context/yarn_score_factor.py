"""yarn_score_factor (chapter 06): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def factor_python(factor):
    return (0.1 * math.log(factor) + 1) ** 2


def factor_torch(factor):
    attention = 1 + torch.tensor(factor).log() / 10
    return attention * attention


def factor_numpy(factor):
    growth = np.log(factor) / 10
    return 1 + 2 * growth + growth**2


def factor_measured(factor):
    """A score, with and without the attention factor."""
    attention = 0.1 * math.log(factor) + 1
    q, k = torch.tensor([3.0, 4.0]), torch.tensor([1.0, 2.0])
    return (attention * q) @ (attention * k) / (q @ k)


RIGHT = [factor_python, factor_torch, factor_numpy, factor_measured]
WRONG = [
    (lambda s: 0.1 * math.log(s) + 1, "only once"),
    (lambda s: factor_python(s) ** 2, "four times"),
    (lambda s: 2 * (0.1 * math.log(s) + 1), "doubled"),
    (lambda s: 0.2 * math.log(s) + 1, "growth doubled"),
    (lambda s: (0.1 * math.log(s) + 1) ** 0.5, "root"),
    (lambda s: factor_python(s) ** -1, "upside down"),
    (lambda s: 1 / (0.1 * math.log(s) + 1), "upside down and once"),
    (lambda s: (0.1 * math.log10(s) + 1) ** 2, "logarithm to base 10"),
    (lambda s: (0.1 * np.log2(s) + 1) ** 2, "logarithm to base 2"),
    (lambda s: (0.1 * s + 1) ** 2, "no logarithm"),
    (lambda s: (math.log(s) + 1) ** 2, "tenth forgotten"),
    (lambda s: (math.log(0.1 * s) + 1) ** 2, "tenth inside the logarithm"),
    (lambda s: (0.1 * (1 + math.log(s))) ** 2, "tenth of all"),
    (lambda s: (0.1 * math.log(s)) ** 2, "one forgotten"),
    (lambda s: 1 + (0.1 * math.log(s)) ** 2, "squared before the sum"),
    (lambda s: s, "the factor itself"),
]

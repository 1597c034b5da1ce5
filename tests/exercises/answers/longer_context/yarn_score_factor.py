"""yarn_score_factor (chapter 06): answers in many styles."""

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

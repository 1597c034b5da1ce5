"""score_by_offset (chapter 02): answers in many styles."""

import math

import numpy as np
import torch


def score_python(k, dim):
    return sum(math.cos(k / 10000 ** (2 * i / dim)) for i in range(dim // 2))


def score_torch(k, dim):
    return torch.cos(k * torch.exp(torch.arange(0, dim, 2) * (-math.log(10000.0) / dim))).sum()


def score_numpy32(k, dim):
    return np.cos(k * 10000 ** -(np.arange(0, dim, 2, dtype=np.float32) / dim)).sum()


RIGHT = [score_python, score_torch, score_numpy32]

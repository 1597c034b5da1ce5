"""causal_weights (chapter 00): answers in many styles."""

import numpy as np
import torch
from torch.nn import functional as F


def weights_torch(scores):
    q_len, k_len = scores.shape
    later = torch.triu(torch.ones(q_len, k_len, dtype=torch.bool), diagonal=k_len - q_len + 1)
    return F.softmax(scores.masked_fill(later, float("-inf")), dim=-1)


def weights_by_large_number(scores):
    place = torch.arange(scores.shape[1])
    queries = place[-scores.shape[0] :]
    return torch.softmax(scores.float() - 1e9 * (place > queries[:, None]), dim=1)


def weights_numpy(scores):
    powers = np.exp(scores.numpy())
    powers = np.tril(powers, k=powers.shape[1] - powers.shape[0])
    return powers / powers.sum(axis=1, keepdims=True)


def weights_loops(scores):
    out = torch.zeros_like(scores)
    past = scores.shape[1] - scores.shape[0]
    for i, row in enumerate(scores):
        out[i, : past + i + 1] = row[: past + i + 1].softmax(0)
    return out


RIGHT = [weights_torch, weights_by_large_number, weights_numpy, weights_loops]

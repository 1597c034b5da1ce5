"""causal_weights (chapter 00): answers in many styles, right and wrong ones."""

import math

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


def causal_flag_of_torch(scores):
    mask = torch.full(scores.shape, -math.inf).triu(1)
    return (scores + mask).softmax(-1)


def mask_of_ones_and_zeros(scores):
    q_len, k_len = scores.shape
    return (scores * torch.ones(q_len, k_len).tril(k_len - q_len)).softmax(-1)


def own_word_hidden_too(scores):
    q_len, k_len = scores.shape
    later = torch.ones(q_len, k_len).triu(k_len - q_len).bool()
    return scores.masked_fill(later, -math.inf).softmax(-1)


RIGHT = [weights_torch, weights_by_large_number, weights_numpy, weights_loops]
WRONG = [
    (causal_flag_of_torch, "mask aligned at the start"),
    (mask_of_ones_and_zeros, "zero instead of minus infinity"),
    (own_word_hidden_too, "own word hidden"),
]

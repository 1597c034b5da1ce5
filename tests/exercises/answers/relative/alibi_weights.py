"""alibi_weights (chapter 08): answers in many styles."""

import math

import numpy as np
import torch
from torch.nn import functional as F

import pe_lib


def weights_torch(q, k, slope):
    past = torch.arange(len(k) - len(q), len(k)).unsqueeze(1) - torch.arange(len(k))
    scores = q @ k.mT / q.shape[-1] ** 0.5 - slope * past
    return torch.where(past < 0, float("-inf"), scores).softmax(dim=-1)


def weights_numpy(q, k, slope):
    q, k = q.numpy(), k.numpy()
    i, j = np.indices((len(q), len(k)))
    distance = i + len(k) - len(q) - j
    powers = np.exp(q @ k.T / np.sqrt(k.shape[1]) - slope * distance) * (distance >= 0)
    return powers / powers.sum(axis=-1, keepdims=True)


def weights_by_the_key_alone(q, k, slope):
    """The bias of a key grows with its position: in each row off by a constant."""
    q, k = q.float(), k.float()
    later = torch.ones(len(q), len(k)).triu(len(k) - len(q) + 1)
    scores = torch.einsum("id,jd->ij", q, k) / math.sqrt(k.size(1))
    return F.softmax(scores + slope * torch.arange(len(k)) - 1e9 * later, dim=-1)


def weights_loops(q, k, slope):
    out = torch.zeros(len(q), len(k))
    for i in range(len(q)):
        last = len(k) - len(q) + i
        seen = k[: last + 1]
        distance = last - torch.arange(last + 1)
        out[i, : last + 1] = (seen @ q[i] / len(q[i]) ** 0.5 - distance * slope).softmax(0)
    return out


def weights_of_torch(q, k, slope):
    distance = pe_lib.relative_positions(len(q), len(k)).neg()
    bias = (-slope * distance).to(q.dtype).masked_fill(distance < 0, -torch.inf)
    return F.scaled_dot_product_attention(q, k, torch.eye(len(k), dtype=q.dtype), attn_mask=bias)


RIGHT = [
    weights_torch,
    weights_numpy,
    weights_by_the_key_alone,
    weights_loops,
    weights_of_torch,
]

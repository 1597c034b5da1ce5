"""cached_step (chapter 00): answers in many styles."""

import numpy as np
import torch
from torch.nn import functional as F

import pe_lib


def step_torch(q, k, v, past_k, past_v):
    keys, values = torch.vstack([past_k, k]), torch.vstack([past_v, v])
    return F.scaled_dot_product_attention(q[None], keys, values)[0]


def step_library(q, k, v, past_k, past_v):
    keys, values = (torch.cat([a, b.unsqueeze(0)]) for a, b in ((past_k, k), (past_v, v)))
    return pe_lib.attention(q.unsqueeze(0), keys, values, causal=True).squeeze(0)


def step_new_word_first(q, k, v, past_k, past_v):
    scores = torch.cat([k[None], past_k]) @ q * len(q) ** -0.5
    return torch.einsum("k,kd->d", scores.softmax(0), torch.cat([v[None], past_v]))


def step_numpy(q, k, v, past_k, past_v):
    keys = np.concatenate([past_k.numpy(), k.numpy()[None]])
    values = np.concatenate([past_v.numpy(), v.numpy()[None]])
    powers = np.exp(keys @ q.numpy() / np.sqrt(keys.shape[1]))
    return powers @ values / powers.sum()


RIGHT = [step_torch, step_library, step_new_word_first, step_numpy]

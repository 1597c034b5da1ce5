"""split_heads (chapter 00): answers in many styles."""

import numpy as np
import torch


def heads_view(x, num_heads):
    return x.view(x.size(0), num_heads, x.size(1) // num_heads).transpose(0, 1)


def heads_chunks(x, num_heads):
    return torch.stack(x.chunk(num_heads, dim=-1))


def heads_numpy(x, num_heads):
    return np.stack(np.split(x.numpy(), num_heads, axis=1))


def heads_loops(x, num_heads):
    size = x.shape[1] // num_heads
    return torch.stack([x[:, h * size : (h + 1) * size].clone() for h in range(num_heads)])


RIGHT = [heads_view, heads_chunks, heads_numpy, heads_loops]

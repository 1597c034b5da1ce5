"""add_learned (chapter 03): answers in many styles."""

import numpy as np
import torch
from torch import nn


def add_by_slice(x, table, offset=0):
    return x + table[offset : offset + x.shape[-2]]


def add_by_embedding(x, table, offset=0):
    embedding = nn.Embedding.from_pretrained(table)
    positions = torch.arange(offset, offset + x.size(1))
    return x + embedding(positions).unsqueeze(0)


def add_in_numpy(x, table, offset=0):
    return x.numpy() + np.take(table.numpy(), np.arange(x.shape[1]) + offset, axis=0)[None]


def add_in_loops(x, table, offset=0):
    out = x.clone()
    for text in out:
        for n, vector in enumerate(text):
            vector += table[offset + n]
    return out


RIGHT = [add_by_slice, add_by_embedding, add_in_numpy, add_in_loops]

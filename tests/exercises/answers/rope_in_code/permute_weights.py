"""permute_weights (chapter 05): answers in many styles."""

import numpy as np
import torch

import pe_lib


def permute_by_view(weight, num_heads):
    rows, columns = weight.shape
    pairs = weight.view(num_heads, rows // num_heads // 2, 2, columns)
    return pairs.transpose(1, 2).reshape(rows, columns)


def permute_by_steps(weight, num_heads):
    heads = weight.chunk(num_heads)
    return torch.cat([torch.cat((head[0::2], head[1::2])) for head in heads])


def permute_by_index(weight, num_heads):
    size = weight.shape[0] // num_heads
    order = [h * size + i for h in range(num_heads) for s in (0, 1) for i in range(s, size, 2)]
    return weight[order]


def permute_in_numpy(weight, num_heads):
    heads = weight.numpy().reshape(num_heads, -1, 2, weight.shape[1])
    return np.moveaxis(heads, 2, 1).reshape(weight.shape)


def permute_by_library(weight, num_heads):
    heads = weight.unflatten(0, (num_heads, -1))
    return pe_lib.interleaved_to_half(heads, dim=-2).flatten(0, 1)


RIGHT = [
    permute_by_view,
    permute_by_steps,
    permute_by_index,
    permute_in_numpy,
    permute_by_library,
]

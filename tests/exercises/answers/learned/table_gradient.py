"""table_gradient (chapter 03): answers in many styles."""

import numpy as np
import torch


def gradient_by_slice(grad, max_len, offset=0):
    result = torch.zeros(max_len, grad.shape[-1])
    result[offset : offset + grad.shape[1]] = grad.sum(dim=0)
    return result


def gradient_by_autograd(grad, max_len, offset=0):
    table = torch.zeros(max_len, grad.shape[-1], requires_grad=True)
    out = torch.zeros_like(grad) + table[offset : offset + grad.shape[1]]
    out.backward(grad)
    return table.grad


def gradient_by_index_add(grad, max_len, offset=0):
    positions = torch.arange(offset, offset + grad.shape[1]).repeat(grad.shape[0])
    return torch.zeros(max_len, grad.shape[2]).index_add(0, positions, grad.flatten(0, 1))


def gradient_in_numpy(grad, max_len, offset=0):
    result = np.zeros((max_len, grad.shape[-1]))
    for text in grad.numpy():
        for n, share in enumerate(text):
            result[offset + n] += share
    return result


RIGHT = [
    gradient_by_slice,
    gradient_by_autograd,
    gradient_by_index_add,
    gradient_in_numpy,
]

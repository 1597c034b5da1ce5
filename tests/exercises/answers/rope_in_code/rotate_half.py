"""rotate_half (chapter 05): answers in many styles."""

import numpy as np
import torch

from tests.exercises.answers.rope_in_code._common import half_by_chunk


def half_by_roll(x):
    half = x.shape[-1] // 2
    signs = torch.ones(x.shape[-1])
    signs[:half] = -1
    return x.roll(half, dims=-1) * signs


def half_in_numpy(x):
    a, b = np.split(x.numpy(), 2, axis=-1)
    return np.concatenate([-b, a], axis=-1)


def half_by_complex(x):
    a, b = x.float().unflatten(-1, (2, -1)).unbind(-2)
    turned = torch.complex(a, b) * 1j
    return torch.cat((turned.real, turned.imag), -1)


def half_in_loops(x):
    out = torch.empty_like(x)
    n = x.size(-1) // 2
    for i in range(n):
        out[..., i] = -x[..., i + n]
        out[..., i + n] = x[..., i]
    return out


RIGHT = [half_by_chunk, half_by_roll, half_in_numpy, half_by_complex, half_in_loops]

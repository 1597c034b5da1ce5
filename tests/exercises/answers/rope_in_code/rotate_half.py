"""rotate_half (chapter 05): answers in many styles, right and wrong ones."""

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


def half_by_stride(x):
    return torch.cat((-x[..., 1::2], x[..., 0::2]), dim=-1)


def half_by_writing_back(x):
    x = x.clone()
    half = x.shape[-1] // 2
    x[..., :half], x[..., half:] = -x[..., half:], x[..., :half]
    return x


def half_by_length(x):
    return torch.cat((-x[len(x) // 2 :], x[: len(x) // 2]))


def half_stacked(x):
    a, b = x.chunk(2, dim=-1)
    return torch.stack((-b, a), dim=-1).flatten(-2)


def half_in_place(x):
    half = x.shape[-1] // 2
    first = x[..., :half].clone()
    x[..., :half] = -x[..., half:]
    x[..., half:] = first
    return x


RIGHT = [half_by_chunk, half_by_roll, half_in_numpy, half_by_complex, half_in_loops]
WRONG = [
    (half_by_stride, "interleaved read and half split written"),
    (half_by_writing_back, "overwritten before it was read"),
    (half_by_length, "first axis cut in halves"),
    (half_stacked, "half split read and interleaved written"),
    (lambda x: x.roll(x.shape[-1] // 2, dims=-1), "no minus"),
    (lambda x: -half_by_roll(x), "turned clockwise"),
    (half_in_place, "changed in place"),
]

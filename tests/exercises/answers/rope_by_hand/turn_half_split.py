"""Answers: turning a whole vector, half-split."""

import math

import numpy as np
import torch

import pe_lib
from tests.exercises.answers.rope_by_hand.rotary_angles import angles_numpy, angles_torch


def halves_torch(x, position):
    half = x.shape[0] // 2
    angle = angles_torch(position, len(x))
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.cat([x[:half] * cos - x[half:] * sin, x[half:] * cos + x[:half] * sin])


def halves_rotate_half(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_numpy(x, position):
    a, b = np.split(x.numpy(), 2)
    angle = angles_numpy(position, len(x))
    return np.r_[a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)]


def halves_loop(x, position):
    out = torch.zeros_like(x)
    half = len(x) // 2
    for i in range(half):
        angle = position / 10000 ** (2 * i / len(x))
        out[i] = x[i] * math.cos(angle) - x[i + half] * math.sin(angle)
        out[i + half] = x[i] * math.sin(angle) + x[i + half] * math.cos(angle)
    return out


def halves_complex(x, position):
    a, b = x.chunk(2)
    turned = torch.complex(a, b) * torch.exp(1j * angles_torch(position, len(x)))
    return torch.cat([turned.real, turned.imag])


def halves_matrix(x, position):
    dim = len(x)
    turn = np.eye(dim)
    for i, angle in enumerate(angles_numpy(position, dim)):
        here = np.ix_([i, i + dim // 2], [i, i + dim // 2])
        turn[here] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return turn @ x.numpy()


def halves_library(x, position):
    tables = pe_lib.rotary_cos_sin(torch.tensor([position]), len(x), dtype=x.dtype)
    return pe_lib.apply_rotary(x[None], *tables)[0]


RIGHT = [
    halves_torch,
    halves_rotate_half,
    halves_numpy,
    halves_loop,
    halves_complex,
    halves_matrix,
    halves_library,
]

"""Answers: the interleaved turn, with complex numbers."""

import cmath

import numpy as np
import torch

import pe_lib
from tests.exercises.answers.rope_by_hand.rotary_angles import angles_numpy, angles_torch


def complex_torch(x, position):
    z = torch.view_as_complex(x.view(-1, 2))
    angle = angles_torch(position, len(x))
    return torch.view_as_real(z * torch.polar(torch.ones(len(z)), angle)).reshape(-1)


def complex_numpy(x, position):
    x = x.numpy()
    z = (x[0::2] + 1j * x[1::2]) * np.exp(1j * angles_numpy(position, len(x)))
    return np.stack([z.real, z.imag], axis=1).ravel()


def complex_viewed(x, position):
    z = np.ascontiguousarray(x).view(np.complex128)
    return (z * np.exp(1j * angles_numpy(position, len(x)))).view(np.float64)


def complex_python(x, position):
    out = []
    for i in range(0, len(x), 2):
        z = complex(x[i], x[i + 1]) * cmath.exp(1j * position * 10000 ** (-i / len(x)))
        out += [z.real, z.imag]
    return torch.tensor(out)


def complex_without_complex(x, position):
    angle = angles_torch(position, len(x)).repeat_interleave(2)
    quarter = torch.stack([-x[1::2], x[::2]], dim=-1).flatten()
    return x * angle.cos() + quarter * angle.sin()


def complex_library(x, position):
    freqs = pe_lib.rotary_freqs_cis(torch.tensor([position]), len(x))
    return pe_lib.apply_rotary_complex(x[None], freqs)[0]


RIGHT = [
    complex_torch,
    complex_numpy,
    complex_viewed,
    complex_python,
    complex_without_complex,
    complex_library,
]

"""rotate_patches (chapter 07): answers in many styles."""

import numpy as np
import torch

import pe_lib


def angles(height, width, dim, theta):
    n = torch.arange(height * width, dtype=torch.float64)[:, None]
    frequencies = theta ** (-torch.arange(dim // 4, dtype=torch.float64) / (dim // 4))
    return torch.cat((n % width * frequencies, n.div(width).floor() * frequencies), dim=1)


def rotate_pe_lib(x, height, width, theta=100.0):
    cos, sin = pe_lib.axial_rotary_cos_sin(height, width, x.shape[-1], theta)
    return pe_lib.apply_rotary(x, cos, sin)


def rotate_halves(x, height, width, theta=100.0):
    table = angles(height, width, x.shape[-1], theta).repeat(1, 2)
    a, b = x.chunk(2, dim=-1)
    return x * table.cos() + torch.cat((-b, a), dim=-1) * table.sin()


def rotate_complex(x, height, width, theta=100.0):
    a, b = x.chunk(2, dim=-1)
    turn = torch.exp(1j * angles(height, width, x.shape[-1], theta))
    turned = torch.complex(a, b) * turn
    return torch.cat((turned.real, turned.imag), dim=-1)


def rotate_numpy32(x, height, width, theta=100.0):
    x = x.numpy().astype(np.float32)
    y, column = np.indices((height, width)).reshape(2, -1, 1)
    dim = x.shape[-1]
    frequencies = theta ** (-2 * np.arange(dim // 4) / (dim // 2))
    table = np.concatenate((column * frequencies, y * frequencies), axis=1)
    a, b = x[..., : dim // 2], x[..., dim // 2 :]
    c, s = np.cos(table), np.sin(table)
    return np.concatenate((a * c - b * s, a * s + b * c), axis=2)


def rotate_loops(x, height, width, theta=100.0):
    """Pair by pair."""
    result, half = torch.empty_like(x), x.shape[-1] // 2
    n = torch.arange(height * width)
    for i in range(half):
        place = n % width if i < half // 2 else n // width
        angle = place.double() * theta ** (-2 * (i % (half // 2)) / half)
        a, b = x[:, :, i], x[:, :, i + half]
        result[:, :, i] = a * angle.cos() - b * angle.sin()
        result[:, :, i + half] = b * angle.cos() + a * angle.sin()
    return result


RIGHT = [rotate_pe_lib, rotate_halves, rotate_complex, rotate_numpy32, rotate_loops]

"""wavelength (chapter 02): answers in many styles."""

import math

import numpy as np
import torch


def wavelength_python(column, dim):
    return 2 * math.pi * 10000 ** (2 * (column // 2) / dim)


def wavelength_numpy32(column, dim):
    return np.float32(2 * np.pi) / np.float32(10000) ** np.float32(-(column - column % 2) / dim)


def wavelength_torch(column, dim):
    frequencies = torch.exp(torch.arange(0, dim, 2) * (-math.log(10000) / dim))
    return 2 * torch.pi / frequencies.repeat_interleave(2)[column]


RIGHT = [wavelength_python, wavelength_numpy32, wavelength_torch]

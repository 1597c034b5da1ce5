"""interpolated_frequencies (chapter 06): answers in many styles."""

import numpy as np
import torch


def interpolated_torch(dim, theta, factor):
    return theta ** (-torch.arange(0, dim, 2) / dim) / factor


def interpolated_numpy(dim, theta, factor):
    wavelengths = 2 * np.pi * theta ** (2 * np.arange(dim // 2) / dim)
    return 2 * np.pi / (factor * wavelengths)


def interpolated_loop(dim, theta, factor):
    return torch.tensor([1 / (factor * theta ** (2 * i / dim)) for i in range(dim // 2)])


def interpolated_positions(dim, theta, factor):
    """The angles of position 1, squeezed."""
    positions = torch.arange(2.0) / factor
    return torch.outer(positions, theta ** (-torch.arange(0, dim, 2) / dim))[1]


RIGHT = [interpolated_torch, interpolated_numpy, interpolated_loop, interpolated_positions]

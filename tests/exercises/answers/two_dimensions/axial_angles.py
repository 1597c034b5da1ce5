"""axial_angles (chapter 07): answers in many styles."""

import numpy as np
import torch

import pe_lib


def angles_torch(height, width, dim, theta=100.0):
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    axis = dim // 2
    frequencies = 1.0 / theta ** (torch.arange(0, axis, 2, dtype=torch.float64) / axis)
    columns = x.flatten()[:, None] * frequencies
    return torch.cat((columns, y.flatten()[:, None] * frequencies), dim=1)


def angles_torch32(height, width, dim, theta=100.0):
    n = torch.arange(height * width).float()
    frequencies = theta ** (-torch.arange(dim // 4).float() / (dim // 4))
    axes = torch.stack((n % width, torch.floor(n / width)), dim=1)
    return torch.einsum("na,f->naf", axes, frequencies).reshape(height * width, dim // 2)


def angles_numpy(height, width, dim, theta=100.0):
    y, x = np.indices((height, width)).reshape(2, -1)
    frequencies = np.exp(-np.log(theta) * np.arange(0, dim // 2, 2) / (dim // 2))
    return np.hstack((np.outer(x, frequencies), np.outer(y, frequencies)))


def angles_loops(height, width, dim, theta=100.0):
    rows = []
    for y in range(height):
        for x in range(width):
            turns = [theta ** (-2 * i / (dim / 2)) for i in range(dim // 4)]
            rows.append([x * f for f in turns] + [y * f for f in turns])
    return torch.tensor(rows, dtype=torch.float64)


def angles_of_whole_head(height, width, dim, theta=100.0):
    """Every second frequency of a whole head is one of half a head."""
    every_second = pe_lib.inverse_frequencies(dim, theta)[::2]
    x, y = torch.arange(width).repeat(height), torch.arange(height).repeat_interleave(width)
    return torch.cat((torch.outer(x, every_second), torch.outer(y, every_second)), dim=-1)


RIGHT = [angles_torch, angles_torch32, angles_numpy, angles_loops, angles_of_whole_head]

"""resized_angles (chapter 07): answers in many styles."""

import numpy as np
import torch

import pe_lib


def angles(x, y, dim, theta):
    """Of a grid with these columns and rows."""
    y, x = np.meshgrid(y, x, indexing="ij")
    frequencies = theta ** (-2 * np.arange(dim // 4) / (dim // 2))
    return np.hstack((np.outer(x.ravel(), frequencies), np.outer(y.ravel(), frequencies)))


def resized_numpy(height, width, trained, dim, theta=100.0):
    rows = np.linspace(0, trained[0], height, endpoint=False)
    columns = np.linspace(0, trained[1], width, endpoint=False)
    return angles(columns, rows, dim, theta)


def resized_torch32(height, width, trained, dim, theta=100.0):
    y = torch.arange(height) / height * trained[0]
    x = torch.arange(width) / width * trained[1]
    f = pe_lib.inverse_frequencies(dim // 2, theta).float()
    table = torch.zeros(height, width, dim // 2)
    table[..., : dim // 4] = torch.outer(x, f)
    table[..., dim // 4 :] = torch.outer(y, f)[:, None]
    return table.flatten(0, 1)


def resized_frequencies(height, width, trained, dim, theta=100.0):
    """Whole positions and slower pairs, each axis by its own factor."""
    n = torch.arange(height * width)
    f = pe_lib.inverse_frequencies(dim // 2, theta)
    by_row = torch.outer(n // width, f * trained[0] / height)
    return torch.cat((torch.outer(n % width, f * trained[1] / width), by_row), dim=-1)


def resized_loops(height, width, trained, dim, theta=100.0):
    rows = []
    for i in range(height * width):
        place = i % width * trained[1] / width, i // width * trained[0] / height
        rows.append([p / theta ** (4 * k / dim) for p in place for k in range(dim // 4)])
    return torch.tensor(rows, dtype=torch.float64)


RIGHT = [resized_numpy, resized_torch32, resized_frequencies, resized_loops]

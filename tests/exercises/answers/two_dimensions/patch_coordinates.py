"""patch_coordinates (chapter 07): answers in many styles."""

import numpy as np
import torch


def coordinates_torch(height, width):
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    return torch.stack((x, y), dim=-1).reshape(-1, 2)


def coordinates_numpy(height, width):
    y, x = np.indices((height, width))
    return np.column_stack((x.ravel(), y.ravel()))


def coordinates_loops(height, width):
    return torch.tensor([[x, y] for y in range(height) for x in range(width)])


def coordinates_divmod32(height, width):
    y, x = np.divmod(np.arange(height * width, dtype=np.int32), width)
    return np.stack((x, y), axis=1)


def coordinates_repeated(height, width):
    x = torch.arange(width).float().repeat(height)
    return torch.stack((x, torch.arange(height).repeat_interleave(width)), 1)


RIGHT = [
    coordinates_torch,
    coordinates_numpy,
    coordinates_loops,
    coordinates_divmod32,
    coordinates_repeated,
]

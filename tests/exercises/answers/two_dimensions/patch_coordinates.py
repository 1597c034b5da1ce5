"""patch_coordinates (chapter 07): answers in many styles, right and wrong ones."""

import math

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


def as_indices(height, width):
    return np.argwhere(np.ones((height, width)))


def default_meshgrid(height, width):
    x, y = torch.meshgrid(torch.arange(width), torch.arange(height), indexing="ij")
    return torch.stack((x.flatten(), y.flatten()), dim=1)


def loops_the_wrong_way_round(height, width):
    return np.array([(x, y) for x in range(width) for y in range(height)])


def divided_by_height(height, width):
    return np.array([(n % height, n // height) for n in range(height * width)])


def square_root(height, width):
    side = int(math.sqrt(height * width))
    return np.array([(n % side, n // side) for n in range(height * width)])


def column_goes_on(height, width):
    return np.array([(n, n // width) for n in range(height * width)])


def upwards(height, width):
    return np.array([(x, y) for y in reversed(range(height)) for x in range(width)])


def one_size(height, width):
    return np.array([(x, y) for y in range(width) for x in range(width)])


def unit_square(height, width):
    x, y = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
    return np.stack((x.ravel(), y.ravel()), axis=1)


def row_by_height(height, width):
    number = torch.arange(height * width)
    return torch.stack((number % width, number // height), dim=1)


def row_by_height_as_floats(height, width):
    n = np.arange(height * width, dtype=np.float32)
    return np.stack((n % width, n // height), axis=1)


def column_by_height(height, width):
    return np.array([(n % height, n // width) for n in range(height * width)])


def column_by_height_as_floats(height, width):
    number = torch.arange(height * width).double()
    return torch.stack((number % height, torch.floor(number / width)), dim=1)


def both_repeated(height, width):
    return np.stack((np.repeat(range(width), height), np.repeat(range(height), width)), axis=1)


def both_tiled(height, width):
    return np.stack((np.tile(range(width), height), np.tile(range(height), width)), axis=1)


def forgot_to_floor(height, width):
    number = torch.arange(height * width)
    return torch.stack((number % width, number / width), dim=1)


def first_is_1(height, width):
    return np.array([(n % width, n // width) for n in range(1, height * width + 1)])


def grid_reshaped(height, width):
    """(2, height, width) to (patches, 2)."""
    return np.indices((height, width)).reshape(-1, 2)


def grid_with_x_first_reshaped(height, width):
    return np.array(np.meshgrid(range(width), range(height))).reshape(-1, 2)


RIGHT = [
    coordinates_torch,
    coordinates_numpy,
    coordinates_loops,
    coordinates_divmod32,
    coordinates_repeated,
]
WRONG = [
    (as_indices, "row first"),
    (default_meshgrid, "patches column by column"),
    (loops_the_wrong_way_round, "patches column by column"),
    (divided_by_height, "height and width exchanged"),
    (square_root, "square from the number of patches"),
    (column_goes_on, "number of the patch as column"),
    (upwards, "bottom row first"),
    (one_size, "as many rows as columns"),
    (unit_square, "from 0 to 1"),
    (lambda h, w: np.stack(np.meshgrid(range(w), range(h)), axis=-1), "still a picture"),
    (lambda h, w: coordinates_numpy(h, w).T, "all columns and then all rows"),
    (lambda h, w: coordinates_torch(h, w) + 1, "counted from 1"),
    (lambda h, w: coordinates_torch(h, w) + 0.5, "middles of the patches"),
    (lambda h, w: coordinates_numpy(h, w) / [w, h], "shares of the picture"),
    (lambda h, w: torch.arange(h * w), "one number a patch"),
    (row_by_height, "row by the height"),
    (row_by_height_as_floats, "row by the height"),
    (column_by_height, "column by the height"),
    (column_by_height_as_floats, "column by the height"),
    (both_repeated, "column waits with the row"),
    (both_tiled, "row goes with the column"),
    (forgot_to_floor, "row not whole"),
    (first_is_1, "patches numbered from 1"),
    (grid_reshaped, "rows first and reshaped"),
    (grid_with_x_first_reshaped, "reshaped for transposed"),
]

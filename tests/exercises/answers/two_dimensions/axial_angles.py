"""axial_angles (chapter 07): answers in many styles, right and wrong ones."""

import numpy as np
import torch

import pe_lib


def angles_torch(height, width, dim, theta=10000.0):
    y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
    axis = dim // 2
    frequencies = 1.0 / theta ** (torch.arange(0, axis, 2, dtype=torch.float64) / axis)
    columns = x.flatten()[:, None] * frequencies
    return torch.cat((columns, y.flatten()[:, None] * frequencies), dim=1)


def angles_torch32(height, width, dim, theta=10000.0):
    n = torch.arange(height * width).float()
    frequencies = theta ** (-torch.arange(dim // 4).float() / (dim // 4))
    axes = torch.stack((n % width, torch.floor(n / width)), dim=1)
    return torch.einsum("na,f->naf", axes, frequencies).reshape(height * width, dim // 2)


def angles_numpy(height, width, dim, theta=10000.0):
    y, x = np.indices((height, width)).reshape(2, -1)
    frequencies = np.exp(-np.log(theta) * np.arange(0, dim // 2, 2) / (dim // 2))
    return np.hstack((np.outer(x, frequencies), np.outer(y, frequencies)))


def angles_loops(height, width, dim, theta=10000.0):
    rows = []
    for y in range(height):
        for x in range(width):
            turns = [theta ** (-2 * i / (dim / 2)) for i in range(dim // 4)]
            rows.append([x * f for f in turns] + [y * f for f in turns])
    return torch.tensor(rows, dtype=torch.float64)


def angles_of_whole_head(height, width, dim, theta=10000.0):
    """Every second frequency of a whole head is one of half a head."""
    every_second = pe_lib.inverse_frequencies(dim, theta)[::2]
    x, y = torch.arange(width).repeat(height), torch.arange(height).repeat_interleave(width)
    return torch.cat((torch.outer(x, every_second), torch.outer(y, every_second)), dim=-1)


def _both(height, width, frequencies):
    """Column and row, each with these frequencies."""
    n = np.arange(height * width)[:, None]
    return np.concatenate((n % width * frequencies, n // width * frequencies), axis=1)


def over_dim(height, width, dim, theta=10000.0):
    return _both(height, width, [theta ** (-2 * i / dim) for i in range(dim // 4)])


def forgot_the_two(height, width, dim, theta=10000.0):
    return _both(height, width, theta ** (-np.arange(dim // 4) / (dim // 2)))


def over_quarter(height, width, dim, theta=10000.0):
    quarter = dim // 4
    return _both(height, width, [theta ** (-2 * i / quarter) for i in range(quarter)])


def rope_for_a_quarter(height, width, dim, theta=10000.0):
    quarter = dim // 4
    return _both(height, width, 1 / theta ** (np.arange(0, quarter, 2) / quarter))


def whole_head_each(height, width, dim, theta=10000.0):
    return _both(height, width, pe_lib.inverse_frequencies(dim, theta).numpy())


def sliced_whole_head(height, width, dim, theta=10000.0):
    """As time, height and width of M-RoPE share one run of frequencies."""
    n = torch.arange(height * width)[:, None]
    axes = torch.cat(((n % width).expand(-1, dim // 4), (n // width).expand(-1, dim // 4)), dim=1)
    return axes * pe_lib.inverse_frequencies(dim, theta)


def alternating(height, width, dim, theta=10000.0):
    n = np.arange(height * width)
    angles = np.empty((height * width, dim // 2))
    frequencies = theta ** (-2 * np.arange(dim // 4) / (dim // 2))
    angles[:, 0::2] = np.outer(n % width, frequencies)
    angles[:, 1::2] = np.outer(n // width, frequencies)
    return angles


def alternating_with_one_run(height, width, dim, theta=10000.0):
    n, angles = np.arange(height * width), np.empty((height * width, dim // 2))
    for i in range(dim // 2):
        angles[:, i] = (n // width if i % 2 else n % width) * theta ** (-2 * i / dim)
    return angles


def dealt_out(height, width, dim, theta=10000.0):
    n = np.arange(height * width)
    every = theta ** (-2 * np.arange(dim // 2) / dim)
    return np.hstack((np.outer(n % width, every[::2]), np.outer(n // width, every[1::2])))


def in_one_line(height, width, dim, theta=10000.0):
    return np.outer(np.arange(height * width), theta ** (-2 * np.arange(dim // 2) / dim))


def diagonals(height, width, dim, theta=10000.0):
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    return np.outer((x + y).ravel(), theta ** (-2 * np.arange(dim // 2) / dim))


def copied_line(height, width, dim, theta=10000.0):
    return angles_torch(height, width, dim, theta)[:, : dim // 4].repeat(1, 2)


def as_huggingface(height, width, dim, theta=10000.0):
    angles = angles_torch(height, width, dim, theta)
    return torch.cat((angles, angles), dim=-1)


def _turned_by(x, y, dim, theta):
    """These columns and rows, each with the right frequencies."""
    frequencies = theta ** (-np.arange(dim // 4) / (dim // 4))
    return np.hstack((np.outer(x, frequencies), np.outer(y, frequencies)))


def row_by_height(height, width, dim, theta=10000.0):
    n = np.arange(height * width)
    return _turned_by(n % width, n // height, dim, theta)


def row_by_height_as_floats(height, width, dim, theta=10000.0):
    n = np.arange(height * width, dtype=np.float32)
    return _turned_by(n % width, n // height, dim, theta).astype(np.float32)


def column_by_height(height, width, dim, theta=10000.0):
    n = np.arange(height * width)
    return _turned_by(n % height, n // width, dim, theta)


def column_by_height_as_floats(height, width, dim, theta=10000.0):
    n = np.arange(height * width, dtype=np.float32)
    return _turned_by(n % height, n // width, dim, theta).astype(np.float32)


def both_repeated(height, width, dim, theta=10000.0):
    x, y = np.repeat(range(width), height), np.repeat(range(height), width)
    return _turned_by(x, y, dim, theta)


def both_tiled(height, width, dim, theta=10000.0):
    return _turned_by(np.tile(range(width), height), np.tile(range(height), width), dim, theta)


def forgot_to_floor(height, width, dim, theta=10000.0):
    n = np.arange(height * width)
    return _turned_by(n % width, n / width, dim, theta)


def first_is_1(height, width, dim, theta=10000.0):
    n = np.arange(height * width) + 1
    return _turned_by(n % width, n // width, dim, theta)


def only_numbers(height, width, dim, theta=10000.0):
    n = np.arange(height * width)
    return _turned_by(n, n, dim, theta)


def only_rows(height, width, dim, theta=10000.0):
    y = np.arange(height * width) // width
    return _turned_by(y, y, dim, theta)


RIGHT = [angles_torch, angles_torch32, angles_numpy, angles_loops, angles_of_whole_head]
WRONG = [
    (over_dim, "exponent over dim"),
    (forgot_the_two, "exponent over dim"),
    (over_quarter, "exponent over a quarter"),
    (rope_for_a_quarter, "a quarter of the features"),
    (whole_head_each, "every frequency for both"),
    (sliced_whole_head, "one run of frequencies"),
    (alternating, "pair by pair"),
    (alternating_with_one_run, "one run pair by pair"),
    (dealt_out, "frequencies dealt out"),
    (in_one_line, "number of the patch"),
    (diagonals, "sum of both"),
    (copied_line, "column twice"),
    (as_huggingface, "an angle for every feature"),
    (lambda h, w, d, theta=1e4: angles_numpy(h, w, d), "theta ignored"),
    (lambda h, w, d, theta=1e4: angles_numpy(w, h, d, theta), "height and width exchanged"),
    (lambda h, w, d, theta=1e4: angles_numpy(h, w, d, 1 / theta), "positive exponent"),
    (lambda h, w, d, theta=1e4: np.roll(angles_numpy(h, w, d, theta), d // 4, 1), "row first"),
    (
        lambda h, w, d, theta=1e4: np.roll(angles_numpy(w, h, d, theta), d // 4, 1),
        "patches column by column",
    ),
    (row_by_height, "row by the height"),
    (row_by_height_as_floats, "row by the height"),
    (column_by_height, "column by the height"),
    (column_by_height_as_floats, "column by the height"),
    (both_repeated, "column waits with the row"),
    (both_tiled, "row goes with the column"),
    (forgot_to_floor, "row not whole"),
    (first_is_1, "patches numbered from 1"),
    (only_numbers, "number of the patch in both"),
    (only_rows, "row twice"),
    (lambda h, w, d, theta=1e4: np.repeat(angles_numpy(h, w, d, theta), 2, 1), "every angle twice"),
]

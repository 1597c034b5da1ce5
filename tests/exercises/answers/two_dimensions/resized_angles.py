"""resized_angles (chapter 07): answers in many styles, right and wrong ones."""

import numpy as np
import torch

import pe_lib


def angles(x, y, dim, theta):
    """Of a grid with these columns and rows."""
    y, x = np.meshgrid(y, x, indexing="ij")
    frequencies = theta ** (-2 * np.arange(dim // 4) / (dim // 2))
    return np.hstack((np.outer(x.ravel(), frequencies), np.outer(y.ravel(), frequencies)))


def resized_numpy(height, width, trained, dim, theta=10000.0):
    rows = np.linspace(0, trained[0], height, endpoint=False)
    columns = np.linspace(0, trained[1], width, endpoint=False)
    return angles(columns, rows, dim, theta)


def resized_torch32(height, width, trained, dim, theta=10000.0):
    y = torch.arange(height) / height * trained[0]
    x = torch.arange(width) / width * trained[1]
    f = pe_lib.inverse_frequencies(dim // 2, theta).float()
    table = torch.zeros(height, width, dim // 2)
    table[..., : dim // 4] = torch.outer(x, f)
    table[..., dim // 4 :] = torch.outer(y, f)[:, None]
    return table.flatten(0, 1)


def resized_frequencies(height, width, trained, dim, theta=10000.0):
    """Whole positions and slower pairs, each axis by its own factor."""
    n = torch.arange(height * width)
    f = pe_lib.inverse_frequencies(dim // 2, theta)
    by_row = torch.outer(n // width, f * trained[0] / height)
    return torch.cat((torch.outer(n % width, f * trained[1] / width), by_row), dim=-1)


def resized_loops(height, width, trained, dim, theta=10000.0):
    rows = []
    for i in range(height * width):
        place = i % width * trained[1] / width, i // width * trained[0] / height
        rows.append([p / theta ** (4 * k / dim) for p in place for k in range(dim // 4)])
    return torch.tensor(rows, dtype=torch.float64)


def align_corners(height, width, trained, dim, theta=10000.0):
    rows, columns = np.linspace(0, trained[0] - 1, height), np.linspace(0, trained[1] - 1, width)
    return angles(columns, rows, dim, theta)


def linspace_with_its_end(height, width, trained, dim, theta=10000.0):
    rows, columns = np.linspace(0, trained[0], height), np.linspace(0, trained[1], width)
    return angles(columns, rows, dim, theta)


def half_pixels(height, width, trained, dim, theta=10000.0):
    """As images are interpolated."""
    rows = (np.arange(height) + 0.5) * (trained[0] / height) - 0.5
    columns = (np.arange(width) + 0.5) * (trained[1] / width) - 0.5
    return angles(columns, rows, dim, theta)


def width_first(height, width, trained, dim, theta=10000.0):
    columns, rows = trained
    y, x = np.arange(height) * rows / height, np.arange(width) * columns / width
    return angles(x, y, dim, theta)


def upside_down(height, width, trained, dim, theta=10000.0):
    rows = np.arange(height) * height / trained[0]
    return angles(np.arange(width) * width / trained[1], rows, dim, theta)


def one_scale(height, width, trained, dim, theta=10000.0):
    scale = trained[0] / height
    return angles(np.arange(width) * scale, np.arange(height) * scale, dim, theta)


def by_area(height, width, trained, dim, theta=10000.0):
    scale = (trained[0] * trained[1] / height / width) ** 0.5
    return angles(np.arange(width) * scale, np.arange(height) * scale, dim, theta)


def ntk(height, width, trained, dim, theta=10000.0):
    axis, n = dim // 2, torch.arange(height * width)
    of_y = pe_lib.inverse_frequencies(axis, theta * (height / trained[0]) ** (axis / (axis - 2)))
    of_x = pe_lib.inverse_frequencies(axis, theta * (width / trained[1]) ** (axis / (axis - 2)))
    return torch.cat((torch.outer(n % width, of_x), torch.outer(n // width, of_y)), dim=-1)


def whole_numbers(height, width, trained, dim, theta=10000.0):
    rows = np.arange(height) * trained[0] // height
    return angles(np.arange(width) * trained[1] // width, rows, dim, theta)


def nothing_scaled(height, width, trained, dim, theta=10000.0):
    return angles(np.arange(width), np.arange(height), dim, theta)


def clipped(height, width, trained, dim, theta=10000.0):
    rows, columns = np.arange(height), np.arange(width)
    rows, columns = np.minimum(rows, trained[0] - 1), np.minimum(columns, trained[1] - 1)
    return angles(columns, rows, dim, theta)


def scaled_down_only(height, width, trained, dim, theta=10000.0):
    rows = np.arange(height) / max(1, height / trained[0])
    columns = np.arange(width) / max(1, width / trained[1])
    return angles(columns, rows, dim, theta)


def placed(x, y, height, width, trained, dim, theta):
    """Any columns and rows, one for each patch, rightly scaled."""
    x, y = x * trained[1] / width, y * trained[0] / height
    f = theta ** (-torch.arange(dim // 4) / (dim // 4))
    return torch.cat((torch.outer(x, f), torch.outer(y, f)), dim=1)


def row_by_height(height, width, trained, dim, theta=10000.0):
    n = torch.arange(height * width)
    return placed(n % width, n // height, height, width, trained, dim, theta)


def row_by_height_as_floats(height, width, trained, dim, theta=10000.0):
    n = torch.arange(height * width).float()
    return placed(n % width, (n / height).floor(), height, width, trained, dim, theta)


def column_by_height(height, width, trained, dim, theta=10000.0):
    n = torch.arange(height * width)
    return placed(n % height, n // width, height, width, trained, dim, theta)


def column_by_height_as_floats(height, width, trained, dim, theta=10000.0):
    n = torch.arange(height * width).float()
    return placed(n % height, (n / width).floor(), height, width, trained, dim, theta)


def divided_by_height(height, width, trained, dim, theta=10000.0):
    n = torch.arange(height * width)
    return placed(n % height, n // height, height, width, trained, dim, theta)


def down_the_columns(height, width, trained, dim, theta=10000.0):
    n = torch.arange(height * width)
    return placed(n // height, n % height, height, width, trained, dim, theta)


RIGHT = [resized_numpy, resized_torch32, resized_frequencies, resized_loops]
WRONG = [
    (align_corners, "last patch on last patch"),
    (linspace_with_its_end, "last patch at the edge"),
    (half_pixels, "middles on middles"),
    (width_first, "trained as columns and rows"),
    (upside_down, "factor upside down"),
    (one_scale, "factor of the rows for both"),
    (by_area, "one factor from the number of patches"),
    (ntk, "theta stretched"),
    (whole_numbers, "rounded down"),
    (nothing_scaled, "counted on"),
    (clipped, "cut at the trained grid"),
    (scaled_down_only, "never farther apart"),
    (lambda h, w, t, d, theta=1e4: resized_numpy(h, w, (1, 1), d, theta), "shares of the picture"),
    (row_by_height, "row by the height"),
    (row_by_height_as_floats, "row by the height"),
    (column_by_height, "column by the height"),
    (column_by_height_as_floats, "column by the height"),
    (divided_by_height, "height and width exchanged"),
    (down_the_columns, "patches column by column"),
]

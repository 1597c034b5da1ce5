"""rotate_patches (chapter 07): answers in many styles, right and wrong ones."""

import numpy as np
import torch

import pe_lib


def angles(height, width, dim, theta):
    n = torch.arange(height * width, dtype=torch.float64)[:, None]
    frequencies = theta ** (-torch.arange(dim // 4, dtype=torch.float64) / (dim // 4))
    return torch.cat((n % width * frequencies, n.div(width).floor() * frequencies), dim=1)


def rotate_pe_lib(x, height, width, theta=10000.0):
    cos, sin = pe_lib.axial_rotary_cos_sin(height, width, x.shape[-1], theta)
    return pe_lib.apply_rotary(x, cos, sin)


def rotate_halves(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta).repeat(1, 2)
    a, b = x.chunk(2, dim=-1)
    return x * table.cos() + torch.cat((-b, a), dim=-1) * table.sin()


def rotate_complex(x, height, width, theta=10000.0):
    a, b = x.chunk(2, dim=-1)
    turn = torch.exp(1j * angles(height, width, x.shape[-1], theta))
    turned = torch.complex(a, b) * turn
    return torch.cat((turned.real, turned.imag), dim=-1)


def rotate_numpy32(x, height, width, theta=10000.0):
    x = x.numpy().astype(np.float32)
    y, column = np.indices((height, width)).reshape(2, -1, 1)
    dim = x.shape[-1]
    frequencies = theta ** (-2 * np.arange(dim // 4) / (dim // 2))
    table = np.concatenate((column * frequencies, y * frequencies), axis=1)
    a, b = x[..., : dim // 2], x[..., dim // 2 :]
    c, s = np.cos(table), np.sin(table)
    return np.concatenate((a * c - b * s, a * s + b * c), axis=2)


def rotate_loops(x, height, width, theta=10000.0):
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


def each_half_alone(x, height, width, theta=10000.0):
    n, dim = torch.arange(height * width), x.shape[-1]
    by_column = pe_lib.rotary_cos_sin(n % width, dim // 2, theta)
    by_row = pe_lib.rotary_cos_sin(n // width, dim // 2, theta)
    left, right = x[..., : dim // 2], x[..., dim // 2 :]
    left, right = pe_lib.apply_rotary(left, *by_column), pe_lib.apply_rotary(right, *by_row)
    return torch.cat((left, right), dim=-1)


def as_gptj(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta)
    a, b = x[..., 0::2], x[..., 1::2]
    c, s = table.cos(), table.sin()
    return torch.stack((a * c - b * s, b * c + a * s), dim=-1).flatten(-2)


def mixed(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta)
    table = torch.cat((table, table), dim=-1)
    turned = torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)
    return x * table.cos() + turned * table.sin()


def mixed_the_other_way(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta).repeat_interleave(2, dim=1)
    a, b = x.chunk(2, dim=-1)
    return x * table.cos() + torch.cat((-b, a), dim=-1) * table.sin()


def viewed(x, height, width, theta=10000.0):
    """To put the patches first; but a view is no transposition."""
    heads, seq, dim = x.shape
    table = angles(height, width, dim, theta)[:, None]
    a, b = x.view(seq, heads, dim).chunk(2, dim=-1)
    c, s = table.cos(), table.sin()
    return torch.cat((a * c - b * s, b * c + a * s), dim=-1).view(heads, seq, dim)


def minus_at_the_other_half(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta).repeat(1, 2)
    a, b = x.chunk(2, dim=-1)
    return x * table.cos() + torch.cat((b, -a), dim=-1) * table.sin()


def no_minus(x, height, width, theta=10000.0):
    c, s = (f(angles(height, width, x.shape[-1], theta)) for f in (torch.cos, torch.sin))
    a, b = x.chunk(2, dim=-1)
    return torch.cat((a * c + b * s, b * c + a * s), dim=-1)


def line(x, height, width, theta=10000.0):
    return pe_lib.apply_rotary(x, *pe_lib.rotary_cos_sin(height * width, x.shape[-1], theta))


def square_table(x, height, width, theta=10000.0):
    return pe_lib.apply_rotary(x, *pe_lib.axial_rotary_cos_sin(width, height, x.shape[-1], theta))


def no_theta(x, height, width, theta=10000.0):
    return pe_lib.apply_rotary(x, *pe_lib.axial_rotary_cos_sin(height, width, x.shape[-1]))


def y_first(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta).roll(x.shape[-1] // 4, dims=1)
    return pe_lib.apply_rotary(x, table.cos(), table.sin())


def in_place(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta)
    return pe_lib.apply_rotary(x, table.cos(), table.sin(), out=x)


def by(x, columns, rows, theta):
    """Turned by these columns and rows."""
    axis = x.shape[-1] // 2
    table = [torch.outer(n, pe_lib.inverse_frequencies(axis, theta)) for n in (columns, rows)]
    table = torch.cat(table, dim=1)
    return pe_lib.apply_rotary(x, table.cos(), table.sin())


def row_by_height(x, height, width, theta=10000.0):
    n = torch.arange(height * width)
    return by(x, n % width, n // height, theta)


def row_by_height_as_floats(x, height, width, theta=10000.0):
    n = torch.arange(height * width).float()
    return by(x.float(), n % width, (n / height).floor(), theta)


def column_by_height(x, height, width, theta=10000.0):
    n = torch.arange(height * width)
    return by(x, n % height, n // width, theta)


def column_by_height_as_floats(x, height, width, theta=10000.0):
    n = torch.arange(height * width).float()
    return by(x.float(), n % height, (n / width).floor(), theta)


def forgot_to_floor(x, height, width, theta=10000.0):
    n = torch.arange(height * width)
    return by(x, n % width, n / width, theta)


def down_the_columns(x, height, width, theta=10000.0):
    columns = torch.arange(width).repeat_interleave(height)
    return by(x, columns, torch.arange(height).repeat(width), theta)


def overwritten(x, height, width, theta=10000.0):
    """The first half of the pair is turned when the second asks for it."""
    table, result, half = angles(height, width, x.shape[-1], theta), x.clone(), x.shape[-1] // 2
    a, b = result[..., :half], result[..., half:]
    a[:] = a * table.cos() - b * table.sin()
    b[:] = b * table.cos() + a * table.sin()
    return result


def stacked(x, height, width, theta=10000.0):
    a, b = rotate_pe_lib(x, height, width, theta).chunk(2, dim=-1)
    return torch.stack((a, b), dim=-1).reshape(x.shape)


def neighbours_to_halves(x, height, width, theta=10000.0):
    table = angles(height, width, x.shape[-1], theta)
    a, b = x[..., 0::2], x[..., 1::2]
    c, s = table.cos(), table.sin()
    return torch.cat((a * c - b * s, b * c + a * s), dim=-1)


RIGHT = [rotate_pe_lib, rotate_halves, rotate_complex, rotate_numpy32, rotate_loops]
WRONG = [
    (each_half_alone, "pairs inside each half"),
    (as_gptj, "neighbours as pairs"),
    (mixed, "halves table for neighbours"),
    (mixed_the_other_way, "neighbours table for halves"),
    (viewed, "reshaped for transposed"),
    (minus_at_the_other_half, "turned the other way"),
    (no_minus, "minus sign forgotten"),
    (line, "number of the patch"),
    (square_table, "height and width exchanged"),
    (no_theta, "theta ignored"),
    (y_first, "row first"),
    (in_place, "changed in place"),
    (row_by_height, "row by the height"),
    (row_by_height_as_floats, "row by the height"),
    (column_by_height, "column by the height"),
    (column_by_height_as_floats, "column by the height"),
    (forgot_to_floor, "row not whole"),
    (down_the_columns, "patches column by column"),
    (overwritten, "partner already turned"),
    (stacked, "halves put back as neighbours"),
    (neighbours_to_halves, "neighbours put back as halves"),
]

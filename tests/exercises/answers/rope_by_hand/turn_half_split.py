"""Answers: turning a whole vector, half-split."""

import cmath
import math

import numpy as np
import torch

import pe_lib
from tests.exercises.answers.rope_by_hand.rotary_angles import angles_numpy, angles_torch

# --- right ----------------------------------------------------------------------------------------


def halves_torch(x, position):
    half = x.shape[0] // 2
    angle = angles_torch(position, len(x))
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.cat([x[:half] * cos - x[half:] * sin, x[half:] * cos + x[:half] * sin])


def halves_rotate_half(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_numpy(x, position):
    a, b = np.split(x.numpy(), 2)
    angle = angles_numpy(position, len(x))
    return np.r_[a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)]


def halves_loop(x, position):
    out = torch.zeros_like(x)
    half = len(x) // 2
    for i in range(half):
        angle = position / 10000 ** (2 * i / len(x))
        out[i] = x[i] * math.cos(angle) - x[i + half] * math.sin(angle)
        out[i + half] = x[i] * math.sin(angle) + x[i + half] * math.cos(angle)
    return out


def halves_complex(x, position):
    a, b = x.chunk(2)
    turned = torch.complex(a, b) * torch.exp(1j * angles_torch(position, len(x)))
    return torch.cat([turned.real, turned.imag])


def halves_matrix(x, position):
    dim = len(x)
    turn = np.eye(dim)
    for i, angle in enumerate(angles_numpy(position, dim)):
        here = np.ix_([i, i + dim // 2], [i, i + dim // 2])
        turn[here] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return turn @ x.numpy()


def halves_library(x, position):
    tables = pe_lib.rotary_cos_sin(torch.tensor([position]), len(x), dtype=x.dtype)
    return pe_lib.apply_rotary(x[None], *tables)[0]


# --- wrong ----------------------------------------------------------------------------------------


def halves_of_neighbours(x, position):
    out = torch.zeros_like(x)
    angle = angles_torch(position, len(x))
    out[0::2] = x[0::2] * angle.cos() - x[1::2] * angle.sin()
    out[1::2] = x[0::2] * angle.sin() + x[1::2] * angle.cos()
    return out


def halves_stacked_flat(x, position):
    a, b = np.split(x.numpy(), 2)
    z = (a + 1j * b) * np.exp(1j * angles_numpy(position, len(x)))
    return np.stack([z.real, z.imag], axis=-1).ravel()


def halves_picked_by_two(x, position):
    z = torch.view_as_complex(x.view(-1, 2)) * torch.exp(1j * angles_torch(position, len(x)))
    return torch.cat([z.real, z.imag])


def halves_repeat_interleave(x, position):
    angle = angles_torch(position, len(x)).repeat_interleave(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_quarter_of_neighbours(x, position):
    angle = np.tile(angles_numpy(position, len(x)), 2)
    quarter = np.ravel([-x.numpy()[1::2], x.numpy()[::2]], order="F")
    return x.numpy() * np.cos(angle) + quarter * np.sin(angle)


def halves_six_angles(x, position):
    angle = position / 10000 ** (torch.arange(len(x)) / len(x))
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x2, x1)) * angle.sin()


def halves_sizes_do_not_match(x, position):
    angle = position / 10000 ** (torch.arange(len(x)) / len(x))
    a, b = x.chunk(2)
    return torch.cat([a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()])


def halves_not_exchanged(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((-x1, x2)) * angle.sin()


def halves_quarter_backwards(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    x1, x2 = x.chunk(2)
    return x * angle.cos() + torch.cat((x2, -x1)) * angle.sin()


def halves_vector_times_matrix(x, position):
    dim = len(x)
    turn = np.stack([halves_numpy(row, position) for row in torch.eye(dim).double()], axis=1)
    return x.numpy() @ turn


def halves_rolled(x, position):
    angle = angles_torch(position, len(x)).repeat(2)
    return x * angle.cos() + x.roll(len(x) // 2) * angle.sin()


def halves_in_place(x, position):
    a, b = x.chunk(2)
    angle = angles_torch(position, len(x))
    x[: len(a)] = a * angle.cos() - b * angle.sin()
    x[len(a) :] = a * angle.sin() + b * angle.cos()
    return x


def halves_loop_in_place(x, position):
    x = x.numpy().copy()
    half = len(x) // 2
    for i in range(half):
        angle = position / 10000 ** (2 * i / len(x))
        x[i] = x[i] * np.cos(angle) - x[i + half] * np.sin(angle)
        x[i + half] = x[i] * np.sin(angle) + x[i + half] * np.cos(angle)
    return x


def halves_as_in_the_long_example(x, position):
    """x cos is made for the first number of a pair only."""
    a, b = x.chunk(2)
    angle = angles_torch(position, len(x))
    return torch.cat([a * angle.cos(), 0 * b]) + torch.cat([-b, a]) * angle.sin().repeat(2)


def halves_cosine_and_sine_alike(x, position):
    a, b = x.chunk(2)
    cos, sin = (f(angles_torch(position, len(x))) for f in (torch.cos, torch.sin))
    return torch.cat([a * cos - b * sin, b * sin + a * cos])


def halves_one_angle(x, position):
    a, b = x.chunk(2)
    z = torch.complex(a, b) * cmath.exp(1j * position)
    return torch.cat([z.real, z.imag])


def halves_table_of_half_dim(x, position):
    half = len(x) // 2
    z = torch.complex(*x.chunk(2)) * torch.exp(
        1j * position * 1e4 ** (-2 * torch.arange(half) / half)
    )
    return torch.cat([z.real, z.imag])


def halves_turned_and_written_back(x, position):
    x.copy_(halves_torch(x, position))
    return x


RIGHT = [
    halves_torch,
    halves_rotate_half,
    halves_numpy,
    halves_loop,
    halves_complex,
    halves_matrix,
    halves_library,
]
WRONG = [
    (halves_of_neighbours, "interleaved layout"),
    (halves_stacked_flat, "laid out alternately"),
    (halves_picked_by_two, "picked alternately"),
    (halves_repeat_interleave, "tables of the other layout"),
    (halves_quarter_of_neighbours, "quarter turn of the other layout"),
    (halves_six_angles, "an angle for every feature"),
    (halves_sizes_do_not_match, "six frequencies"),
    (halves_not_exchanged, "each half with itself"),
    (halves_quarter_backwards, "turned backwards"),
    (halves_vector_times_matrix, "turned backwards"),
    (halves_rolled, "minus sign missing"),
    (halves_in_place, "new half used too early"),
    (halves_loop_in_place, "new half used too early"),
    (halves_as_in_the_long_example, "one cosine forgotten"),
    (halves_cosine_and_sine_alike, "sine and cosine swapped in the second half"),
    (halves_one_angle, "one angle for all pairs"),
    (halves_table_of_half_dim, "exponent with its 2 twice"),
    (halves_turned_and_written_back, "changed in place"),
]

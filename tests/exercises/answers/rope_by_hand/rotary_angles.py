"""Answers: the angle of every pair."""

import math

import numpy as np
import torch

import pe_lib

# --- right ----------------------------------------------------------------------------------------


def angles_torch(position, dim):
    pair = torch.arange(dim // 2)
    return position * 10000.0 ** (-2 * pair / dim)


def angles_numpy(position, dim):
    return position / 10_000 ** (np.arange(0, dim, 2) / dim)


def angles_loop(position, dim):
    return torch.tensor([position * 10000 ** (-2 * i / dim) for i in range(dim // 2)])


def angles_by_exp(position, dim):
    return position * torch.exp(torch.arange(0, dim, 2) * -(math.log(10000) / dim))


def angles_linspace(position, dim):
    return position * torch.logspace(0, -4, dim // 2 + 1)[:-1]


def angles_library(position, dim):
    return pe_lib.inverse_frequencies(dim) * position


# --- wrong ----------------------------------------------------------------------------------------


def angles_for_six(position, dim):
    return np.array([position / 10000 ** (i / dim) for i in range(dim)])


def angles_full_table(position, dim):
    column = np.arange(dim)
    return position / 10000 ** (2 * (column // 2) / dim)


def angles_concatenated(position, dim):
    angle = angles_torch(position, dim)
    return torch.cat([angle, angle])


def angles_pair_number_only(position, dim):
    return position * 10000 ** -(np.arange(dim // 2) / dim)


def angles_even_and_doubled(position, dim):
    return position * 10000 ** (-2 * torch.arange(0, dim, 2) / dim)


def angles_linspace_with_end(position, dim):
    return position / 10000 ** np.linspace(0, 1, dim // 2)


def angles_divided_twice(position, dim):
    return position / 10000 ** (-2 * torch.arange(dim // 2) / dim)


def angles_as_on_paper(position, dim):
    return position * 10000 ** (-2 * torch.arange(1, dim // 2 + 1) / dim)


def angles_backwards(position, dim):
    return position * 10000 ** (2.0 * torch.arange(1 - dim // 2, 1) / dim)


def angles_whole_division(position, dim):
    return position * 10000 ** -(2.0 * (torch.arange(dim // 2) // dim))


def angles_exp_without_log(position, dim):
    return position * np.exp(-np.arange(0, dim, 2) / dim)


def angles_no_brackets(position, dim):
    return position * 10000.0 ** -np.arange(0, dim, 2) / dim


def angles_next_token(position, dim):
    return angles_torch(position + 1, dim)


def angles_radians_of_degrees(position, dim):
    return np.radians(angles_numpy(position, dim))


def angles_bare(position, dim):
    return 1 / 10000 ** (np.arange(0, dim, 2) / dim)


def angles_by_wavelength(position, dim):
    return position / pe_lib.wavelengths(dim)


def angles_around_the_clock(position, dim):
    return torch.remainder(angles_torch(position, dim).double(), 2 * math.pi)


RIGHT = [
    angles_torch,
    angles_numpy,
    angles_loop,
    angles_by_exp,
    angles_linspace,
    angles_library,
]
WRONG = [
    (angles_for_six, "six frequencies"),
    (angles_full_table, "every angle twice in a row"),
    (angles_concatenated, "every angle twice"),
    (angles_pair_number_only, "exponent without its 2"),
    (angles_even_and_doubled, "exponent with its 2 twice"),
    (angles_linspace_with_end, "last pair at the base"),
    (angles_divided_twice, "sign of the exponent"),
    (angles_as_on_paper, "pairs counted from 1"),
    (angles_backwards, "slowest pair first"),
    (angles_whole_division, "one angle for all pairs"),
    (angles_exp_without_log, "natural exponential"),
    (angles_no_brackets, "exponent not divided"),
    (lambda p, d: p / 1000 ** (np.arange(0, d, 2) / d), "base ten times too small"),
    (lambda p, d: p / 100_000 ** (np.arange(0, d, 2) / d), "base ten times too large"),
    (angles_next_token, "positions from 1"),
    (angles_radians_of_degrees, "taken for degrees"),
    (angles_bare, "position forgotten"),
    (angles_by_wavelength, "turns instead of radians"),
    (angles_around_the_clock, "full turns taken away"),
]

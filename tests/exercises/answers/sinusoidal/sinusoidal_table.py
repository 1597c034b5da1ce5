"""sinusoidal_table (chapter 02): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch

from tests.exercises.answers.sinusoidal._common import table_numpy, table_torch


def table_complex(length, dim):
    turns = torch.polar(
        torch.ones(length, dim // 2, dtype=torch.float64),
        torch.outer(torch.arange(length), 10000 ** -(torch.arange(0, dim, 2) / dim)).double(),
    )
    return torch.view_as_real(turns).flip(-1).flatten(1)


def table_loops(length, dim):
    pe = torch.empty(length, dim, dtype=torch.float64)
    for p in range(length):
        for c in range(dim):
            angle = p / 10000 ** ((c - c % 2) / dim)
            pe[p, c] = math.cos(angle) if c % 2 else math.sin(angle)
    return pe


def columns_all_alike(length, dim):
    pe = np.zeros((length, dim))
    for p in range(length):
        for i in range(0, dim, 2):
            pe[p, i] = np.sin(p / 10000 ** (2 * i / dim))
            pe[p, i + 1] = np.cos(p / 10000 ** (2 * (i + 1) / dim))
    return pe


def from_one(length, dim):
    return table_numpy(length + 1, dim)[1:].astype(np.float32)


def wrong_sign(length, dim):
    position = torch.arange(length)[:, None]
    div_term = torch.exp(torch.arange(0, dim, 2) * (math.log(10000.0) / dim))
    return torch.stack([torch.sin(position * div_term), torch.cos(position * div_term)], 2).flatten(
        1
    )


def spread_to_the_end(length, dim):
    angles = np.arange(length)[:, None] / np.logspace(0, 4, dim // 2)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(length, dim)


def without_the_logarithm(length, dim):
    angles = torch.outer(torch.arange(length), torch.exp(-torch.arange(0, dim, 2) / dim))
    pe = torch.zeros(length, dim)
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles.cos()
    return pe


RIGHT = [table_torch, table_numpy, table_complex, table_loops]
WRONG = [
    (columns_all_alike, "column as pair index"),
    (from_one, "positions from 1"),
    (wrong_sign, "sign of the exponent"),
    (spread_to_the_end, "last pair at the base"),
    (without_the_logarithm, "natural exponential"),
]

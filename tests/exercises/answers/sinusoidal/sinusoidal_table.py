"""sinusoidal_table (chapter 02): answers in many styles, right and wrong ones."""

import math

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


def wrong_sign(length, dim):
    position = torch.arange(length)[:, None]
    div_term = torch.exp(torch.arange(0, dim, 2) * (math.log(10000.0) / dim))
    return torch.stack([torch.sin(position * div_term), torch.cos(position * div_term)], 2).flatten(
        1
    )


RIGHT = [table_torch, table_numpy, table_complex, table_loops]
WRONG = [
    (wrong_sign, "sign of the exponent"),
]

"""Answers: the angle of every pair."""

import math

import numpy as np
import torch

import pe_lib


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


RIGHT = [
    angles_torch,
    angles_numpy,
    angles_loop,
    angles_by_exp,
    angles_linspace,
    angles_library,
]

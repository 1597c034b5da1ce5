"""rotate (chapter 00): answers in many styles, right and wrong ones."""

import math

import torch

import pe_lib
from tests.exercises.answers.warm_up._common import rotate_complex, rotate_matrix


def rotate_stack(x, angle):
    angle = torch.tensor(angle)
    across, up = x.unbind(-1)
    return torch.stack(
        (across * angle.cos() - up * angle.sin(), across * angle.sin() + up * angle.cos()), -1
    )


def rotate_library(x, angle):
    positions = torch.full((len(x),), angle)
    return pe_lib.apply_rotary(x, *pe_lib.rotary_cos_sin(positions, 2, dtype=x.dtype))


def rotate_rows_by_matrix(x, angle):
    """The chapter's own matrix: there, numbers are float64."""
    c, s = math.cos(angle), math.sin(angle)
    return x @ torch.tensor([[c, -s], [s, c]], dtype=torch.float64).mT


def rotate_in_place(x, angle):
    x = x.clone()
    x[:, 0] = x[:, 0] * math.cos(angle) - x[:, 1] * math.sin(angle)
    x[:, 1] = x[:, 0] * math.sin(angle) + x[:, 1] * math.cos(angle)
    return x


def rows_times_matrix(x, angle):
    c, s = math.cos(angle), math.sin(angle)
    return x @ torch.tensor([[c, -s], [s, c]], dtype=x.dtype)


def turned_as_on_paper(x, angle):
    c, s = math.cos(angle), math.sin(angle)
    return torch.stack([x[:, 0] * c - x[:, 1] * s, x[:, 0] * s], dim=-1)


def turned_in_place(x, angle):
    x[:] = rotate_stack(x, angle)
    return x


RIGHT = [rotate_stack, rotate_matrix, rotate_complex, rotate_library, rotate_rows_by_matrix]
WRONG = [
    (rotate_in_place, "new number used too early"),
    (rows_times_matrix, "turned backwards"),
    (turned_as_on_paper, "one cosine forgotten"),
    (turned_in_place, "changed in place"),
]

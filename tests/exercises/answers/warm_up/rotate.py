"""rotate (chapter 00): answers in many styles."""

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


RIGHT = [rotate_stack, rotate_matrix, rotate_complex, rotate_library, rotate_rows_by_matrix]

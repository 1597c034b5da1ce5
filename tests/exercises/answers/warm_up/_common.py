"""Chapter 00: what answers to several exercises share."""

import cmath

import numpy as np
import torch


def rotate_matrix(x, angle):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return (turn @ x.numpy().T).T.astype(np.float32)


def rotate_complex(x, angle):
    turned = torch.view_as_complex(x) * cmath.exp(1j * angle)
    return torch.view_as_real(turned)

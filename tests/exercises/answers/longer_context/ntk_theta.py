"""ntk_theta (chapter 06): answers in many styles."""

import numpy as np
import torch


def theta_python(theta, factor, dim):
    return theta * factor ** (dim / (dim - 2))


def theta_from_the_last_pair(theta, factor, dim):
    """The base whose last frequency is the old one, divided by the factor."""
    last = theta ** (-(dim - 2) / dim) / factor
    return last ** (-dim / (dim - 2))


def theta_pairs(theta, factor, dim):
    pairs = dim // 2
    return torch.tensor(theta) * torch.tensor(factor) ** (pairs / (pairs - 1))


def theta_logarithms(theta, factor, dim):
    return np.exp(np.log(theta) + np.log(factor) / (1 - 2 / dim))


RIGHT = [theta_python, theta_from_the_last_pair, theta_pairs, theta_logarithms]

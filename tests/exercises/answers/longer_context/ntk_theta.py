"""ntk_theta (chapter 06): answers in many styles, right and wrong ones."""

import math

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


def pairs_wrongly(theta, factor, dim):
    pairs = dim // 2
    return theta * torch.tensor(factor) ** (torch.tensor(float(pairs)) / (pairs - 2))


RIGHT = [theta_python, theta_from_the_last_pair, theta_pairs, theta_logarithms]
WRONG = [
    (lambda t, s, d: t * s, "times the factor"),
    (lambda t, s, d: t, "unchanged"),
    (lambda t, s, d: t + s ** (d / (d - 2)), "factor added"),
    (lambda t, s, d: t * s ** -(d / (d - 2)), "divided"),
    (lambda t, s, d: t * s ** (1 - 2 / d), "exponent upside down"),
    (lambda t, s, d: t * s**d, "exponent of all features"),
    (lambda t, s, d: t * s ** (d // 2), "exponent of half the features"),
    (pairs_wrongly, "pairs for features"),
    (lambda t, s, d: t * s ** (d / (d - 1)), "one feature left out"),
    (lambda t, s, d: t * s ** (d / (d + 2)), "one pair too many"),
    (lambda t, s, d: t * s ** (d // (d - 2)), "exponent rounded"),
    (lambda t, s, d: t * s ** (2 / (d - 2)), "exponent without the whole"),
    (lambda t, s, d: t * s * (d / (d - 2)), "product rather than power"),
    (lambda t, s, d: (t * s) ** (d / (d - 2)), "exponent of the product"),
    (lambda t, s, d: t * s**d / (d - 2), "power before the division"),
    (lambda t, s, d: s * t ** (d / (d - 2)), "exponent of theta"),
    (lambda t, s, d: 2 * math.pi * theta_python(t, s, d), "factor times the circle"),
    (lambda t, s, d: s ** (d / (d - 2)), "only the change"),
]

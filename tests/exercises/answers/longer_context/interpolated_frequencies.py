"""interpolated_frequencies (chapter 06): answers in many styles, right and wrong ones."""

import numpy as np
import torch


def interpolated_torch(dim, theta, factor):
    return theta ** (-torch.arange(0, dim, 2) / dim) / factor


def interpolated_numpy(dim, theta, factor):
    wavelengths = 2 * np.pi * theta ** (2 * np.arange(dim // 2) / dim)
    return 2 * np.pi / (factor * wavelengths)


def interpolated_loop(dim, theta, factor):
    return torch.tensor([1 / (factor * theta ** (2 * i / dim)) for i in range(dim // 2)])


def interpolated_positions(dim, theta, factor):
    """The angles of position 1, squeezed."""
    positions = torch.arange(2.0) / factor
    return torch.outer(positions, theta ** (-torch.arange(0, dim, 2) / dim))[1]


def frequencies(dim, theta):
    return theta ** (-np.arange(0, dim, 2) / dim)


def keep_first(dim, theta, factor):
    f = interpolated_numpy(dim, theta, factor)
    f[0] = 1
    return f


def slow_half(dim, theta, factor):
    f = torch.tensor(frequencies(dim, theta))
    f[dim // 4 :] /= factor
    return f


RIGHT = [interpolated_torch, interpolated_numpy, interpolated_loop, interpolated_positions]
WRONG = [
    (lambda d, t, s: frequencies(d, t) * s, "multiplied"),
    (lambda d, t, s: frequencies(d, t), "unchanged"),
    (lambda d, t, s: interpolated_torch(d, t, s) / s, "divided twice"),
    (lambda d, t, s: frequencies(d, t) / s**0.5, "root of the factor"),
    (lambda d, t, s: frequencies(d, t) - 1 + 1 / s, "taken off"),
    (lambda d, t, s: frequencies(d, t) / (s + 1), "one more than the factor"),
    (keep_first, "first pair kept"),
    (slow_half, "slow half alone"),
    (lambda d, t, s: frequencies(d, t * s ** (d / (d - 2))), "ntk for interpolation"),
    (lambda d, t, s: frequencies(d, t * s), "theta multiplied"),
    (lambda d, t, s: frequencies(d, t / s), "theta divided"),
    (lambda d, t, s: t ** (-np.arange(0, d, 2) / d * s), "exponent multiplied"),
    (lambda d, t, s: t ** (-torch.arange(0, d, 2) / d / s), "exponent divided"),
    (lambda d, t, s: t ** (-np.arange(d // 2) / d) / s, "exponent without 2"),
    (lambda d, t, s: t ** (-2 * np.arange(d // 2) / (d // 2)) / s, "exponent over pairs"),
    (lambda d, t, s: t ** (torch.arange(0, d, 2) / d) / s, "positive exponent"),
    (lambda d, t, s: 2 * np.pi * s / frequencies(d, t), "wavelengths given"),
    (lambda d, t, s: frequencies(d, t) / s / 2 / np.pi, "turns given"),
    (lambda d, t, s: interpolated_loop(d, 1e4, s), "theta ignored"),
    (lambda *a: interpolated_torch(*a).repeat(2), "a frequency for every feature"),
    (lambda *a: np.repeat(interpolated_numpy(*a), 2), "every frequency twice"),
]

"""yarn_frequencies (chapter 06): answers in many styles."""

import math

import numpy as np
import torch


def pair_of(turns, dim, theta, original):
    return dim * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(theta))


def yarn_published(dim, theta, factor, original, fast, slow):
    """As the authors have it, in float32."""
    frequencies = theta ** (torch.arange(0, dim, 2).float() / dim)
    low = max(math.floor(pair_of(fast, dim, theta, original)), 0)
    high = min(math.ceil(pair_of(slow, dim, theta, original)), dim - 1)
    ramp = ((torch.arange(dim // 2) - low) / (high - low)).clamp(0, 1)
    return (1 / frequencies) * (1 - ramp) + 1 / (factor * frequencies) * ramp


def yarn_numpy(dim, theta, factor, original, fast, slow):
    bounds = np.log(original / (2 * np.pi * np.array([fast, slow]))) / np.log(theta) * dim / 2
    ends = max(np.floor(bounds[0]), 0), np.ceil(bounds[1])
    pairs = np.arange(dim // 2)
    return theta ** (-2 * pairs / dim) * np.interp(pairs, ends, [1, 1 / factor])


def yarn_loop(dim, theta, factor, original, fast, slow):
    low = max(math.floor(pair_of(fast, dim, theta, original)), 0)
    high = math.ceil(pair_of(slow, dim, theta, original))
    found = []
    for pair in range(dim // 2):
        frequency = theta ** (-2 * pair / dim)
        if pair >= high:
            found.append(frequency / factor)
        elif pair <= low:
            found.append(frequency)
        else:
            slowed = (pair - low) / (high - low)
            found.append((1 - slowed) * frequency + slowed * frequency / factor)
    return torch.tensor(found)


def yarn_from_wavelengths(dim, theta, factor, original, fast, slow):
    """The bounds found among the pairs, not by a logarithm."""
    pairs = np.arange(dim // 2)
    turns = original / (2 * np.pi) * theta ** (-2 * np.arange(-dim, 2 * dim) / dim)
    low = max(np.arange(-dim, 2 * dim)[turns >= fast].max(), 0)
    high = np.arange(-dim, 2 * dim)[turns <= slow].min()
    slowed = np.clip((pairs - low) / (high - low), 0, 1)
    return theta ** (-2 * pairs / dim) * (1 - slowed + slowed / factor)


RIGHT = [yarn_published, yarn_numpy, yarn_loop, yarn_from_wavelengths]

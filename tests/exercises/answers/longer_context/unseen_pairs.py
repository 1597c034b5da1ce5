"""unseen_pairs (chapter 06): answers in many styles."""

import math

import numpy as np
import torch


def unseen_torch(trained, context, dim, theta):
    turns = trained * theta ** (-torch.arange(0, dim, 2) / dim) / (2 * torch.pi)
    return torch.nonzero((turns < 1) & (context > trained)).flatten()


def unseen_numpy(trained, context, dim, theta):
    angles = trained / theta ** (2 * np.arange(dim // 2) / dim)
    unseen = angles < 2 * np.pi
    return np.flatnonzero(unseen) if context > trained else np.array([])


def unseen_loop(trained, context, dim, theta):
    """Position by position: is there an angle beyond the largest that training showed?"""
    found = []
    for pair in range(dim // 2):
        frequency = theta ** (-2 * pair / dim)
        largest = (trained - 1) * frequency
        if context > trained and largest < trained * frequency < 2 * math.pi:
            found.append(pair)
    return torch.tensor(found)


def unseen_from_the_first(trained, context, dim, theta):
    """The first that does not turn, and all after it."""
    if context <= trained:
        return torch.arange(0)
    first = math.ceil(dim / 2 * math.log(trained / (2 * math.pi), theta))
    return torch.arange(dim // 2)[max(first, 0) :]


RIGHT = [unseen_torch, unseen_numpy, unseen_loop, unseen_from_the_first]

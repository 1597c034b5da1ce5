"""ntk_factor (chapter 06): answers in many styles."""

import math

import numpy as np
import torch


def factor_loop(trained, dim, theta, ratio):
    pair = 0
    while 2 * math.pi * theta ** (2 * pair / dim) <= trained:
        pair += 1
    return ratio ** ((dim - 2) / (2 * pair))


def factor_numpy(trained, dim, theta, ratio):
    turns = trained * theta ** (-np.arange(0, dim, 2) / dim) / (2 * np.pi)
    pair = np.argmax(turns < 1)
    return ratio ** ((dim / 2 - 1) / pair)


def factor_logarithm(trained, dim, theta, ratio):
    """The first whole number above the place where a turn takes as long as the training."""
    pair = math.ceil(dim / 2 * math.log(trained / (2 * math.pi)) / math.log(theta))
    return math.exp(math.log(ratio) * (dim - 2) / (2 * pair))


def factor_torch(trained, dim, theta, ratio):
    wavelengths = 2 * torch.pi * theta ** (torch.arange(0, dim, 2) / dim)
    pair = torch.nonzero(wavelengths > trained)[0].item()
    return torch.tensor(ratio) ** ((dim - 2) / (2 * pair))


RIGHT = [factor_loop, factor_numpy, factor_logarithm, factor_torch]

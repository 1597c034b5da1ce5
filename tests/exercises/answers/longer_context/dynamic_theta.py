"""dynamic_theta (chapter 06): answers in many styles."""

import numpy as np
import torch


def base(factor, dim, theta):
    return theta * factor ** (dim / (dim - 2))


def dynamic_python(length, original, dim, theta, factor):
    longer = max(length, original) / original
    return base(factor * longer - (factor - 1), dim, theta)


def dynamic_if(length, original, dim, theta, factor):
    if length <= original:
        return theta
    return base(1 + factor * (length - original) / original, dim, theta)


def dynamic_torch(length, original, dim, theta, factor):
    longer = torch.tensor(length / original).clamp(min=1)
    return theta * (factor * longer - factor + 1) ** (dim / (dim - 2))


def dynamic_numpy(length, original, dim, theta, factor):
    """The floor under the factor, not under the length."""
    return base(np.maximum(1, factor * length / original - (factor - 1)), dim, theta)


RIGHT = [dynamic_python, dynamic_if, dynamic_torch, dynamic_numpy]

"""dynamic_theta (chapter 06): answers in many styles, right and wrong ones."""

import math

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


def no_floor(length, original, dim, theta, factor):
    return base(factor * length / original - (factor - 1), dim, theta)


def nothing_taken_off(length, original, dim, theta, factor):
    return base(factor * max(length, original) / original, dim, theta)


def nothing_taken_off_if_longer(length, original, dim, theta, factor):
    if length <= original:
        return theta
    return base(factor * length / original, dim, theta)


def nothing_taken_off_nor_floored(length, original, dim, theta, factor):
    return base(factor * length / original, dim, theta)


def no_factor(length, original, dim, theta, factor):
    return base(max(1, length / original), dim, theta)


def no_factor_nor_floor(length, original, dim, theta, factor):
    return base(length / original, dim, theta)


def static(length, original, dim, theta, factor):
    return base(factor, dim, theta)


def static_if_longer(length, original, dim, theta, factor):
    return base(factor, dim, theta) if length > original else theta


def divided(length, original, dim, theta, factor):
    return base(max(1, length / original / factor), dim, theta)


def without_its_one(length, original, dim, theta, factor):
    return base(factor * (max(1, length / original) - 1), dim, theta)


def to_the_power(length, original, dim, theta, factor):
    return base(max(1, length / original) ** factor, dim, theta)


def integer_division(length, original, dim, theta, factor):
    return base(factor * max(1, length // original) - (factor - 1), dim, theta)


def qwen(length, original, dim, theta, factor):
    """As in Qwen's first code."""
    context = math.log(length / original, 2) + 1
    alpha = max(2 ** math.ceil(context) - 1, 1)
    return base(alpha, dim, theta)


def largest_position(length, original, dim, theta, factor):
    positions = torch.arange(length)
    return dynamic_python(positions.max().item(), original, dim, theta, factor)


def no_exponent(length, original, dim, theta, factor):
    return theta * (factor * max(1, length / original) - (factor - 1))


def upside_down(length, original, dim, theta, factor):
    return theta * (factor * max(1, length / original) - (factor - 1)) ** ((dim - 2) / dim)


def alone(length, original, dim, theta, factor):
    return factor * max(1, length / original) - (factor - 1)


def all_to_the_power(length, original, dim, theta, factor):
    return (theta * alone(length, original, dim, theta, factor)) ** (dim / (dim - 2))


RIGHT = [dynamic_python, dynamic_if, dynamic_torch, dynamic_numpy]
WRONG = [
    (no_floor, "short texts changed"),
    (nothing_taken_off, "jump at the trained length"),
    (nothing_taken_off_if_longer, "jump after the trained length"),
    (nothing_taken_off_nor_floored, "jump at any length"),
    (no_factor, "factor left out"),
    (no_factor_nor_floor, "factor and floor left out"),
    (static, "length ignored"),
    (static_if_longer, "whole factor for long texts"),
    (divided, "factor divides"),
    (without_its_one, "one forgotten"),
    (to_the_power, "factor as a power"),
    (integer_division, "whole multiples"),
    (qwen, "steps of doublings"),
    (largest_position, "last position for length"),
    (no_exponent, "exponent left out"),
    (upside_down, "exponent upside down"),
    (alone, "only the stretching"),
    (all_to_the_power, "inside the power"),
]

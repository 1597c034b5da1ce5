"""unseen_pairs (chapter 06): answers in many styles, right and wrong ones."""

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


def wavelengths_of(dim, theta):
    return 2 * np.pi * theta ** (np.arange(0, dim, 2) / dim)


def the_fast_ones(trained, context, dim, theta):
    seen = wavelengths_of(dim, theta) <= trained
    return np.flatnonzero(seen & (context > trained))


def the_fast_ones_always(trained, context, dim, theta):
    return np.flatnonzero(wavelengths_of(dim, theta) <= trained)


def never_looks_at_the_context(trained, context, dim, theta):
    return torch.nonzero(torch.tensor(wavelengths_of(dim, theta)) > trained).flatten()


def beyond_the_context(trained, context, dim, theta):
    return np.flatnonzero(wavelengths_of(dim, theta) > context)


def beyond_the_longer_context(trained, context, dim, theta):
    longer = wavelengths_of(dim, theta) > context
    return np.flatnonzero(longer & (context > trained))


def between_the_lengths(trained, context, dim, theta):
    turn = wavelengths_of(dim, theta)
    return np.flatnonzero((trained < turn) & (turn <= context))


def without_pi(trained, context, dim, theta):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    return np.flatnonzero((trained * frequencies < 1) & (context > trained))


def with_one_pi(trained, context, dim, theta):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    return np.flatnonzero((trained * frequencies < np.pi) & (context > trained))


def in_degrees(trained, context, dim, theta):
    frequencies = theta ** (-np.arange(0, dim, 2) / dim)
    return np.flatnonzero((trained * frequencies < 360) & (context > trained))


def forgot_the_2(trained, context, dim, theta):
    turn = 2 * np.pi * theta ** (np.arange(dim // 2) / dim)
    return np.flatnonzero((turn > trained) & (context > trained))


def over_the_pairs(trained, context, dim, theta):
    turn = 2 * np.pi * theta ** (2 * np.arange(dim // 2) / (dim // 2))
    return np.flatnonzero((turn > trained) & (context > trained))


def up_to_theta(trained, context, dim, theta):
    turn = 2 * np.pi * np.geomspace(1, theta, dim // 2)
    return np.flatnonzero((turn > trained) & (context > trained))


def mask(trained, context, dim, theta):
    return ((wavelengths_of(dim, theta) > trained) & (context > trained)).astype(int)


def mask_of_floats(trained, context, dim, theta):
    return torch.tensor(mask(trained, context, dim, theta)).float()


def argwhere(trained, context, dim, theta):
    return torch.tensor(mask(trained, context, dim, theta)).nonzero()


def wavelengths_themselves(trained, context, dim, theta):
    turn = wavelengths_of(dim, theta)
    return turn[(turn > trained) & (context > trained)]


RIGHT = [unseen_torch, unseen_numpy, unseen_loop, unseen_from_the_first]
WRONG = [
    (the_fast_ones, "pairs that have turned"),
    (the_fast_ones_always, "pairs that have turned in any text"),
    (never_looks_at_the_context, "texts no longer than training"),
    (beyond_the_context, "no turn within the context in any text"),
    (beyond_the_longer_context, "no turn within the context"),
    (between_the_lengths, "first turn within the context"),
    (lambda t, c, d, theta: unseen_numpy(c, t, d, theta), "trained and context exchanged"),
    (without_pi, "radians for turns"),
    (with_one_pi, "half a turn"),
    (in_degrees, "degrees for radians"),
    (lambda t, c, d, theta: unseen_torch(t, c, d, 1 / theta), "inverse turns"),
    (forgot_the_2, "exponent without 2"),
    (over_the_pairs, "exponent over pairs"),
    (up_to_theta, "theta reached"),
    (lambda t, c, d, theta: unseen_loop(t, c, d, 1e4), "theta ignored"),
    (mask, "ones and zeros"),
    (mask_of_floats, "ones and zeros"),
    (lambda *a: mask(*a).sum(), "how many"),
    (lambda *a: len(unseen_numpy(*a)), "how many"),
    (lambda *a: unseen_loop(*a) + 1, "counted from 1"),
    (lambda *a: unseen_numpy(*a) * 2, "first features"),
    (argwhere, "each in a row of its own"),
    (wavelengths_themselves, "their wavelengths"),
]

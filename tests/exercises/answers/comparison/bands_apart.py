"""bands_apart (chapter 09): answers in many styles, right and wrong ones."""

import numpy as np
import torch


def apart_torch(a, b):
    return (a.max() < b.min()) | (b.max() < a.min())


def apart_numpy(a, b):
    return np.maximum(a.numpy().min(), b.numpy().min()) > min(a.numpy().max(), b.numpy().max())


def apart_plain(a, b):
    a, b = a.tolist(), b.tolist()
    return max(a) < min(b) or max(b) < min(a)


def apart_all_pairs(a, b):
    """Every seed against every seed: always the same one wins."""
    wins = (a[:, None] - b[None, :]).sign()
    return bool((wins == 1).all() or (wins == -1).all())


def apart_sorted(a, b):
    lower, upper = sorted([sorted(a.tolist()), sorted(b.tolist())])
    return lower[-1] < upper[0]


def overlap(a, b):
    return a.min() <= b.max() and b.min() <= a.max()


def deviations(correction):
    def apart(a, b):
        a_std, b_std = a.std(correction=correction), b.std(correction=correction)
        below = a.mean() + a_std < b.mean() - b_std
        return below or b.mean() + b_std < a.mean() - a_std

    return apart


def mean_in_the_other(a, b):
    inside = b.min() <= a.mean() <= b.max() or a.min() <= b.mean() <= a.max()
    return not inside


def zipped(a, b):
    pairs = list(zip(a.tolist(), b.tolist(), strict=False))
    return all(x < y for x, y in pairs) or all(x > y for x, y in pairs)


def ends_of_b_in_a(a, b):
    a, b = a.numpy(), b.numpy()
    return not any(a.min() <= end <= a.max() for end in (b.min(), b.max()))


def both_ends(a, b):
    lower = a.min() < b.min() and a.max() < b.max()
    higher = a.min() > b.min() and a.max() > b.max()
    return lower or higher


RIGHT = [apart_torch, apart_numpy, apart_plain, apart_all_pairs, apart_sorted]
WRONG = [
    (lambda a, b: a.mean() != b.mean(), "means compared"),
    (lambda a, b: np.mean(a.numpy()) < np.mean(b.numpy()), "lower mean"),
    (deviations(0), "one standard deviation"),
    (mean_in_the_other, "means outside the other band"),
    (zipped, "seeds in pairs"),
    (overlap, "overlapping"),
    (lambda a, b: max(a) < min(b), "only a below b"),
    (lambda a, b: torch.all(b[:, None] < a), "only b below a"),
    (lambda a, b: a.max() <= b.min() or b.max() <= a.min(), "touching counts as apart"),
    (ends_of_b_in_a, "band inside the other"),
    (both_ends, "lower at both ends"),
]

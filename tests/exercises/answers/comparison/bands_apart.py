"""bands_apart (chapter 09): answers in many styles."""

import numpy as np


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


RIGHT = [apart_torch, apart_numpy, apart_plain, apart_all_pairs, apart_sorted]

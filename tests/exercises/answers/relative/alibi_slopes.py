"""alibi_slopes (chapter 08): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def slopes_by_itself(num_heads):
    """The extra slopes are those of twice as many heads, every other one."""
    below = 2 ** int(math.log2(num_heads))
    if below == num_heads:
        return 2.0 ** np.linspace(-8 / num_heads, -8, num_heads)
    halfway = slopes_by_itself(2 * below)[::2]
    return np.append(slopes_by_itself(below), halfway[: num_heads - below])


def slopes_torch(num_heads):
    below = 2 ** int(math.log2(num_heads))
    h = torch.arange(1, below + 1)
    extra = torch.arange(num_heads - below) + 0.5
    return 2.0 ** (-8 * torch.cat([h, extra]) / below)


def slopes_numpy(num_heads):
    below = 1
    while 2 * below <= num_heads:
        below *= 2
    own = np.geomspace(2 ** (-8 / below), 2.0**-8, below)
    extra = [2 ** (-(8 / below) * (h - 0.5)) for h in range(1, num_heads - below + 1)]
    return np.append(own, extra).astype(np.float32)


def slopes_ratio(num_heads):
    below = 2 ** (len(bin(num_heads)) - 3)
    ratio, slopes = 256 ** (-1 / below), []
    for head in range(num_heads):
        slopes.append(ratio ** (head + 1 if head < below else head - below + 0.5))
    return torch.tensor(slopes)


def counted_from_0(num_heads):
    return 2.0 ** (-8 * np.arange(num_heads) / num_heads)


def formula_of_the_paper(num_heads):
    return torch.tensor([2 ** (-8 * h / num_heads) for h in range(1, num_heads + 1)])


def larger_power_cut_off(num_heads):
    above = 2 ** math.ceil(math.log2(num_heads))
    return slopes_by_itself(above)[:num_heads]


def list_not_array(num_heads):
    return slopes_torch(num_heads).tolist()


def means_of_neighbours(num_heads):
    below = 2 ** int(math.log2(num_heads))
    own = slopes_by_itself(below)
    means = (np.append(1, own[:-1]) + own) / 2
    return np.append(own, means[: num_heads - below])


def odd_ones(num_heads):
    below = 2 ** int(math.log2(num_heads))
    double = slopes_by_itself(2 * below)
    return np.r_[slopes_by_itself(below), double[1::2][: num_heads - below]]


RIGHT = [slopes_by_itself, slopes_torch, slopes_numpy, slopes_ratio]
WRONG = [
    (counted_from_0, "first slope is 1 for every count"),
    (formula_of_the_paper, "one formula for every count"),
    (larger_power_cut_off, "next power of two cut off"),
    (list_not_array, None),
    (means_of_neighbours, "halfway in a straight line"),
    (odd_ones, "slopes repeated"),
    (lambda n: 2.0 ** -np.arange(1, n + 1), "halved from head to head"),
    (lambda n: 1 / slopes_torch(n), "positive exponent"),
    (lambda n: slopes_torch(n).sort(descending=True)[0], "sorted by size"),
    (lambda n: np.sort(slopes_numpy(n))[::-1], "sorted by size"),
]

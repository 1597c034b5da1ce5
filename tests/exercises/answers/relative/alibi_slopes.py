"""alibi_slopes (chapter 08): answers in many styles."""

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


RIGHT = [slopes_by_itself, slopes_torch, slopes_numpy, slopes_ratio]

"""axes_of_pairs (chapter 07): answers in many styles."""

import numpy as np
import torch


def axes_torch(sections, interleaved):
    if not interleaved:
        return torch.arange(3).repeat_interleave(torch.tensor(sections))
    axes = torch.zeros(sum(sections), dtype=torch.long)
    for axis in (1, 2):
        axes[axis + 3 * torch.arange(sections[axis])] = axis
    return axes


def axes_numpy(sections, interleaved):
    pair = np.arange(sum(sections), dtype=np.int32)
    if interleaved:
        turn, axis = np.divmod(pair, 3)
        return np.where(turn < np.array(sections)[axis], axis, 0)
    return np.searchsorted(np.cumsum(sections), pair, side="right")


def axes_loops(sections, interleaved):
    axes, (time, height, width) = [], sections
    if not interleaved:
        return torch.tensor([0] * time + [1] * height + [2] * width)
    for pair in range(time + height + width):
        if pair % 3 == 1 and pair < 3 * height:
            axes.append(1)
        elif pair % 3 == 2 and pair < 3 * width:
            axes.append(2)
        else:
            axes.append(0)
    return torch.tensor(axes)


def axes_by_choice(sections, interleaved):
    """float64, from where each axis is."""
    n, (time, height, width) = torch.arange(sum(sections)), sections
    if interleaved:
        is_height, is_width = (n % 3 == 1) & (n < 3 * height), (n % 3 == 2) & (n < 3 * width)
    else:
        is_height, is_width = (n >= time) & (n < time + height), n >= time + height
    return is_height.double() + 2 * is_width


RIGHT = [axes_torch, axes_numpy, axes_loops, axes_by_choice]

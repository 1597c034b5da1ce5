"""axes_of_pairs (chapter 07): answers in many styles, right and wrong ones."""

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


def blocks(sections):
    return np.repeat(np.arange(3), sections)


def one_after_the_other(sections, interleaved):
    """Around and around, and whoever has enough drops out."""
    if not interleaved:
        return blocks(sections)
    left, axes = list(sections), []
    while sum(left):
        for axis in range(3):
            if left[axis] > 0:
                axes.append(axis)
                left[axis] -= 1
    return np.array(axes)


def slice_too_short(sections, interleaved):
    if not interleaved:
        return blocks(sections)
    axes = np.zeros(sum(sections), dtype=int)
    axes[1 : sections[1] : 3] = 1
    axes[2 : sections[2] : 3] = 2
    return axes


def no_end(sections, interleaved):
    if not interleaved:
        return blocks(sections)
    axes = np.zeros(sum(sections), dtype=int)
    axes[1::3], axes[2::3] = 1, 2
    return axes


def height_from_0(sections, interleaved):
    if not interleaved:
        return blocks(sections)
    axes = np.zeros(sum(sections), dtype=int)
    axes[0 : 3 * sections[1] : 3] = 1
    axes[1 : 3 * sections[2] : 3] = 2
    return axes


def always_interleaved(sections, interleaved):
    axes = torch.zeros(sum(sections))
    axes[1 : 3 * sections[1] : 3] = 1
    axes[2 : 3 * sections[2] : 3] = 2
    return axes


def as_qwen2_vl(sections, interleaved):
    """Its tables are as wide as the head."""
    if interleaved:
        return axes_numpy(sections, True)
    return np.repeat([0, 1, 2, 0, 1, 2], list(sections) * 2)


def as_the_comment_says(sections, interleaved):
    if not interleaved:
        return blocks(sections)
    left, axes = dict(zip("THW", sections, strict=True)), []
    while len(axes) < sum(sections):
        for letter in "THTHWHTHW":
            if left[letter]:
                left[letter] -= 1
                axes.append("THW".index(letter))
    return np.array(axes)


def two_alternate(sections, interleaved):
    """Height and width, and then the time, as in ERNIE 4.5 VL."""
    if not interleaved:
        return blocks(sections)
    time, height, width = sections
    both = sorted([(2 * i, 1) for i in range(height)] + [(2 * i + 1, 2) for i in range(width)])
    return np.array([axis for _, axis in both] + [0] * time)


def time_and_then_two(sections, interleaved):
    axes = two_alternate(sections, interleaved)
    return np.roll(axes, sections[0]) if interleaved else axes


def as_far_as_all_go(sections, interleaved):
    if not interleaved:
        return blocks(sections)
    least = min(sections)
    return np.array([0, 1, 2] * least + list(blocks([size - least for size in sections])))


RIGHT = [axes_torch, axes_numpy, axes_loops, axes_by_choice]
WRONG = [
    (one_after_the_other, "passed over when done"),
    (slice_too_short, "ends after a third"),
    (no_end, "sections ignored"),
    (height_from_0, "time comes last"),
    (always_interleaved, "always interleaved"),
    (as_qwen2_vl, "blocks repeated"),
    (as_the_comment_says, "height every second pair"),
    (lambda sections, interleaved: blocks(sections), "always blocks"),
    (lambda sections, interleaved: axes_numpy(sections, interleaved)[::-1], "slowest first"),
    (lambda sections, interleaved: np.tile(axes_numpy(sections, interleaved), 2), "all repeated"),
    (lambda sections, interleaved: axes_torch(sections, interleaved) + 1, "counted from 1"),
    (
        lambda sections, interleaved: -axes_torch(sections, interleaved) % 3,
        "height and width exchanged",
    ),
    (two_alternate, "time after both"),
    (time_and_then_two, "time before both"),
    (as_far_as_all_go, "rest in blocks"),
]

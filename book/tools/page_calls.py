"""Calls for a page, of the exercises whose hidden calls are not for printing.

They hand a function to the learner's function, or take hundreds of numbers, or thirds, which lose
their meaning when they are rounded; or those that tell mistakes apart are too long. The functions
here are a few lines of plain torch.
"""

from functools import partial

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.inputs import fixed


def running_sum(x: Tensor) -> Tensor:
    return x.cumsum(0)


def turn_pairs(x: object, position: float, pairs: list[list[int]]) -> Tensor:
    x = torch.as_tensor(x, dtype=torch.float64)
    first, second = torch.tensor(pairs).T
    angles = position * 10000.0 ** -(torch.arange(len(pairs), dtype=torch.float64) / len(pairs))
    a, b, turned = x[..., first], x[..., second], x.clone()
    turned[..., first] = a * angles.cos() - b * angles.sin()
    turned[..., second] = a * angles.sin() + b * angles.cos()
    return turned


def _partner(pairs: list[list[int]], feature: int) -> Call:
    return call(partial(turn_pairs, pairs=pairs), feature, 2 * len(pairs))


HALF_SPLIT = [[0, 4], [1, 5], [2, 6], [3, 7]]
INTERLEAVED = [[0, 1], [2, 3], [4, 5], [6, 7]]
FIRST_WITH_LAST = [[0, 7], [1, 6], [2, 5], [3, 4]]

CALLS: dict[str, list[Call]] = {
    "gap": [call(running_sum, fixed(4, 3, seed=seed), [1, 2, 3, 0]) for seed in range(2)],
    "find_partner": [
        _partner(pairs, feature)
        for pairs in (HALF_SPLIT, INTERLEAVED, FIRST_WITH_LAST)
        for feature in (0, 1, 3, 6)
    ],
    # A third is a little too large, so that cutting off differs from rounding.
    "place": [call(torch.tensor([[1.0, 0.5, 0.3334], [0.2, 0.125, 0.1]], dtype=torch.float64))],
    "axial_angles": [call(2, 3, 8), call(1, 3, 8, theta=100.0)],
    "permute_weights": [call(fixed(12, 1), heads) for heads in (2, 3)],
    "picture_positions": [call(1, 2, 3, 2), call(0, 3, 1, 2)],
    "rotate_patches": [call(fixed(1, 4, 8), 2, 2, 100.0), call(fixed(2, 2, 4), 2, 1)],
    "shift_matrix": [call(3, 4), call(-2, 4)],
    "rotary_attention": [
        call(fixed(width, 8, seed=9)[:5], *fixed(3, 8, width, seed=seed))
        for width, seed in ((6, 0), (4, 1))
    ],
    "find_the_bug": [call(fixed(2, 8), *fixed(3, 8, 8) / 8**0.5, 2, *fixed(2, 2, 3, 4, seed=1))],
}

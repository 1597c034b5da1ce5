"""window_of (chapter 08): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def window_python(slope, share=0.01):
    return math.log(1 / share) / slope


def window_numpy32(slope, share=0.01):
    return np.float32(-np.log(np.float32(share)) / np.float32(slope))


def window_torch(slope, share=0.01):
    return -torch.log(torch.tensor(share)) / slope


def window_base_2(slope, share=0.01):
    return -math.log2(share) / math.log2(math.e) / slope


def window_by_search(slope, share=0.01):
    near, far = 0.0, 1e6
    while far - near > 1e-9:
        middle = (near + far) / 2
        near, far = (middle, far) if math.exp(-slope * middle) > share else (near, middle)
    return near


def whole_tokens(slope, share=0.01):
    distance = 0
    while math.exp(-slope * distance) > share:
        distance += 1
    return distance


def sum_of_the_rest(slope, share=0.01):
    """All weights beyond a distance are a geometric series: the next one over 1 - ratio."""
    return -math.log(share) / slope - 1


def of_the_whole_row(slope, share=0.01):
    return -math.log(share / (1 - math.exp(-slope))) / slope


RIGHT = [window_python, window_numpy32, window_torch, window_base_2, window_by_search]
WRONG = [
    (whole_tokens, "rounded up"),
    (sum_of_the_rest, "all farther keys together"),
    (of_the_whole_row, "share of the whole row"),
    (lambda slope, share=0.01: 1 / slope, "one over the slope"),
    (lambda slope, share=0.01: -np.log2(share) / slope, "logarithm to base 2"),
    (lambda slope, share=0.01: np.log(share) / slope, "sign of the logarithm"),
    (lambda slope, share=0.01: slope * np.log(1 / share), "times the slope"),
    (lambda slope, share=0.01: math.log(100) / slope, "always one percent"),
]

"""window_of (chapter 08): answers in many styles."""

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


RIGHT = [window_python, window_numpy32, window_torch, window_base_2, window_by_search]

"""t5_bucket (chapter 08): answers in many styles, right and wrong ones."""

import math

import numpy as np
import torch


def bucket_python(distance, num_buckets=32, max_distance=128):
    exact = num_buckets // 2
    if distance < exact:
        return distance
    way = math.log(distance / exact) / math.log(max_distance / exact)
    return min(exact + int(way * (num_buckets - exact)), num_buckets - 1)


def bucket_torch32(distance, num_buckets=32, max_distance=128):
    """Without an if, in float32: the exact answer and the coarse one, and which of the two."""
    near = torch.tensor(distance)
    exact = num_buckets // 2
    way = torch.log(near.float().clamp(min=1) / exact) / math.log(max_distance / exact)
    far = exact + (way * (num_buckets - exact)).long()
    return torch.where(near < exact, near, far.clamp(max=num_buckets - 1))


def bucket_numpy(distance, num_buckets=32, max_distance=128):
    half = num_buckets // 2
    steps = np.log2(max(distance, 1) / half) * half / np.log2(max_distance / half)
    return np.where(distance < half, distance, min(np.floor(half + steps), num_buckets - 1))


def bucket_by_borders(distance, num_buckets=32, max_distance=128):
    """Exact, in whole numbers: how many coarse buckets have begun."""
    exact = num_buckets // 2
    if distance < exact:
        return distance
    steps = range(1, num_buckets - exact)
    return exact + sum(distance**exact >= exact ** (exact - s) * max_distance**s for s in steps)


def bucket_list(distance, num_buckets=32, max_distance=128):
    exact = num_buckets // 2
    starts = list(range(exact))
    starts += [exact * (max_distance / exact) ** (s / exact) for s in range(exact)]
    return torch.tensor(max(b for b, start in enumerate(starts) if start <= distance))


def rounded(distance, num_buckets=32, max_distance=128):
    exact = num_buckets // 2
    if distance < exact:
        return distance
    way = math.log(distance / exact) / math.log(max_distance / exact)
    return min(round(exact + way * (num_buckets - exact)), num_buckets - 1)


def without_a_cap(distance, num_buckets=32, max_distance=128):
    exact = num_buckets // 2
    if distance < exact:
        return distance
    way = math.log(distance / exact, max_distance / exact)
    return exact + math.floor(way * (num_buckets - exact))


def doubling(distance, num_buckets=32, max_distance=128):
    exact = num_buckets // 2
    if distance < exact:
        return distance
    return min(exact + int(math.log2(distance / exact)), num_buckets - 1)


def wrong_whole_way(distance, num_buckets=32, max_distance=128):
    exact = num_buckets // 2
    if distance < exact:
        return distance
    way = math.log(distance / exact) / math.log(max_distance)
    return min(exact + int(way * (num_buckets - exact)), num_buckets - 1)


RIGHT = [bucket_python, bucket_torch32, bucket_numpy, bucket_by_borders, bucket_list]
WRONG = [
    (rounded, "rounded"),
    (without_a_cap, "not capped"),
    (doubling, "a bucket for each doubling"),
    (wrong_whole_way, "whole way from 1"),
]

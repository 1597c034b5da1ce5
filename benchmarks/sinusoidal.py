"""The sinusoidal table by pe_lib beside the three ways in which tutorials make it."""

import itertools
import math
import statistics
import time
from collections.abc import Callable

import numpy as np
import torch

from pe_lib import sinusoidal_encoding

SIZES = ((64, 128), (1024, 512), (8192, 1024))
SECONDS = 2.0  # spent on each size


def two_loops(length: int, dim: int) -> np.ndarray:
    """Textbook style: a loop over positions and a loop over features."""
    table = np.zeros((length, dim), np.float32)
    for position in range(length):
        for pair in range(dim // 2):
            angle = position / 10000 ** (2 * pair / dim)
            table[position, 2 * pair] = math.sin(angle)
            table[position, 2 * pair + 1] = math.cos(angle)
    return table


def every_angle(length: int, dim: int) -> np.ndarray:
    """NumPy style: an angle for every cell, then sine and cosine of every second column."""
    feature = np.arange(dim)[None, :]
    angles = np.arange(length)[:, None] / np.power(10000, 2 * (feature // 2) / dim)
    angles[:, 0::2] = np.sin(angles[:, 0::2])
    angles[:, 1::2] = np.cos(angles[:, 1::2])
    return angles.astype(np.float32)


def float32_angles(length: int, dim: int) -> torch.Tensor:
    """PyTorch style: an exponential of logarithms, all in float32."""
    table = torch.zeros(length, dim)
    position = torch.arange(length, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table


WAYS = {
    "pe_lib (float64 angles)": sinusoidal_encoding,
    "two loops": two_loops,
    "NumPy, every angle": every_angle,
    "PyTorch, float32 angles": float32_angles,
}


def medians(length: int, dim: int) -> dict[str, float]:
    """Median seconds of every way; they take turns, so that all meet the same machine."""
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    end = time.perf_counter() + SECONDS
    for turn in itertools.count():
        if turn >= 3 and time.perf_counter() > end:
            break
        for name, way in WAYS.items():
            times[name].append(seconds(way, length, dim))
    return {name: statistics.median(taken) for name, taken in times.items()}


def seconds(way: Callable, length: int, dim: int) -> float:
    start = time.perf_counter()
    way(length, dim)
    return time.perf_counter() - start


def error(way: Callable, length: int, dim: int) -> float:
    """Largest difference from the table in float64."""
    exact = sinusoidal_encoding(length, dim, dtype=torch.float64)
    return (torch.as_tensor(way(length, dim)).double() - exact).abs().max().item()


def main() -> None:
    for length, dim in SIZES:
        found = medians(length, dim)
        own = found["pe_lib (float64 angles)"]
        print(f"  {length} positions x {dim} features")
        for name, taken in found.items():
            wrong = error(WAYS[name], length, dim)
            ratio = f"{taken / own:8.2f} x pe_lib"
            print(f"    {name:24} {1000 * taken:9.2f} ms {ratio}, largest error {wrong:.0e}")

"""ALiBi's bias, beside merely writing as many numbers and beside the formula written out."""

import statistics
import time
from collections.abc import Callable

import torch

from pe_lib import alibi_bias, alibi_slopes

HEADS, LENGTH, ROUNDS = 32, 2048, 15


def written_out() -> torch.Tensor:
    """The formula as it stands: a distance for every pair, a product, a mask."""
    positions = torch.arange(LENGTH)
    distance = positions - positions[:, None]
    bias = alibi_slopes(HEADS).float()[:, None, None] * distance
    return bias.masked_fill(distance > 0, float("-inf"))


WAYS: dict[str, Callable[[], torch.Tensor]] = {
    "merely writing": lambda: torch.empty(HEADS, LENGTH, LENGTH).fill_(0.0),
    "pe_lib": lambda: alibi_bias(HEADS, LENGTH),
    "the formula": written_out,
}


def main() -> None:
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for _ in range(ROUNDS):
        for name, way in WAYS.items():
            start = time.perf_counter()
            way()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    for name, median in medians.items():
        ratio = median / medians["merely writing"]
        print(f"  {name:16} {1000 * median:8.1f} ms {ratio:6.2f} x writing")

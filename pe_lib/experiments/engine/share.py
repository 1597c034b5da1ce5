"""Which part of a plan a process does, and where.

Processes know nothing of each other. The plan has an order, and of n processes the k-th takes every
n-th run from the k-th on, whatever has started them, on one machine or on many.
"""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from pe_lib.experiments.engine.runs import R


@dataclass(frozen=True)
class Share:
    """Every ``count``-th run of a plan, from number ``index`` on.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMALL, tuning_runs
        >>> [run.position for run in Share(1, 14).of(tuning_runs(SMALL))]
        ['sinusoidal', 'sinusoidal', 'sinusoidal']
    """

    index: int = 0
    count: int = 1

    def of(self, runs: Sequence[R]) -> Sequence[R]:
        return runs[self.index :: self.count]


def share(text: str) -> Share:
    """One part of several, counted from 1.

    Example:
        >>> share("2/3")
        Share(index=1, count=3)
    """
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"expected K/N with 1 <= K <= N, like 2/3, got {text!r}")
    return Share(int(number) - 1, int(count))


def share_of_environment() -> Share:
    """What torchrun says about this process; everything, where nothing is said."""
    rank, count = os.environ.get("RANK", "0"), os.environ.get("WORLD_SIZE", "1")
    if not (rank.isdecimal() and count.isdecimal()):
        raise SystemExit(f"RANK and WORLD_SIZE: expected numbers, got {rank!r} and {count!r}")
    return share(f"{int(rank) + 1}/{count}")


def device_of(name: str) -> str:
    """The device for this process: of a machine's GPUs each of torchrun's processes takes one."""
    if name == "cuda" and "LOCAL_RANK" in os.environ:
        return f"cuda:{int(os.environ['LOCAL_RANK']) % torch.cuda.device_count()}"
    return name

"""The commands: what is planned, what is done, and how results become tables."""

import argparse
import math
import os
from pathlib import Path

import torch

from pe_lib.devices import available_devices
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.setting import SETTINGS, Run, Setting, seed_runs, tuning_runs
from pe_lib.experiments.extrapolation.work import Share, Work

ABOUT = """Train small language models with each kind of position, and measure them on long texts.

    tuning   try the learning rates (and the sizes of a learned table), at one seed
    seeds    train and measure with what the tuning chose, at all seeds
    tables   put the results of either into the tables that the book shows
    plan     say what tuning and seeds would do here, and how long they would take

A run's result does not depend on who does it: all compute in one thread, so several processes do
several runs. `--share 2/3` does the second third of the plan; torchrun, and what else numbers its
processes in RANK and WORLD_SIZE, gives each its share by itself:

    torchrun --standalone --nproc-per-node 4 -m pe_lib.experiments extrapolation tuning

What is interrupted goes on where it was half a minute before when the same command is given again.
Copy the folders of several machines into one before `tables`.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=["plan", "tuning", "seeds", "tables"])
    parser.add_argument("--folder", type=Path, default=Path("runs"), help="of results (runs)")
    parser.add_argument("--setting", choices=list(SETTINGS), default="small")
    parser.add_argument("--device", choices=available_devices(), default="cpu")
    parser.add_argument("--share", type=share, default=share_of_environment(), help="K/N")
    parser.add_argument("--minutes", type=float, default=math.inf, help="stop then (never)")
    parser.add_argument("--only", default="", help="runs whose name contains this")


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
    return Share(int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1)))


def main(arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 where the time was over before all was done."""
    torch.set_num_threads(1)  # the number of threads changes the last digits
    own: Share = arguments.share
    prefix = f"[{own.index + 1}/{own.count}] " if own.count > 1 else ""

    def say(line: str) -> None:
        print(prefix + line, flush=True)

    if arguments.what == "tables":
        names = records.merge(arguments.folder)
        say(f"{len(names)} results of {arguments.folder} are in the tables of {records.HERE}")
        return 0
    setting = SETTINGS[arguments.setting]
    finished = True
    for stage in ("tuning", "seeds") if arguments.what == "plan" else (arguments.what,):
        try:
            runs = runs_of(stage, setting)
        except ValueError as error:
            say(f"{stage}: first comes the tuning, and its results into the tables ({error})")
            return 1
        chosen = [run for run in runs if arguments.only in run.name]
        work = Work(stage, own.of(chosen), arguments.folder, arguments.device, say)
        work.plan()
        if arguments.what != "plan":
            finished = work.do(arguments.minutes)
    return 0 if finished else 1


def runs_of(stage: str, setting: Setting) -> list[Run]:
    """The runs of a stage, in the order in which shares are taken of them."""
    return tuning_runs(setting) if stage == "tuning" else list(seed_runs(records.choices(setting)))

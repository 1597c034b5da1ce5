"""The commands: what is planned, what is done, and how results become tables."""

import argparse
import math
import os
from collections.abc import Callable
from pathlib import Path

import torch

from pe_lib.devices import available_devices
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.costs import costs
from pe_lib.experiments.extrapolation.setting import SMALL, SMOKE_RUN, Run, seed_runs, tuning_runs
from pe_lib.experiments.extrapolation.trained import FILE, ship
from pe_lib.experiments.extrapolation.work import Share, Work

SETTING = SMALL
ROUNDS = 20  # of the timed steps
WHAT = ("plan", "tuning", "seeds", "tables", "costs", "model", "smoke")

ABOUT = """Train small language models with each kind of position, and measure them on long texts.

    tuning   try the learning rates (and the sizes of a learned table), at one seed
    seeds    train and measure with what the tuning chose, at all seeds
    tables   put the results of either into the tables that the book shows
    plan     say what tuning and seeds would do here, and how long they would take
    costs    time a training step of each kind, all in turns (nothing else should run)
    smoke    do one run of some seconds, which a test does again
    model    make the trained RoPE model of the first seed the one that comes with pe_lib

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
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--folder", type=Path, default=Path("runs"), help="of results (runs)")
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
    elif arguments.what == "costs":
        records.write("costs", costs(SETTING, ROUNDS, arguments.device, say))
    elif arguments.what == "model":
        run = records.choices(SETTING)["rope"]
        ship(run, Work("seeds", [run], arguments.folder).saved(run))
        say(f"{run.name} is in {FILE}")
    elif arguments.what == "plan":
        plan(arguments, say)
    else:
        return 0 if work(arguments, say) else 1
    return 0


def plan(arguments: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Say what the two stages would do; what the tuning will choose takes as long as any other."""
    tuning = tuning_runs(SETTING)
    try:
        choices = records.choices(SETTING)
    except ValueError:
        say("(the tuning has yet to choose: what seeds will do is shown with its first runs)")
        choices = {run.position: run for run in reversed(tuning)}
    for stage, runs in (("tuning", tuning), ("seeds", list(seed_runs(choices)))):
        shared(stage, runs, arguments, say).plan()


def work(arguments: argparse.Namespace, say: Callable[[str], None]) -> bool:
    """Do the runs that were asked for. Returns whether all are done."""
    stage = "tuning" if arguments.what == "tuning" else "seeds"
    try:
        own = shared(stage, runs_of(arguments.what), arguments, say)
    except ValueError as error:
        say(f"first comes the tuning, and then tables ({error})")
        return False
    own.plan()
    return own.do(arguments.minutes)


def runs_of(what: str) -> list[Run]:
    """The runs that a command does, in the order in which shares are taken of them."""
    if what == "smoke":
        return [SMOKE_RUN]
    if what == "tuning":
        return tuning_runs(SETTING)
    return list(seed_runs(records.choices(SETTING)))


def shared(
    stage: str, runs: list[Run], arguments: argparse.Namespace, say: Callable[[str], None]
) -> Work:
    """This process's share of the runs."""
    own = arguments.share.of([run for run in runs if arguments.only in run.name])
    return Work(stage, own, arguments.folder, arguments.device, say)

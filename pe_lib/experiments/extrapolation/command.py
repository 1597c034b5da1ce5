"""The commands: what is planned, what is done, and how results become tables."""

import argparse
import math
import os
import time
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
ROUNDS = 60  # of the timed steps
WHAT = ("plan", "tuning", "seeds", "tables", "costs", "model", "smoke")

ABOUT = """Train small language models with each kind of position, and measure them on long texts.

    plan     say what tuning and seeds would do here, and how long they would take
    tuning   try the learning rates (and the sizes of a learned table), at one seed
    seeds    train and measure with what the tuning chose, at all seeds
    tables   put the results of either into the tables that the book shows
    costs    time a training step of each kind, all in turns (nothing else should run)
    model    make the trained RoPE model of the first seed the one that comes with pe_lib
    smoke    do one run of some seconds, which a test does again

In parts: `--minutes 30` stops after half an hour, and the same command goes on from there. So it
does after an interruption, which costs at most half a minute's work.

In several processes, or on several machines: `--share 2/3` does the second third of the plan.
torchrun tells each process its share, and so can a job scheduler:

    torchrun --standalone --nproc-per-node 4 -m pe_lib.experiments extrapolation tuning
    python -m pe_lib.experiments extrapolation tuning --share $((SLURM_PROCID + 1))/$SLURM_NTASKS

Then copy what is in the machines' folders into one and give `tables` there: once after tuning and
once more after seeds. `seeds` reads the choices from the tables, so each machine needs those.

On the CPU every process computes in one thread, so their number does not change a digit. Other
processors, versions and devices round differently: they agree in what is shown, not in each digit,
and every row of a table names its own.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("what", choices=WHAT)
    folder, default = "where results and trainings are kept", "runs"
    parser.add_argument("--folder", type=Path, default=Path(default), help=f"{folder} ({default})")
    parser.add_argument("--device", choices=available_devices(), default="cpu")
    help_ = "K/N: do the K-th of N parts of the runs"
    parser.add_argument("--share", type=share, default=share_of_environment(), help=help_)
    help_ = "stop after so many (default: when all is done)"
    parser.add_argument("--minutes", type=float, default=math.inf, help=help_)
    parser.add_argument("--only", default="", help="only runs whose name contains this")


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
    return share(f"{int(rank) + 1}/{count}")


def device_of(name: str) -> str:
    """The device for this process: of a machine's GPUs each of torchrun's processes takes one."""
    if name == "cuda" and "LOCAL_RANK" in os.environ:
        return f"cuda:{int(os.environ['LOCAL_RANK']) % torch.cuda.device_count()}"
    return name


def main(arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 where nothing could be done."""
    torch.set_num_threads(1)  # the number of threads changes the last digits
    own: Share = arguments.share
    prefix = f"[{own.index + 1}/{own.count}] " if own.count > 1 else ""

    def say(line: str) -> None:
        # In one piece: other processes write to the same place.
        print(f"{prefix}{line}\n", end="", flush=True)

    try:
        if arguments.what in ("tuning", "seeds", "smoke"):
            work(arguments, say)
        elif own.index == 0:  # the rest is for one process
            write(arguments, say)
    except ValueError as error:
        say(str(error))
        return 1
    return 0


def work(arguments: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Do the runs that were asked for, as far as there is time."""
    until = time.monotonic() + 60 * arguments.minutes
    stage = "tuning" if arguments.what == "tuning" else "seeds"
    own = shared(stage, runs_of(arguments.what), arguments, say)
    own.plan()
    own.do(until)


def write(arguments: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Say the plan, or write tables or the model."""
    if arguments.what == "plan":
        plan(arguments, say)
    elif arguments.what == "tables":
        names = records.merge(arguments.folder, records.HERE)
        say(f"{len(names)} results of {arguments.folder} are in the tables of {records.HERE}")
    elif arguments.what == "costs":
        records.write("costs", costs(SETTING, ROUNDS, arguments.device, say), records.HERE)
    elif arguments.what == "model":
        run = records.choices(SETTING, records.HERE)["rope"]
        ship(run, Work("seeds", [run], arguments.folder).saved(run))
        say(f"{run.name} is in {FILE}")


def plan(arguments: argparse.Namespace, say: Callable[[str], None]) -> None:
    """Say what the two stages would do; what the tuning will choose takes as long as any other."""
    tuning = tuning_runs(SETTING)
    try:
        choices = records.choices(SETTING, records.HERE)
    except ValueError:
        say("(the tuning has yet to choose: what seeds will do is shown with its first runs)")
        choices = {run.position: run for run in reversed(tuning)}
    for stage, runs in (("tuning", tuning), ("seeds", list(seed_runs(choices)))):
        shared(stage, runs, arguments, say).plan()


def runs_of(what: str) -> list[Run]:
    """The runs that a command does, in the order in which shares are taken of them."""
    if what == "smoke":
        return [SMOKE_RUN]
    if what == "tuning":
        return tuning_runs(SETTING)
    try:
        return list(seed_runs(records.choices(SETTING, records.HERE)))
    except ValueError as error:
        raise ValueError(f"first comes the tuning, and then tables ({error})") from error


def shared(
    stage: str, runs: list[Run], arguments: argparse.Namespace, say: Callable[[str], None]
) -> Work:
    """This process's share of the runs."""
    own = arguments.share.of([run for run in runs if arguments.only in run.name])
    return Work(stage, own, arguments.folder, device_of(arguments.device), say)

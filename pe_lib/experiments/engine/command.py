"""The commands: what is planned, what is done, and how results become tables."""

import argparse
import math
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

from pe_lib.common.devices import available_devices
from pe_lib.experiments.engine.experiment import Experiment, Say
from pe_lib.experiments.engine.runs import Run
from pe_lib.experiments.engine.share import Share, device_of, share, share_of_environment
from pe_lib.experiments.engine.work import Work

AnyExperiment = Experiment[Any, Any, Any]

ABOUT = """{}

    plan         say what tuning and seeds would do here, and how long they would take
    tuning       try the learning rates (and the sizes of a learned table), at one seed
    seeds        train and measure with what the tuning chose, at all seeds
    tables       put the results of either into the tables that the book shows
    smoke        do one run of some seconds, which a test does again
{}
In parts: `--minutes 30` stops after half an hour, and the same command goes on from there. So it
does after an interruption, which costs at most half a minute's work.

In several processes, or on several machines: `--share 2/3` does the second third of the plan.
torchrun tells each process its share, and so can a job scheduler:

    torchrun --standalone --nproc-per-node 4 -m pe_lib.experiments {} tuning
    python -m pe_lib.experiments {} tuning --share $((SLURM_PROCID + 1))/$SLURM_NTASKS

Then copy what is in the machines' folders into one and give `tables` there: once after tuning and
once more after seeds. `seeds` reads the choices from the tables, so each machine needs those.

A run whose results stand in the tables is done, wherever that was; `--again` does it again.

On the CPU every process computes in one thread, so their number does not change a digit. Other
processors, versions and devices round differently: they agree in what is shown, not in each digit,
and every row of a table names its own.
"""


def add_arguments(parser: argparse.ArgumentParser, experiment: AnyExperiment) -> None:
    """Say what an experiment's commands are."""
    extra = experiment.extra_commands
    lines = "".join(f"    {name:<13}{does}\n" for name, (does, _) in extra.items())
    name, folder = experiment.name, experiment.folder
    parser.description = ABOUT.format(experiment.about, lines, name, name)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    choices = ("plan", "tuning", "seeds", "tables", "smoke", *extra)
    parser.add_argument("subcommand", choices=choices)
    help_ = f"where results and trainings are kept ({folder})"
    parser.add_argument("--folder", type=Path, default=Path(folder), help=help_)
    parser.add_argument("--device", choices=available_devices(), default="cpu")
    help_ = "K/N: do the K-th of N parts of the runs"
    parser.add_argument("--share", type=share, default=share_of_environment(), help=help_)
    help_ = "stop after so many (default: when all is done)"
    parser.add_argument("--minutes", type=minutes, default=math.inf, help=help_)
    parser.add_argument("--only", default="", help="only runs whose name contains this")
    help_ = "do the runs again whose results are in the tables"
    parser.add_argument("--again", action="store_true", help=help_)


def minutes(text: str) -> float:
    """How many minutes a text says."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not found >= 0:
        raise argparse.ArgumentTypeError(f"expected a number of minutes >= 0, got {text!r}")
    return found


def main(experiment: AnyExperiment, arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 where nothing could be done."""
    torch.set_num_threads(1)  # the number of threads changes the last digits
    own: Share = arguments.share
    prefix = f"[{own.index + 1}/{own.count}] " if own.count > 1 else ""

    def say(line: str) -> None:
        # In one piece: other processes write to the same place.
        print(f"{prefix}{line}\n", end="", flush=True)

    try:
        if arguments.subcommand in ("tuning", "seeds", "smoke"):
            do_runs(experiment, arguments, say)
        elif own.index == 0:  # the rest is for one process
            write(experiment, arguments, say)
    except (ValueError, OSError) as error:  # an OSError that a file's system has to say
        say(str(error))
        return 1
    return 0


def do_runs(experiment: AnyExperiment, arguments: argparse.Namespace, say: Say) -> None:
    """Do the runs that were asked for, as far as there is time."""
    until = time.monotonic() + 60 * arguments.minutes
    stage = "tuning" if arguments.subcommand == "tuning" else "seeds"
    runs = list(runs_of(experiment, arguments.subcommand))
    check_only(arguments.only, runs)
    own = shared(experiment, stage, runs, arguments, say)
    own.plan()
    own.do(until)


def write(experiment: AnyExperiment, arguments: argparse.Namespace, say: Say) -> None:
    """Say the plan, write the tables, or do what this experiment alone does."""
    if arguments.subcommand == "plan":
        plan(experiment, arguments, say)
    elif arguments.subcommand == "tables":
        names = experiment.merge(arguments.folder)
        say(f"{len(names)} results of {arguments.folder} are in the tables of {experiment.records}")
    else:
        _, extra_command = experiment.extra_commands[arguments.subcommand]
        extra_command(arguments, say)


def plan(experiment: AnyExperiment, arguments: argparse.Namespace, say: Say) -> None:
    """Say what the two stages would do; what the tuning will choose takes as long as any other."""
    first = {run.position: run for run in reversed(experiment.tuning)}
    if yet := untuned(experiment):
        say(f"(the tuning has yet to choose: {yet} are shown with its first runs in seeds)")
    seeds = list(experiment.seeds({**first, **experiment.choices()}))
    check_only(arguments.only, [*experiment.tuning, *seeds])
    for stage, runs in (("tuning", experiment.tuning), ("seeds", seeds)):
        shared(experiment, stage, runs, arguments, say).plan()


def runs_of(experiment: AnyExperiment, subcommand: str) -> Iterable[Run]:
    """The runs that a command does, in the order in which shares are taken of them."""
    if subcommand == "smoke":
        return [experiment.smoke]
    if subcommand == "tuning":
        return experiment.tuning
    if yet := untuned(experiment):
        raise ValueError(f"first comes the tuning, and then tables (there is no choice for {yet})")
    return experiment.seeds(experiment.choices())


def untuned(experiment: AnyExperiment) -> str:
    """The encodings for which the tuning has yet to choose."""
    chosen = experiment.choices()
    yet = dict.fromkeys(run.position for run in experiment.tuning if run.position not in chosen)
    return ", ".join(yet)


def check_only(part: str, runs: Sequence[Run]) -> None:
    """Raise ``ValueError`` where no run's name contains this."""
    if runs and not any(part in run.name for run in runs):
        expected = f"a part of the name of a run, as {runs[0].name} is one"
        raise ValueError(f"--only: expected {expected}, got {part!r}")


def shared(
    experiment: AnyExperiment,
    stage: str,
    runs: Iterable[Run],
    arguments: argparse.Namespace,
    say: Say,
) -> Work:
    """This process's share of the runs."""
    own = arguments.share.of([run for run in runs if arguments.only in run.name])
    again = arguments.again or arguments.subcommand == "smoke"
    recorded = () if again else experiment.recorded(stage)
    device = device_of(arguments.device)
    return Work(experiment, stage, own, arguments.folder, device, say, recorded)

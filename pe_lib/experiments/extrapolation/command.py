"""The commands of this experiment."""

import argparse

from pe_lib.experiments.engine import command
from pe_lib.experiments.engine.command import Experiment, Say
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.costs import costs
from pe_lib.experiments.extrapolation.diagnostics import diagnostics
from pe_lib.experiments.extrapolation.setting import SMALL, SMOKE_RUN, seed_runs, tuning_runs
from pe_lib.experiments.extrapolation.trained import FILE, ship
from pe_lib.experiments.extrapolation.work import Work

SETTING = SMALL
ROUNDS = 60  # of the timed steps
ABOUT = "Train small language models with each kind of position, and measure them on long texts."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    others = {
        "costs": "time a training step of each kind, all in turns (nothing else should run)",
        "diagnostics": "measure what positions alone do in the trained models of all seeds",
        "model": "make the trained RoPE model of the first seed the one that comes with pe_lib",
    }
    command.add_arguments(parser, "extrapolation", ABOUT, "runs", others)


def main(arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 where nothing could be done."""
    experiment = Experiment(
        work=Work,
        tuning=tuning_runs(SETTING),
        seeds=seed_runs,
        smoke=SMOKE_RUN,
        choices=lambda: records.choices(SETTING, records.HERE),
        recorded=lambda stage: records.recorded(stage, records.HERE),
        merge=lambda results: records.merge(results, records.HERE),
        tables=records.HERE,
        others={"costs": write_costs, "diagnostics": write_diagnostics, "model": write_model},
    )
    return command.main(experiment, arguments)


def write_costs(arguments: argparse.Namespace, say: Say) -> None:
    records.write("costs", costs(SETTING, ROUNDS, arguments.device, say), records.HERE)


def write_diagnostics(arguments: argparse.Namespace, say: Say) -> None:
    runs = list(seed_runs(records.choices(SETTING, records.HERE)))
    records.write("diagnostics", diagnostics(runs, arguments.folder, say), records.HERE)


def write_model(arguments: argparse.Namespace, say: Say) -> None:
    run = records.choices(SETTING, records.HERE)["rope"]
    ship(run, Work("seeds", [run], arguments.folder).saved(run))
    say(f"{run.name} is in {FILE}")

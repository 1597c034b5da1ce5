"""The commands of this experiment."""

import argparse

from pe_lib.experiments.digits import records
from pe_lib.experiments.digits.setting import SMALL, SMOKE_RUN, seed_runs, tuning_runs
from pe_lib.experiments.digits.work import Work
from pe_lib.experiments.engine import command, tables

SETTING = SMALL
ABOUT = "Train small vision models with each kind of position, and measure them on larger pictures."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    command.add_arguments(parser, "digits", ABOUT, "runs/digits")


def main(arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 where nothing could be done."""
    experiment = command.Experiment(
        work=Work,
        tuning=tuning_runs(SETTING),
        seeds=seed_runs,
        smoke=SMOKE_RUN,
        choices=lambda: records.choices(SETTING, records.HERE),
        recorded=lambda stage: tables.recorded(stage, records.HERE),
        merge=lambda results: records.merge(results, records.HERE),
        tables=records.HERE,
    )
    return command.main(experiment, arguments)

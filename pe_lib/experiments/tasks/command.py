"""The commands of this experiment."""

import argparse

from pe_lib.experiments.engine import command, tables
from pe_lib.experiments.tasks import records, setting
from pe_lib.experiments.tasks.setting import SMOKE_RUN, all_runs
from pe_lib.experiments.tasks.work import Work

ABOUT = (
    "Train small language models with each kind of position to copy and to look back, and measure\n"
    "them on longer strings. All have one learning rate: the tuning has no runs."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    command.add_arguments(parser, "tasks", ABOUT, "runs/tasks")


def main(arguments: argparse.Namespace) -> int:
    """Returns the exit status: 1 where nothing could be done."""
    experiment = command.Experiment(
        work=Work,
        tuning=(),
        seeds=lambda choices: all_runs(setting.SETTINGS),
        smoke=SMOKE_RUN,
        choices=lambda: {},
        recorded=lambda stage: tables.recorded(stage, records.HERE),
        merge=lambda results: records.merge(results, records.HERE),
        tables=records.HERE,
    )
    return command.main(experiment, arguments)

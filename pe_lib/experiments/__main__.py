"""Do an experiment again and replace its record.

    python -m pe_lib.experiments learned_table
    python -m pe_lib.experiments extrapolation plan
    python -m pe_lib.experiments controls plan
    python -m pe_lib.experiments digits plan
    python -m pe_lib.experiments letters plan
    python -m pe_lib.experiments tasks plan
    python -m pe_lib.experiments recall plan

Another processor, or another number of threads, rounds differently: the new record agrees with the
old one in what it shows, not in every digit.
"""

import argparse
import json
import sys
import time

from pe_lib.experiments.engine import command
from pe_lib.experiments.extrapolation.controls import Controls
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.files import atomic_write
from pe_lib.experiments.learned_table import record, training
from pe_lib.experiments.loss import Diverged
from pe_lib.experiments.machine import machine
from pe_lib.experiments.recall.experiment import Recall
from pe_lib.experiments.resolutions.experiment import Digits, Letters
from pe_lib.experiments.tasks.experiment import Tasks

EXPERIMENTS = (Extrapolation(), Controls(), Digits(), Letters(), Tasks(), Recall())


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pe_lib.experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="experiment", required=True)
    subparsers.add_parser("learned_table", help="what training writes into a table: five minutes")
    for experiment in EXPERIMENTS:
        own = subparsers.add_parser(experiment.name, help=experiment.summary)
        command.add_arguments(own, experiment)
    arguments = parser.parse_args()
    for experiment in EXPERIMENTS:
        if arguments.experiment == experiment.name:
            return command.main(experiment, arguments)
    try:
        learned_table()
    except (Diverged, OSError) as error:
        print(f"{error} (the old record is unchanged)")
        return 1
    return 0


def learned_table() -> None:
    start, start_computing = time.perf_counter(), time.process_time()
    packed = record.pack(training.run())
    with atomic_write(record.RECORD) as unfinished:
        unfinished.write_text(json.dumps(packed, separators=(",", ":")) + "\n", "utf-8")
    provenance = {
        "command": "python -m pe_lib.experiments learned_table",
        **training.SETTINGS,
        "seconds": round(time.perf_counter() - start),
        "of which computing": round(time.process_time() - start_computing),
        **machine(),
    }
    with atomic_write(record.PROVENANCE) as unfinished:
        unfinished.write_text(json.dumps(provenance, indent=2) + "\n", "utf-8")
    print(f"Written to {record.HERE}: {record.RECORD.name}, {record.PROVENANCE.name}")


if __name__ == "__main__":
    sys.exit(main())

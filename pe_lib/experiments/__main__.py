"""Do an experiment again and replace its record.

    python -m pe_lib.experiments learned_table
    python -m pe_lib.experiments digit_sizes
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

from pe_lib.experiments.digit_sizes import record as sizes_record
from pe_lib.experiments.digit_sizes import training as sizes_training
from pe_lib.experiments.engine import command
from pe_lib.experiments.extrapolation.controls import Controls
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.files import atomic_write
from pe_lib.experiments.learned_table import record as table_record
from pe_lib.experiments.learned_table import training as table_training
from pe_lib.experiments.loss import Diverged
from pe_lib.experiments.machine import machine
from pe_lib.experiments.recall.experiment import Recall
from pe_lib.experiments.resolutions.experiment import Digits, Letters
from pe_lib.experiments.tasks.experiment import Tasks

EXPERIMENTS = (Extrapolation(), Controls(), Digits(), Letters(), Tasks(), Recall())
# These are done in one go, and keep one record.
IN_ONE_GO = {
    "learned_table": (table_record, table_training),
    "digit_sizes": (sizes_record, sizes_training),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pe_lib.experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    subparsers = parser.add_subparsers(dest="experiment", required=True)
    for name, (_, training) in IN_ONE_GO.items():
        subparsers.add_parser(name, help=training.SUMMARY)
    for experiment in EXPERIMENTS:
        own = subparsers.add_parser(experiment.name, help=experiment.summary)
        command.add_arguments(own, experiment)
    arguments = parser.parse_args()
    for experiment in EXPERIMENTS:
        if arguments.experiment == experiment.name:
            return command.main(experiment, arguments)
    try:
        in_one_go(arguments.experiment)
    except (Diverged, OSError) as error:
        print(f"{error} (the old record is unchanged)")
        return 1
    return 0


def in_one_go(name: str) -> None:
    """Do such an experiment, and write its record and where it comes from."""
    record, training = IN_ONE_GO[name]
    start, start_computing = time.perf_counter(), time.process_time()
    packed = record.pack(training.run())
    with atomic_write(record.RECORD) as unfinished:
        unfinished.write_text(json.dumps(packed, separators=(",", ":")) + "\n", "utf-8")
    provenance = {
        "command": f"python -m pe_lib.experiments {name}",
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

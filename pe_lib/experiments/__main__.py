"""Do an experiment again and replace its record.

    python -m pe_lib.experiments learned_table
    python -m pe_lib.experiments extrapolation plan
    python -m pe_lib.experiments digits plan
    python -m pe_lib.experiments tasks plan

Another processor, or another number of threads, rounds differently: the new record agrees with the
old one in what it shows, not in every digit.
"""

import argparse
import json
import sys
import time

from pe_lib.experiments.digits import command as digits
from pe_lib.experiments.extrapolation import command as extrapolation
from pe_lib.experiments.files import whole
from pe_lib.experiments.learned_table import record, training
from pe_lib.experiments.loss import Diverged
from pe_lib.experiments.machine import machine
from pe_lib.experiments.tasks import command as tasks


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m pe_lib.experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    experiments = parser.add_subparsers(dest="experiment", required=True)
    experiments.add_parser("learned_table", help="what training writes into a table: five minutes")
    help_ = "losses beyond the training length: some hours, in parts"
    extrapolation.add_arguments(experiments.add_parser("extrapolation", help=help_))
    help_ = "digits read at other resolutions than that of the training: half an hour, in parts"
    digits.add_arguments(experiments.add_parser("digits", help=help_))
    help_ = "copying and looking back, in longer strings than those of the training: an hour or two"
    tasks.add_arguments(experiments.add_parser("tasks", help=help_))
    arguments = parser.parse_args()
    if arguments.experiment == "extrapolation":
        return extrapolation.main(arguments)
    if arguments.experiment == "digits":
        return digits.main(arguments)
    if arguments.experiment == "tasks":
        return tasks.main(arguments)
    try:
        learned_table()
    except (Diverged, OSError) as error:
        print(f"{error} (the old record is unchanged)")
        return 1
    return 0


def learned_table() -> None:
    start, start_computing = time.perf_counter(), time.process_time()
    packed = record.pack(training.run())
    with whole(record.RECORD) as unfinished:
        unfinished.write_text(json.dumps(packed, separators=(",", ":")) + "\n", "utf-8")
    provenance = {
        "command": "python -m pe_lib.experiments learned_table",
        **training.SETTINGS,
        "seconds": round(time.perf_counter() - start),
        "of which computing": round(time.process_time() - start_computing),
        **machine(),
    }
    with whole(record.PROVENANCE) as unfinished:
        unfinished.write_text(json.dumps(provenance, indent=2) + "\n", "utf-8")
    print(f"Written to {record.HERE}: {record.RECORD.name}, {record.PROVENANCE.name}")


if __name__ == "__main__":
    sys.exit(main())

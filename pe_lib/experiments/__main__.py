"""Run an experiment again and replace its record.

    python -m pe_lib.experiments learned_table

It takes some minutes and says how far it is. Another processor, or another number of threads,
rounds differently: the new record agrees with the old one in what it shows, not in every digit.
"""

import argparse
import json
import platform
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

import pe_lib
from pe_lib.experiments.learned_table import record, training


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m pe_lib.experiments",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("experiment", choices=["learned_table"])
    experiment = parser.parse_args().experiment
    start, start_computing = time.perf_counter(), time.process_time()
    packed = record.pack(training.run())
    record.RECORD.write_text(json.dumps(packed, separators=(",", ":")) + "\n", "utf-8")
    provenance = {
        "command": f"python -m pe_lib.experiments {experiment}",
        **training.SETTINGS,
        "seconds": round(time.perf_counter() - start),
        "of which computing": round(time.process_time() - start_computing),
        "date": datetime.now(UTC).date().isoformat(),
        **machine(),
    }
    record.PROVENANCE.write_text(json.dumps(provenance, indent=2) + "\n", "utf-8")
    print(f"Written to {record.HERE}: {record.RECORD.name}, {record.PROVENANCE.name}")


def machine() -> dict[str, Any]:
    """The versions and the processor that the numbers come from."""
    processor = platform.processor() or platform.machine()
    if (facts := Path("/proc/cpuinfo")).exists():
        names = (line for line in facts.read_text().splitlines() if line.startswith("model name"))
        processor = next(names, processor).rpartition(": ")[2]
    return {
        "pe_lib": pe_lib.__version__,
        "torch": torch.__version__,
        "python": platform.python_version(),
        "processor": processor,
        "threads": torch.get_num_threads(),
    }


if __name__ == "__main__":
    main()

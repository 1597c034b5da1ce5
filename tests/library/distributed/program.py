"""Runs every check in this process, one of two, and writes what became of each.

    python -m tests.library.distributed.program FOLDER RANK

Each check has a process group of its own, which meets at a file in the folder: where one process
fails, the other is not left waiting, and the next check begins anew.
"""

import json
import sys
import traceback
from datetime import timedelta
from pathlib import Path

import torch.distributed as dist

from tests.library.distributed import frequencies, sequence, states, training  # noqa: F401
from tests.library.distributed.checks import CHECKS

PATIENCE = timedelta(seconds=60)


def outcome(name: str, folder: Path, rank: int) -> str:
    """The traceback of a check that failed; nothing for one that passed."""
    store = (folder / name).as_uri()
    try:
        dist.init_process_group(
            "gloo", init_method=store, rank=rank, world_size=2, timeout=PATIENCE
        )
        # A check that sends nothing could otherwise end before the other process has connected.
        dist.barrier()
        CHECKS[name]()
    except Exception:
        return traceback.format_exc()
    finally:
        if dist.is_initialized():
            dist.destroy_process_group()
    return ""


def main(folder: Path, rank: int) -> None:
    with (folder / f"{rank}.jsonl").open("w", encoding="utf-8") as results:
        for name in CHECKS:
            print(json.dumps([name, outcome(name, folder, rank)]), file=results, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

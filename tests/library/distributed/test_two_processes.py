"""Every check of this folder, as the two processes of ``program.py`` have run it."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.helpers import ROOT
from tests.library.distributed import program
from tests.library.distributed.checks import CHECKS

pytestmark = pytest.mark.slow  # three processes at once, for the better part of a minute


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """For each process: what became of every check by name, and what the process said."""
    folder = tmp_path_factory.mktemp("processes")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    line = [sys.executable, "-m", program.__name__, str(folder)]
    logs = [(folder / f"{rank}.log") for rank in range(2)]
    processes: list[subprocess.Popen[bytes]] = []
    for rank, log in enumerate(logs):
        with log.open("w") as output:
            options = {"cwd": ROOT, "env": environment, "stdout": output, "stderr": output}
            processes.append(subprocess.Popen([*line, str(rank)], **options))
    try:
        # Where one has come to its end too early, the other would only wait for it.
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline and {p.poll() for p in processes} in ({None}, {None, 0}):
            time.sleep(0.05)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return [(read(log.with_suffix(".jsonl")), log.read_text("utf-8")) for log in logs]


def read(path: Path) -> dict[str, str]:
    return dict(map(json.loads, path.read_text("utf-8").splitlines())) if path.exists() else {}


@pytest.mark.parametrize("name", CHECKS)
def test_two_processes(name, results):
    for rank, (outcomes, said) in enumerate(results):
        failure = outcomes.get(name, f"not reached. The process said:\n{said[-3000:]}")
        if failure:
            pytest.fail(f"process {rank}: {failure}", pytrace=False)

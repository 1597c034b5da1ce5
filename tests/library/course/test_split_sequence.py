"""The split sequence as learners run it; tests/library/distributed has its functions."""

import os
import subprocess
import sys

from tests.helpers import ROOT


def test_the_command_says_that_slices_equal_one_process():
    torchrun = "-m torch.distributed.run --standalone --nproc-per-node=2"
    line = [sys.executable, *torchrun.split(), "-m", "pe_lib.course.split_sequence"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    options = {"env": environment, "capture_output": True, "text": True, "timeout": 120}
    done = subprocess.run(line, cwd=ROOT, **options)
    assert done.returncode == 0, done.stderr
    equal = [f"{kind}: 2 slices together equal one process" for kind in ("rotary", "ALiBi", "T5")]
    assert done.stdout.splitlines() == equal

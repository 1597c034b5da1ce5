"""Where a number comes from: the code, the versions and the processor."""

import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

RECORDS = ("*.csv", "*.safetensors", "*/record.json", "*/provenance.json")


def machine(device: str = "cpu") -> dict[str, Any]:
    """The versions, the device and the date that a record's numbers come from.

    Example:
        >>> machine()["device"]
        'cpu'
    """
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": commit(Path(__file__).parents[1]),
        "pe_lib": version("pe_lib"),
        "torch": str(torch.__version__),
        "python": platform.python_version(),
        "processor": processor(device),
        "threads": torch.get_num_threads(),
        "device": device.partition(":")[0],
    }


def processor(device: str = "cpu") -> str:
    """The name of what computes."""
    if device.startswith("cuda"):
        return torch.cuda.get_device_name(device)
    if (facts := Path("/proc/cpuinfo")).exists():
        lines = facts.read_text("utf-8").splitlines()
        names = (line.rpartition(": ")[2] for line in lines if line.startswith("model name"))
        if name := next(names, ""):
            return name
    return platform.processor() or platform.machine()


@cache
def commit(folder: Path) -> str:
    """The commit that a folder of a git checkout stands at, and whether its code was changed since.

    What experiments write (``RECORDS``) is no code. A process is told what it is told first: later
    commits are not the code that it runs.

    Example:
        >>> commit(Path("/"))
        'not in git'
    """

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    try:
        changed = git("status", "--porcelain", "--", ".", *(f":(exclude){r}" for r in RECORDS))
        return git("rev-parse", "--short=12", "HEAD") + (", changed" if changed else "")
    except (OSError, subprocess.CalledProcessError):
        return "not in git"

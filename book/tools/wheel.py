"""The wheel of pe_lib that lies beside the book's pages, for notebooks that stand alone.

    .venv/bin/python -m book.tools.wheel FOLDER

The same sources give the same bytes.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from book.tools.notebooks import ROOT

SOURCES = ("pyproject.toml", "README.md", "LICENSE", "pe_lib")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
# 1980 has begun, in seconds: a zip file names nothing before.
EPOCH = "315532800"


def make(folder: Path) -> Path:
    """Make the wheel in a folder, in place of older ones, and give its path."""
    for old in folder.glob("pe_lib-*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as work:
        # Of a copy: setuptools puts into a wheel what an earlier build has left behind.
        for source in SOURCES:
            copy(ROOT / source, Path(work, source))
        wheel = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, work]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": EPOCH}
        subprocess.run([*PIP, *wheel], check=True, env=environment)
    return next(folder.glob("pe_lib-*.whl"))


def copy(source: Path, target: Path) -> None:
    """Copy a file, or a folder without bytecode."""
    if source.is_dir():
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy2(source, target)


if __name__ == "__main__":
    print(make(Path(sys.argv[1])))

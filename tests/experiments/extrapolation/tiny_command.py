"""The command with tiny runs, as a program: for processes, which know nothing of a test's patches.

tiny_command.py TABLES WHAT [OPTION ...]
"""

import sys
from pathlib import Path

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.extrapolation import command, records, setting, work
from tests.experiments.extrapolation.conftest import TINY

setting.POSITIONS, setting.SEEDS = ("none", "learned", "rope"), (0, 1)
command.SETTING = TINY
work.SAVE_EVERY = 0.0

if __name__ == "__main__":
    tables = Path(sys.argv.pop(1))
    for name in ("choices", "merge"):
        function = getattr(records, name)
        setattr(records, name, lambda given, own=function: own(given, tables))
    sys.argv.insert(1, "extrapolation")
    sys.exit(experiments.main())

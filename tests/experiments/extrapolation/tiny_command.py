"""The command with tiny runs, as a program: for processes, which know nothing of a test's patches.

tiny_command.py TABLES WHAT [OPTION ...]
"""

import sys
from pathlib import Path

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.engine import work
from pe_lib.experiments.extrapolation import setting
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from tests.experiments.extrapolation.conftest import TINY, shorten

if __name__ == "__main__":
    shorten(setattr)
    setting.SEEDS = (0, 1)
    work.SAVE_EVERY = 0.0
    experiments.EXPERIMENTS = (Extrapolation(Path(sys.argv.pop(1)), TINY),)
    sys.argv.insert(1, "extrapolation")
    sys.exit(experiments.main())

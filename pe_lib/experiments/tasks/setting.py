"""What is trained: the tasks, the sizes that all runs share, and the positions."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pe_lib.experiments.engine import runs
from pe_lib.experiments.engine.runs import at_rates


@dataclass(frozen=True)
class Setting(runs.Setting):
    """Sizes of the models, and of what they are trained on.

    Attributes:
        task: ``"copying"`` or ``"retrieval"``.
        shortest, longest: symbols in a string of the training; each step draws a length.
    """

    task: str
    shortest: int
    longest: int


@dataclass(frozen=True)
class Run(runs.Run):
    """One training: runs of one setting and seed see the same strings in the same order."""

    setting: Setting


SETTINGS = (
    Setting("copying", 64, 3, 4, batch=64, steps=800, task="copying", shortest=4, longest=24),
    Setting("retrieval", 64, 3, 4, batch=64, steps=1000, task="retrieval", shortest=16, longest=32),
)
# Symbols in a string that is measured.
LENGTHS = {"copying": (8, 16, 24, 32, 48, 64), "retrieval": (16, 32, 48, 64, 96, 128)}

POSITIONS = (
    *("none", "sinusoidal", "learned", "rope", "alibi", "t5"),
    *("xpos", "shaw", "xl", "kerple", "fire", "cope", "rope2none1"),
)
# What ``TransformerLM`` takes for a name that is no kind of its own. Two layers that turn and see
# as far back as any question asks, then one without positions that sees everything.
MIXED: dict[str, dict[str, Any]] = {
    "rope2none1": {"position": ["rope", "rope", "none"], "window": [32, 32, None]},
}
TABLE_STD = 1.0  # that of the word vectors
LEARNING_RATE = 3e-3  # for all kinds: nothing is tuned here
SEEDS = (0, 1, 2)


def all_runs(settings: Iterable[Setting] = SETTINGS) -> list[Run]:
    """Every task with every encoding, at every seed.

    Example:
        >>> len(all_runs())
        78
    """
    return [
        run
        for seed in SEEDS
        for setting in settings
        for run in at_rates(Run, setting, POSITIONS, (TABLE_STD,), (LEARNING_RATE,), seed)
    ]


SMOKE = Setting(
    "tasks-smoke", 32, 2, 2, batch=32, steps=300, task="retrieval", shortest=16, longest=32
)
# Some seconds' work with all its parts, to see whether the experiment still gives the same numbers.
SMOKE_RUN = Run(SMOKE, "rope", None, LEARNING_RATE, seed=0)
# Nats. Weights changed by one part in 100,000 move its loss by less than a hundredth of this;
# another seed moves it by more than all of it.
SMOKE_BAND = 0.001

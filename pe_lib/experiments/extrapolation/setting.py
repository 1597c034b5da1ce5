"""What is trained: the sizes that all runs share, and the one thing in which they differ."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pe_lib.experiments.engine import runs


@dataclass(frozen=True)
class Setting(runs.Setting):
    """Sizes of the models, of their training and of what is measured at its end.

    Attributes:
        length: bytes in a window of the training.
        longest: bytes in the longest window that is measured.
        spacing: bytes from one of those places to the next.
    """

    length: int
    longest: int
    spacing: int

    @property
    def lengths(self) -> tuple[int, ...]:
        """The measured lengths: the training's, doubled until the longest.

        Example:
            >>> SMALL.lengths
            (128, 256, 512, 1024, 2048)
        """
        doublings = int(math.log2(self.longest / self.length))
        return tuple(self.length * 2**n for n in range(doublings + 1))

    @property
    def scored(self) -> int:
        """How many bytes count at the end of a window, where all end at the same places.

        Example:
            >>> SMALL.scored
            64
        """
        return self.length // 2


SMALL = Setting("small", 128, 4, 4, length=128, longest=2048, batch=8, steps=1000, spacing=1024)
# Some seconds' work with all the engine's parts, to see whether it still gives the same numbers.
SMOKE = Setting("smoke", 64, 2, 2, length=128, longest=512, batch=8, steps=50, spacing=4096)


@dataclass(frozen=True)
class Run(runs.Run):
    """One training: runs of one setting and seed see the same bytes in the same order."""

    setting: Setting


AT_ALL_SEEDS = ("none", "sinusoidal", "learned", "rope", "alibi", "t5")
AT_FEWER_SEEDS = ("xpos", "shaw", "xl", "kerple", "fire", "cope", "rope3none1")
POSITIONS = AT_ALL_SEEDS + AT_FEWER_SEEDS
# What ``TransformerLM`` takes for a name that is no kind of its own. Three layers that turn and see
# half of a training window, then one without positions that sees everything: as in models of 2025.
MIXED: dict[str, dict[str, Any]] = {
    "rope3none1": {"position": ["rope", "rope", "rope", "none"], "window": [64, 64, 64, None]},
}
TABLE_STDS = (0.02, 1.0)  # BERT's, and that of the word vectors here
# For "none", and for a learned table that begins at 0.02, the lowest was the best: even lower ones
# might be better still.
LEARNING_RATES = (2e-3, 4e-3, 8e-3)
SEEDS = (0, 1, 2, 3, 4)


def tuning_runs(setting: Setting) -> list[Run]:
    """Every encoding at every learning rate, at the first seed.

    Example:
        >>> len(tuning_runs(SMALL))
        42
    """
    return runs.at_rates(Run, setting, POSITIONS, TABLE_STDS, LEARNING_RATES, SEEDS[0])


def seeds_of(position: str) -> tuple[int, ...]:
    """The seeds at which an encoding is trained.

    Example:
        >>> seeds_of("rope"), seeds_of("xpos")
        ((0, 1, 2, 3, 4), (0, 1, 2))
    """
    return SEEDS if position in AT_ALL_SEEDS else SEEDS[:3]


def seed_runs(choices: Mapping[str, Run]) -> Iterator[Run]:
    """Every encoding at each of its seeds, with what the tuning chose for it.

    Example:
        >>> found = seed_runs({"xpos": Run(SMALL, "xpos", None, 4e-3, seed=0)})
        >>> [run.seed for run in found]
        [0, 1, 2]
    """
    every = runs.at_seeds(choices, SEEDS)
    return (run for run in every if run.seed in seeds_of(run.position))


SMOKE_RUN = Run(SMOKE, "rope", None, 4e-3, seed=0)
# Nats. Another number of threads, float64, or weights changed by one part in 100,000 move its
# losses by less than a thousandth of this; another seed moves them by more than all of it.
SMOKE_BAND = 0.001

"""What is trained: the sizes that all runs share, and in what they differ."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pe_lib.experiments.engine import runs
from pe_lib.experiments.engine.runs import at_rates

SHORTEST = 128  # tokens in the shortest texts that are measured


@dataclass(frozen=True)
class Setting(runs.Setting):
    """Sizes of the models, of their training and of what is measured at its end.

    Attributes:
        length: tokens in a ledger of the training, at its end.
        longest: tokens in the longest ledgers that are measured.
        windows: how many of each length are measured.
    """

    length: int
    longest: int
    windows: int

    def windows_at(self, step: int) -> tuple[int, int]:
        """How long the windows of a step are, and how many.

        A training on long windows begins with short ones, for half of its steps. From long windows
        alone RoPE, at one seed, did no better than a guess after as many steps.

        Example:
            >>> [LONG.windows_at(step) for step in (0, 249, 250)]
            [(128, 8), (128, 8), (1024, 1)]
        """
        if self.length > SHORTEST and step < self.steps // 2:
            return SHORTEST, self.batch * self.length // SHORTEST
        return self.length, self.batch

    @property
    def lengths(self) -> tuple[int, ...]:
        """The measured lengths: the shortest, doubled until the longest.

        Example:
            >>> SHORT.lengths
            (128, 256, 512, 1024, 2048, 4096)
        """
        doublings = (self.longest // SHORTEST).bit_length()
        return tuple(SHORTEST * 2**n for n in range(doublings))


SHORT = Setting("recall-128", 64, 2, 2, batch=8, steps=500, length=128, longest=4096, windows=32)
# The same number of tokens in a step and in all, half of them in windows eight times as long.
LONG = replace(SHORT, name="recall-1024", batch=1, length=1024)


@dataclass(frozen=True)
class Run(runs.Run):
    """One training: runs of one setting and seed see the same ledgers in the same order."""

    setting: Setting


POSITIONS = (
    "none",
    "sinusoidal",
    "learned",
    "rope",
    "xpos",
    "alibi",
    "kerple",
    "fire",
    "shaw",
    "t5",
    "xl",
    "cope",
    "rope1none1",
)
TABLE_STDS = (0.02, 1.0)  # BERT's, and that of the word vectors here
# What ``TransformerLM`` takes for a name that is no kind of its own. A layer that turns and sees
# half of a short training window, then one without positions that sees everything.
MIXED: dict[str, dict[str, Any]] = {
    "rope1none1": {"position": ["rope", "none"], "window": [64, None]},
}
LEARNING_RATES = (4e-3, 8e-3, 16e-3)
SEEDS = (0, 1, 2)


def tuning_runs() -> list[Run]:
    """Every encoding at every learning rate, on short windows and at the first seed.

    Example:
        >>> len(tuning_runs())
        42
    """
    return at_rates(Run, SHORT, POSITIONS, TABLE_STDS, LEARNING_RATES, SEEDS[0])


def seed_runs(choices: Mapping[str, Run]) -> Iterator[Run]:
    """Every encoding at every seed and both lengths, at the learning rate that was chosen for it.

    Example:
        >>> len(list(seed_runs({"rope": Run(SHORT, "rope", None, 8e-3, seed=0)})))
        6
    """
    for seed in SEEDS:
        for setting in (SHORT, LONG):
            for choice in choices.values():
                yield replace(choice, setting=setting, seed=seed)


SMOKE = Setting("recall-smoke", 32, 1, 2, batch=8, steps=60, length=128, longest=512, windows=4)
# Some seconds' work with all its parts, to see whether the experiment still gives the same numbers.
SMOKE_RUN = Run(SMOKE, "rope", None, 6e-3, seed=0)
# Nats. Weights changed by one part in 100,000 move its losses by less than a fiftieth of this;
# another seed moves them by more than all of it.
SMOKE_BAND = 0.0003

"""One training among others that are alike but for the positions."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar


@dataclass(frozen=True)
class Setting:
    """Sizes of the models and of their training.

    Attributes:
        name: the first part of a run's name.
        dim, num_layers, num_heads: of the model.
        batch: examples in a step.
        steps: steps of the training.
    """

    name: str
    dim: int
    num_layers: int
    num_heads: int
    batch: int
    steps: int

    def rate_factor(self, step: int) -> float:
        """The learning rate of a step, counted from 0, as a part of the run's own.

        It rises for the first twelfth of the steps and falls along a cosine to 0.

        Example:
            >>> setting = Setting("small", 128, 4, 4, batch=8, steps=1000)
            >>> [round(setting.rate_factor(step), 2) for step in (0, 41, 83, 500, 999)]
            [0.01, 0.5, 0.98, 0.5, 0.0]
        """
        rising = (step + 1) / (self.steps / 12)
        return min(1.0, rising) * (1 + math.cos(math.pi * step / self.steps)) / 2


@dataclass(frozen=True)
class Run:
    """One training: runs of one setting and seed see the same examples in the same order.

    Attributes:
        setting: what it shares with the others.
        position: an encoding of the model, or a name for several kinds in its layers.
        table_std: the standard deviation of a learned table before training; None for other kinds.
        learning_rate: the largest, of the schedule in ``Setting.rate_factor``.
        seed: of the first weights and of the order of the examples.
    """

    setting: Setting
    position: str
    table_std: float | None
    learning_rate: float
    seed: int

    @property
    def kind(self) -> str:
        """What the run differs in from others with its setting, learning rate and seed.

        Example:
            >>> setting = Setting("small", 128, 4, 4, batch=8, steps=1000)
            >>> Run(setting, "learned", 0.02, 4e-3, seed=0).kind
            'learned-std0.02'
        """
        return self.position + ("" if self.table_std is None else f"-std{self.table_std:g}")

    @property
    def name(self) -> str:
        """A name that no other run has.

        Example:
            >>> setting = Setting("small", 128, 4, 4, batch=8, steps=1000)
            >>> Run(setting, "rope", None, 4e-3, seed=0).name
            'small-rope-lr0.004-seed0'
        """
        return f"{self.setting.name}-{self.kind}-lr{self.learning_rate:g}-seed{self.seed}"


R = TypeVar("R", bound=Run)


def at_rates(
    kind: type[R],
    setting: Setting,
    positions: Iterable[str],
    table_stds: Sequence[float],
    learning_rates: Iterable[float],
    seed: int,
) -> list[R]:
    """Every encoding at every learning rate, and a learned table from every first size."""
    return [
        kind(setting, position, std, rate, seed)
        for rate in learning_rates
        for position in positions
        for std in (table_stds if position == "learned" else (None,))
    ]


def at_seeds(choices: Mapping[str, R], seeds: Iterable[int]) -> Iterator[R]:
    """Every encoding at every seed, with what the tuning chose for it."""
    for seed in seeds:
        for choice in choices.values():
            yield replace(choice, seed=seed)

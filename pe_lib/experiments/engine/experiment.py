"""What one experiment differs in from another."""

import argparse
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

import torch
from torch import Tensor

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.runs import R
from pe_lib.experiments.engine.tables import Row

M = TypeVar("M", bound=torch.nn.Module)  # a model
E = TypeVar("E")  # the examples of one step

Say = Callable[[str], None]
ExtraCommand = tuple[str, Callable[[argparse.Namespace, Say], None]]


class Experiment(ABC, Generic[R, M, E]):
    """What is trained, on what, and what is measured of it.

    Args:
        records: where its tables are.

    Attributes:
        name: of its command.
        summary: what it measures and how long that takes, in a line.
        about: what it does, in a sentence or two.
        folder: where results and trainings are kept, unless a command names another place.
        smoke: a run of some seconds.
        tuning: runs that try learning rates, in the order in which shares are taken of them; none
            where nothing is tuned.
        extra_commands: commands of its own, for one process: what each does, in words and in code.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    about: ClassVar[str]
    folder: ClassVar[str]
    smoke: R
    tuning: Sequence[R] = ()
    extra_commands: Mapping[str, ExtraCommand] = MappingProxyType({})

    def __init__(self, records: Path) -> None:
        self.records = records

    @abstractmethod
    def seeds(self, choices: Mapping[str, R]) -> Iterable[R]:
        """The runs of all seeds, with what the tuning chose for each encoding."""

    @abstractmethod
    def new_model(self, run: R) -> M:
        """A run's model before training: with one seed, all kinds begin with the same weights."""

    @abstractmethod
    def examples(self, run: R, device: str) -> Callable[[int], E]:
        """What each step, counted from 0, learns from: the same for all runs of one seed."""

    @abstractmethod
    def loss(self, model: M, examples: E) -> Tensor:
        """What a step makes smaller."""

    @abstractmethod
    def data(self) -> dict[str, str]:
        """What the runs learn from, as a name and a hash."""

    @abstractmethod
    def validated(self, model: M, run: R) -> dict[str, float]:
        """What the tuning looks at: of all values the lowest ``validation_loss`` is chosen."""

    @abstractmethod
    def measured(self, model: M, run: R) -> dict[str, Any]:
        """All that the tables show of a finished training: of unseen data."""

    @abstractmethod
    def rows(self, result: Row) -> dict[str, list[Row]]:
        """For each table of measured numbers, its rows of one result."""

    @abstractmethod
    def measuring_seconds(self, run: R, device: str) -> float:
        """How long this takes, for a run like this one, on this machine now."""

    def identity(self, run: R) -> dict[str, Any]:
        """All that a run's numbers depend on, but for the code: as JSON would give it back."""
        return {**asdict(run), **self.data()}

    def choices(self) -> dict[str, R]:
        """What the tuning chose, for each encoding of which it has all runs."""
        return tables.choices(self.tuning, self.records)

    def recorded(self, stage: str) -> set[str]:
        """The names of the runs of a stage whose results the tables hold, all of them."""
        return tables.recorded(stage, self.records)

    def merge(self, results: Path) -> list[str]:
        """Put the results that a folder holds into the tables: see ``tables.merge``."""
        return tables.merge(results, self.records, self.rows)

"""Doing runs: a plan beforehand, and no step counted twice."""

import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Generic

from pe_lib.experiments.engine.runs import R, Run
from pe_lib.experiments.engine.training import T, Training
from pe_lib.experiments.files import whole
from pe_lib.experiments.machine import machine

SAVE_EVERY = 30.0  # seconds: what an interruption may cost
GO_ON = "the same command goes on from here"
PART = 30.0  # minutes: a plan says how many parts of this length it takes


@dataclass(frozen=True)
class Work(ABC, Generic[T]):
    """Some runs to do. An experiment says how they are trained, and what is measured.

    Attributes:
        stage: ``"tuning"``, which measures validation data alone, or ``"seeds"``, which measures
            unseen data in every way.
        runs: the runs.
        folder: where results, and trainings not yet finished, are kept.
        device: where to compute.
        say: is given a line for each thing that happens.
        recorded: names of runs whose results the tables already hold.
    """

    stage: str
    runs: Sequence[Run]
    folder: Path
    device: str = "cpu"
    say: Callable[[str], None] = print
    recorded: Container[str] = ()

    @property
    @abstractmethod
    def training(self) -> type[T]:
        """How a run is trained."""

    @abstractmethod
    def validated(self, training: T) -> dict[str, float]:
        """What the tuning looks at: of all values the lowest ``validation_loss`` is chosen."""

    @abstractmethod
    def data(self) -> dict[str, str]:
        """What the runs learn from, as a name and a hash."""

    @abstractmethod
    def measured(self, training: T) -> dict[str, Any]:
        """All that the tables show of a finished training."""

    @abstractmethod
    def measuring_seconds(self, run: Any) -> float:
        """How long this takes, for a run like this one, on this machine now."""

    def result(self, run: Run) -> Path:
        return self.folder / self.stage / f"{run.name}.json"

    def saved(self, run: Run) -> Path:
        """Where a run's training is kept; both stages go on from the same."""
        return self.folder / "trained" / f"{run.name}.pt"

    def missing(self) -> list[Run]:
        """The runs without a result.

        Raises:
            ValueError: a result is of other settings, or of other data.
        """
        return [run for run in self.runs if not self.has_result(run)]

    def has_result(self, run: Run) -> bool:
        if run.name in self.recorded:
            return True
        path = self.result(run)
        if not path.exists():
            return False
        made_of, own = json.loads(path.read_text("utf-8"))["identity"], self.training.identity(run)
        if made_of != own:
            came = f"got {made_of} (move {path} away)"
            raise ValueError(f"folder: expected results of {own}, {came}")
        return True

    def plan(self) -> float:
        """Say what there is to do and for how long. Returns the minutes."""
        missing = self.missing()
        done = len(self.runs) - len(missing)
        self.say(f"{self.stage}: {len(self.runs)} runs, {done} of them done; {self.device}")
        total = 0.0
        for run in missing:
            minutes = self.seconds(run) / 60
            total += minutes
            self.say(f"  {minutes:5.1f} min  {run.name}")
        parts = math.ceil(total / PART)
        self.say(f"  {total:5.1f} min in all: {parts} x {PART:.0f} minutes at most")
        return total

    def seconds(self, run: Run) -> float:
        """How long a run will take, from where it stands."""
        left = run.setting.steps - self.training.steps_done(self.saved(run))
        step = step_seconds(self.training, alike(run), self.device)
        return left * step + self.seconds_to_measure(run)

    def seconds_to_measure(self, run: Run) -> float:
        return self.measuring_seconds(alike(run)) if self.stage == "seeds" else 0.0

    def do(self, until: float = math.inf) -> bool:
        """Do what is missing.

        Args:
            until: the time (of ``time.monotonic``) after which nothing is begun.

        Returns:
            Whether all is done.
        """
        missing = self.missing()
        for number, run in enumerate(missing, start=1):
            self.say(f"{number} of {len(missing)}: {run.name}")
            training = self.trained(run, until)
            if training is None:
                self.say(f"the time is over; {GO_ON}")
                return False
            if time.monotonic() + (needed := self.seconds_to_measure(run)) > until:
                self.say(f"not enough time to measure it, which takes {needed:.0f} s; {GO_ON}")
                return False
            with whole(self.result(run)) as unfinished:
                unfinished.write_text(json.dumps(self.found(training), indent=1) + "\n", "utf-8")
        self.say("all done")
        return True

    def trained(self, run: Run, until: float) -> T | None:
        """A run's training, finished; None where the time was over before."""
        path = self.saved(run)
        training, last = self.training.resumed(run, path, self.device), time.monotonic()
        while not training.finished:
            loss, now = training.advance(), time.monotonic()
            over = now > until
            if over or training.finished or now - last > SAVE_EVERY:
                training.save(path)
                last = now
                left = (run.setting.steps - training.step) * training.seconds / training.step
                about = f"loss {loss:.3f}, {left / 60:.1f} min of training left"
                self.say(f"  step {training.step} of {run.setting.steps}, {about}")
            if over and not training.finished:
                return None
        return training

    def found(self, training: T) -> dict[str, Any]:
        """All that is known of a run."""
        run, model = training.run, training.model
        positions = [p for name, p in model.named_parameters() if "position" in name.split(".")]
        about: dict[str, Any] = {
            "run": run.name,
            "setting": run.setting.name,
            "position": run.position,
            "table_std": run.table_std,
            "learning_rate": run.learning_rate,
            "seed": run.seed,
            "parameters": sum(p.numel() for p in model.parameters()),
            "of_positions": sum(p.numel() for p in positions),
            "steps": training.step,
            "seconds": round(training.seconds, 1),
            **{name: round(value, 4) for name, value in self.validated(training).items()},
            **training.made_with,
            **self.data(),
            "identity": training.identity(run),
        }
        if self.stage == "tuning":
            return about
        measured_with = {"measured_with": machine(self.device)["commit"]}
        return about | measured_with | self.measured(training)


def alike(run: R) -> R:
    """One run in place of all that take equally long."""
    return replace(run, learning_rate=1.0, seed=0)


@cache
def step_seconds(training_of: type[Training[Any, Any]], run: Run, device: str) -> float:
    """How long a training step takes, on this machine now."""
    training = training_of(run, device)
    training.advance()  # the first step is slower than all others
    before = training.seconds
    for _ in range(3):
        training.advance()
    return (training.seconds - before) / 3

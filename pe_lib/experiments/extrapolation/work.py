"""Doing runs: a plan beforehand, a share of it for each process, and no step counted twice.

Processes know nothing of each other. The plan has an order, and of n processes the k-th takes every
n-th run from the k-th on, whatever has started them, on one machine or on many.
"""

import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pe_lib.experiments.extrapolation.measuring import (
    AT_ONCE,
    measure,
    validation_loss,
    window_losses,
    windows_of,
)
from pe_lib.experiments.extrapolation.setting import Run
from pe_lib.experiments.extrapolation.training import Training, identity
from pe_lib.experiments.files import whole
from pe_lib.experiments.machine import machine
from pe_lib.experiments.text import text_hash, unseen_text, validation_text

SAVE_EVERY = 30.0  # seconds: what an interruption may cost
GO_ON = "the same command goes on from here"
PART = 30.0  # minutes: a plan says how many parts of this length it takes


@dataclass(frozen=True)
class Share:
    """Every ``count``-th run of a plan, from number ``index`` on.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMALL, tuning_runs
        >>> [run.position for run in Share(1, 7).of(tuning_runs(SMALL))]
        ['sinusoidal', 'sinusoidal', 'sinusoidal']
    """

    index: int = 0
    count: int = 1

    def of(self, runs: Sequence[Run]) -> Sequence[Run]:
        return runs[self.index :: self.count]


@dataclass(frozen=True)
class Work:
    """Some runs to do.

    Attributes:
        stage: ``"tuning"``, which measures validation text at the trained length alone, or
            ``"seeds"``, which measures unseen text at all lengths.
        runs: the runs.
        folder: where results, and trainings not yet finished, are kept.
        device: where to compute.
        say: is given a line for each thing that happens.
    """

    stage: str
    runs: Sequence[Run]
    folder: Path
    device: str = "cpu"
    say: Callable[[str], None] = print

    def result(self, run: Run) -> Path:
        return self.folder / self.stage / f"{run.name}.json"

    def saved(self, run: Run) -> Path:
        """Where a run's training is kept; both stages go on from the same."""
        return self.folder / "trained" / f"{run.name}.pt"

    def missing(self) -> list[Run]:
        """The runs without a result.

        Raises:
            ValueError: a result is of other settings, or of another text.
        """
        return [run for run in self.runs if not self.has_result(run)]

    def has_result(self, run: Run) -> bool:
        path = self.result(run)
        if not path.exists():
            return False
        made_of = json.loads(path.read_text("utf-8"))["identity"]
        if made_of != identity(run):
            came = f"got {made_of} (move {path} away)"
            raise ValueError(f"folder: expected results of {identity(run)}, {came}")
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
        left = run.setting.steps - Training.steps_done(self.saved(run))
        return left * step_seconds(alike(run), self.device) + self.seconds_to_measure(run)

    def seconds_to_measure(self, run: Run) -> float:
        return measuring_seconds(alike(run), self.device) if self.stage == "seeds" else 0.0

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
                unfinished.write_text(json.dumps(self.measured(training), indent=1) + "\n", "utf-8")
        self.say("all done")
        return True

    def trained(self, run: Run, until: float) -> Training | None:
        """A run's training, finished; None where the time was over before."""
        path = self.saved(run)
        training, last = Training.resumed(run, path, self.device), time.monotonic()
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

    def measured(self, training: Training) -> dict[str, Any]:
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
            "validation_loss": round(
                validation_loss(model, validation_text(), run.setting.length), 4
            ),
            **training.made_with,
            "text": text_hash(),
            "identity": identity(run),
        }
        if self.stage == "tuning":
            return about
        losses, by_position = measure(model, run.setting)
        measured_with = machine(self.device)["commit"]
        return about | {
            "measured_with": measured_with, "losses": losses, "by_position": by_position,
        }  # fmt: skip


def alike(run: Run) -> Run:
    """One run in place of all that take equally long."""
    return replace(run, learning_rate=1.0, seed=0)


@cache
def step_seconds(run: Run, device: str) -> float:
    """How long a training step takes, on this machine now."""
    training = Training(run, device)
    training.advance()  # the first step is slower than all others
    before = training.seconds
    for _ in range(3):
        training.advance()
    return (training.seconds - before) / 3


@cache
def measuring_seconds(run: Run, device: str) -> float:
    """How long it takes to read all windows of all lengths, on this machine now."""
    model, seconds = Training(run, device).model, 0.0
    for length in run.setting.lengths:
        ends = [length] * max(1, AT_ONCE // length)
        begun = time.perf_counter()
        window_losses(model, unseen_text(), ends, length)
        windows = windows_of(run.setting, length)
        seconds += (time.perf_counter() - begun) * windows / len(ends)
    return seconds

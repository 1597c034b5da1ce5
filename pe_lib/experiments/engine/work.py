"""Doing runs: a plan beforehand, and no step counted twice."""

import math
import time
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from pe_lib.experiments.engine.experiment import Experiment, Say
from pe_lib.experiments.engine.kept import read_result, write_result
from pe_lib.experiments.engine.runs import R, Run
from pe_lib.experiments.engine.training import Training, resumed, steps_done
from pe_lib.experiments.loss import Diverged
from pe_lib.experiments.machine import machine

SAVE_EVERY = 30.0  # seconds: what an interruption may cost
GO_ON = "the same command goes on from here"
PART = 30.0  # minutes: a plan says how many parts of this length it takes

AnyTraining = Training[Any, Any, Any]


@dataclass(frozen=True)
class Work:
    """Some runs of an experiment to do.

    Attributes:
        experiment: says how they are trained, and what is measured.
        stage: ``"tuning"``, which measures validation data alone, or ``"seeds"``, which measures
            unseen data in every way.
        runs: the runs.
        folder: where results, and trainings not yet finished, are kept.
        device: where to compute.
        say: is given a line for each thing that happens.
        recorded: names of runs whose results the tables already hold.
    """

    experiment: Experiment[Any, Any, Any]
    stage: str
    runs: Sequence[Run]
    folder: Path
    device: str = "cpu"
    say: Say = print
    recorded: Container[str] = ()

    def result(self, run: Run) -> Path:
        return self.folder / self.stage / f"{run.name}.json"

    def saved(self, run: Run) -> Path:
        return saved_in(self.folder, run)

    def missing(self) -> list[Run]:
        """The runs without a result.

        Raises:
            ValueError: a result is of other settings, of other data, or damaged.
        """
        return [run for run in self.runs if not self.has_result(run)]

    def has_result(self, run: Run) -> bool:
        if run.name in self.recorded:
            return True
        path = self.result(run)
        if not path.exists():
            return False
        made_of, own = read_result(path)["identity"], self.experiment.identity(run)
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
        left = run.setting.steps - steps_done(self.saved(run))
        step = step_seconds(self.experiment, alike(run), self.device)
        return left * step + self.seconds_to_measure(run)

    def seconds_to_measure(self, run: Run) -> float:
        if self.stage == "tuning":
            return 0.0
        return measuring_seconds(self.experiment, alike(run), self.device)

    def do(self, until: float = math.inf) -> bool:
        """Do what is missing.

        Args:
            until: the time (of ``time.monotonic``) after which nothing is begun.

        Returns:
            Whether all is done. False where the time was over before.

        Raises:
            ValueError: a run of the seeds has diverged; all others are done.
        """
        missing, diverged = self.missing(), []
        for number, run in enumerate(missing, start=1):
            self.say(f"{number} of {len(missing)}: {run.name}")
            training = resumed(self.experiment, run, self.saved(run), self.device)
            try:
                found = self.finish(training, until)
            except Diverged as error:
                self.say(f"  diverged: {error}")
                if self.stage == "seeds":
                    diverged.append(run.name)
                    continue
                # That this learning rate is too large is what the tuning wants to know.
                found = self.about(training, validation_loss=None, diverged=str(error))
            if found is None:
                return False
            write_result(self.result(run), found)
        if diverged:
            count = f"{len(diverged)} of {len(missing)} runs diverged and have no result"
            raise ValueError(f"{count}: {', '.join(diverged)} (try smaller learning rates)")
        self.say("all done")
        return True

    def finish(self, training: AnyTraining, until: float) -> dict[str, Any] | None:
        """Train to the end, and measure. Returns what was found; None where the time was over.

        Raises:
            Diverged: a loss, or what was measured at the end, is not finite.
        """
        if not self.train(training, until):
            self.say(f"the time is over; {GO_ON}")
            return None
        if time.monotonic() + (needed := self.seconds_to_measure(training.run)) > until:
            self.say(f"not enough time to measure it, which takes {needed:.0f} s; {GO_ON}")
            return None
        found = self.found(training)
        if broken := [name for name, value in found.items() if not all_finite(value)]:
            raise Diverged(f"{', '.join(broken)} of the trained model: not finite")
        return found

    def train(self, training: AnyTraining, until: float) -> bool:
        """Returns whether there was time for all of it."""
        run, last = training.run, time.monotonic()
        path = self.saved(run)
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
                return False
        return True

    def found(self, training: AnyTraining) -> dict[str, Any]:
        """All that is known of a run."""
        found = self.experiment.validated(training.model, training.run)
        validated = {name: round(value, 4) for name, value in found.items()}
        about = self.about(training, **validated)
        if self.stage == "tuning":
            return about
        measured_with = {"measured_with": machine(self.device)["commit"]}
        return about | measured_with | self.experiment.measured(training.model, training.run)

    def about(self, training: AnyTraining, **validated: object) -> dict[str, Any]:
        """What is known of a run without looking at unseen data."""
        run, model = training.run, training.model
        positions = [p for name, p in model.named_parameters() if "position" in name.split(".")]
        return {
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
            **validated,
            **training.made_with,
            **self.experiment.data(),
            "identity": self.experiment.identity(run),
        }


def all_finite(value: Any) -> bool:
    """Whether there is neither NaN nor infinity in a result.

    Example:
        >>> all_finite({"losses": {128: [1.5, float("nan")]}})
        False
    """
    if isinstance(value, dict):
        return all(map(all_finite, value.values()))
    if isinstance(value, list | tuple):
        return all(map(all_finite, value))
    return not isinstance(value, float) or math.isfinite(value)


def alike(run: R) -> R:
    """One run in place of all that take equally long. It learns nothing, so it cannot diverge."""
    return replace(run, learning_rate=0.0, seed=0)


def saved_in(folder: Path, run: Run) -> Path:
    """Where a run's training is kept; both stages go on from the same."""
    return folder / "trained" / f"{run.name}.pt"


@cache
def measuring_seconds(experiment: Experiment[R, Any, Any], run: R, device: str) -> float:
    """How long it takes to measure a run, on this machine now."""
    return experiment.measuring_seconds(run, device)


@cache
def step_seconds(experiment: Experiment[R, Any, Any], run: R, device: str) -> float:
    """How long a training step takes, on this machine now."""
    training = Training(experiment, run, device)
    training.advance()  # the first step is slower than all others
    before = training.seconds
    for _ in range(3):
        training.advance()
    return (training.seconds - before) / 3

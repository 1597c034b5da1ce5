"""How vision models are trained and measured."""

import time
from functools import cache
from typing import Any

from pe_lib.experiments.digits.measuring import AT_ONCE, measure, read, ways_of
from pe_lib.experiments.digits.setting import PATCH, SIZES
from pe_lib.experiments.digits.training import Training
from pe_lib.experiments.engine import work as engine
from pe_lib.experiments.engine.runs import Run
from pe_lib.experiments.pictures import (
    enlarged,
    pictures_hash,
    unseen_pictures,
    validation_pictures,
)


class Work(engine.Work[Training]):
    """Some vision models to train, and to measure on validation pictures or on unseen ones."""

    training = Training

    def validated(self, training: Training) -> dict[str, float]:
        accuracy, loss = read(training.model, validation_pictures())
        return {"validation_accuracy": accuracy, "validation_loss": loss}

    def data(self) -> dict[str, str]:
        return {"pictures": pictures_hash()}

    def measured(self, training: Training) -> dict[str, Any]:
        return {"results": measure(training.model, training.run.position)}

    def measuring_seconds(self, run: Run) -> float:
        return measuring_seconds(run, self.device)


@cache
def measuring_seconds(run: Run, device: str) -> float:
    """How long it takes to read all pictures at all sizes in all ways, on this machine now."""
    model, (images, labels) = Training(run, device).model, unseen_pictures()
    begun = time.perf_counter()
    for size in SIZES:
        read(model, (enlarged(images[:AT_ONCE], size * PATCH), labels[:AT_ONCE]), resized=True)
    parts = len(images) / AT_ONCE * len(ways_of(run.position))
    return (time.perf_counter() - begun) * parts

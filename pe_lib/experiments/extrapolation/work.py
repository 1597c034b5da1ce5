"""How language models are trained and measured."""

import time
from functools import cache
from typing import Any

from pe_lib.experiments.engine import work as engine
from pe_lib.experiments.extrapolation import stretched
from pe_lib.experiments.extrapolation.measuring import (
    AT_ONCE,
    measure,
    validation_loss,
    window_losses,
    windows_of,
)
from pe_lib.experiments.extrapolation.setting import Run
from pe_lib.experiments.extrapolation.training import Training
from pe_lib.experiments.text import text_hash, unseen_text, validation_text


class Work(engine.Work[Training]):
    """Some language models to train, and to measure on validation text or on unseen text."""

    training = Training

    def validated(self, training: Training) -> dict[str, float]:
        length = training.run.setting.length
        return {"validation_loss": validation_loss(training.model, validation_text(), length)}

    def data(self) -> dict[str, str]:
        return {"text": text_hash()}

    def measured(self, training: Training) -> dict[str, Any]:
        losses, by_position = measure(training.model, training.run.setting)
        return {
            "losses": losses,
            "by_position": by_position,
            "stretched": stretched.measure(training.run, training.model),
        }

    def measuring_seconds(self, run: Run) -> float:
        return measuring_seconds(run, self.device)


@cache
def measuring_seconds(run: Run, device: str) -> float:
    """How long it takes to read all windows of all lengths, on this machine now."""
    model, seconds = Training(run, device).model, 0.0
    methods = stretched.METHODS.get(run.position, ())
    for length in run.setting.lengths:
        ends = [length] * max(1, AT_ONCE // length)
        begun = time.perf_counter()
        window_losses(model, unseen_text(), ends, length)
        windows = windows_of(run.setting, length)
        times = 1 if length == run.setting.length else 1 + len(methods)
        seconds += (time.perf_counter() - begun) * times * windows / len(ends)
    return seconds

"""How models are trained on the tasks and measured."""

import time
from functools import cache
from typing import Any

import torch

from pe_lib.experiments.engine import work as engine
from pe_lib.experiments.tasks.examples import examples_hash, unseen
from pe_lib.experiments.tasks.measuring import (
    AT_ONCE,
    COUNT,
    copied_right,
    retrieved_right,
    right_answers,
)
from pe_lib.experiments.tasks.setting import LENGTHS, Run
from pe_lib.experiments.tasks.training import Training, loss_of


class Work(engine.Work[Training]):
    """Some models to train, and to measure on unseen strings."""

    training = Training

    @torch.no_grad()
    def validated(self, training: Training) -> dict[str, float]:
        s = training.run.setting
        tokens, answers = unseen(s.task, s.longest, AT_ONCE)
        examples = tokens.to(training.device), answers.to(training.device)
        return {"validation_loss": loss_of(training.model, examples).item()}

    def data(self) -> dict[str, str]:
        return {"examples": examples_hash()}

    def measured(self, training: Training) -> dict[str, Any]:
        measure = {"copying": copied_right, "retrieval": retrieved_right}
        task = training.run.setting.task
        return {"task": task, "right": measure[task](training.model)}

    def measuring_seconds(self, run: Run) -> float:
        return measuring_seconds(run, self.device)


@cache
def measuring_seconds(run: Run, device: str) -> float:
    """How long it takes to read all strings of all lengths, on this machine now."""
    model, task = Training(run, device).model, run.setting.task
    begun = time.perf_counter()
    for length in LENGTHS[task]:
        right_answers(model, task, length, AT_ONCE)
    return (time.perf_counter() - begun) * COUNT / AT_ONCE

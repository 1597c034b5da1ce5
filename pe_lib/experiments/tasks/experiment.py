"""What is trained and measured: language models, on strings to copy and to look back in."""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor

from pe_lib.experiments.engine.experiment import Experiment
from pe_lib.experiments.engine.model import new_language_model
from pe_lib.experiments.engine.tables import Row
from pe_lib.experiments.tasks.examples import TASKS, VOCABULARY, Examples, examples_hash, unseen
from pe_lib.experiments.tasks.measuring import (
    AT_ONCE,
    COUNT,
    copied_right,
    loss_of,
    retrieved_right,
    right_answers,
)
from pe_lib.experiments.tasks.records import HERE
from pe_lib.experiments.tasks.setting import (
    LENGTHS,
    MIXED,
    SETTINGS,
    SMOKE_RUN,
    Run,
    Setting,
    all_runs,
)
from pe_lib.model import TransformerLM


def copying(result: Row) -> list[Row]:
    """The rows of the table ``copying`` that one result gives."""
    if result["task"] != "copying":
        return []
    return [
        {
            "run": result["run"],
            "length": length,
            "symbols": f"{symbols:.4f}",
            "strings": f"{strings:.4f}",
        }
        for length, (symbols, strings) in result["right"].items()
    ]


def retrieval(result: Row) -> list[Row]:
    """The rows of the table ``retrieval`` that one result gives."""
    if result["task"] != "retrieval":
        return []
    return [
        {"run": result["run"], "length": length, "distance": distance, "accuracy": f"{share:.4f}"}
        for length, by_distance in result["right"].items()
        for distance, share in by_distance.items()
    ]


def examples_of(run: Run, step: int) -> Examples:
    """What a step learns from: with one setting and seed, the same for all kinds."""
    s = run.setting
    chance = torch.Generator().manual_seed(s.steps * run.seed + step)
    length = int(torch.randint(s.shortest, s.longest + 1, (), generator=chance))
    return TASKS[s.task](length, s.batch, chance)


class Tasks(Experiment[Run, TransformerLM, Examples]):
    """How well each encoding copies and looks back in longer strings.

    Example:
        >>> Tasks().new_model(SMOKE_RUN)(torch.zeros(1, 5, dtype=torch.int64)).shape
        torch.Size([1, 5, 22])
    """

    name, folder = "tasks", "runs/tasks"
    summary = "copying and looking back, in longer strings than in training: an hour or two"
    about = (
        "Train small language models with each encoding to copy and to look back, and\n"
        "measure them on longer strings. All have one learning rate: the tuning has no runs."
    )
    smoke = SMOKE_RUN

    def __init__(self, records: Path = HERE, settings: Sequence[Setting] = SETTINGS) -> None:
        super().__init__(records)
        self.settings = settings

    def seeds(self, choices: Mapping[str, Run]) -> list[Run]:
        return all_runs(self.settings)

    def new_model(self, run: Run) -> TransformerLM:
        s, mixed = run.setting, MIXED.get(run.position, {})
        symbols = s.longest, max(LENGTHS[s.task])
        trained, longest = (unseen(s.task, count, count=1)[0].shape[1] for count in symbols)
        return new_language_model(run, VOCABULARY, trained, longest, **mixed)

    def examples(self, run: Run, device: str) -> Callable[[int], Examples]:
        def of_step(step: int) -> Examples:
            tokens, answers = examples_of(run, step)
            return tokens.to(device), answers.to(device)

        return of_step

    def loss(self, model: TransformerLM, examples: Examples) -> Float[Tensor, ""]:
        return loss_of(model, examples)

    def data(self) -> dict[str, str]:
        return {"examples": examples_hash()}

    def identity(self, run: Run) -> dict[str, Any]:
        return {**super().identity(run), "lengths": list(LENGTHS[run.setting.task])}

    @torch.no_grad()
    def validated(self, model: TransformerLM, run: Run) -> dict[str, float]:
        tokens, answers = unseen(run.setting.task, run.setting.longest, AT_ONCE)
        device = next(model.parameters()).device
        return {"validation_loss": loss_of(model, (tokens.to(device), answers.to(device))).item()}

    def measured(self, model: TransformerLM, run: Run) -> dict[str, Any]:
        measure = {"copying": copied_right, "retrieval": retrieved_right}
        return {"task": run.setting.task, "right": measure[run.setting.task](model)}

    def rows(self, result: Row) -> dict[str, list[Row]]:
        return {"copying": copying(result), "retrieval": retrieval(result)}

    def measuring_seconds(self, run: Run, device: str) -> float:
        model, task = self.new_model(run).to(device), run.setting.task
        begun = time.perf_counter()
        for length in LENGTHS[task]:
            right_answers(model, task, length, AT_ONCE)
        return (time.perf_counter() - begun) * COUNT / AT_ONCE

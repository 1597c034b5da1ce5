"""What is trained and measured: language models, on Python's own help."""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.experiment import Experiment, Say
from pe_lib.experiments.engine.tables import Row
from pe_lib.experiments.engine.work import saved_in
from pe_lib.experiments.extrapolation import stretched
from pe_lib.experiments.extrapolation.costs import costs
from pe_lib.experiments.extrapolation.diagnostics import diagnostics
from pe_lib.experiments.extrapolation.measuring import (
    AT_ONCE,
    BIN,
    measure,
    validation_loss,
    window_losses,
    windows_of,
)
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.records import HERE
from pe_lib.experiments.extrapolation.setting import (
    SMALL,
    SMOKE_RUN,
    Run,
    Setting,
    seed_runs,
    tuning_runs,
)
from pe_lib.experiments.extrapolation.trained import FOLDER, KINDS, file_of, ship
from pe_lib.experiments.loss import losses_of
from pe_lib.experiments.text import text_hash, training_text, unseen_text, validation_text
from pe_lib.model import TransformerLM

ROUNDS = 60  # of the timed steps

Windows = Int[Tensor, "batch bytes"]


def losses(result: Row) -> list[Row]:
    """The rows of the table ``losses`` that one result gives."""
    return [
        {"run": result["run"], "way": way, "length": length, "loss": f"{loss:.4f}"}
        for way, by_length in sorted(result["losses"].items())
        for length, loss in by_length.items()
    ]


def by_position(result: Row) -> list[Row]:
    """The rows of the table ``by_position`` that one result gives."""
    return [
        {"run": result["run"], "first": BIN * number, "loss": f"{loss:.4f}"}
        for number, loss in enumerate(result["by_position"])
    ]


def stretched_losses(result: Row) -> list[Row]:
    """The rows of the table ``stretched`` that one result gives."""
    return [
        {
            "run": result["run"],
            "method": method,
            "way": way,
            "length": length,
            "loss": f"{loss:.4f}",
        }
        for method, by_length in result["stretched"].items()
        for length, by_way in by_length.items()
        for way, loss in sorted(by_way.items())
    ]


def window_starts(run: Run, text: Int[Tensor, " tokens"]) -> Int[Tensor, "steps batch"]:
    """Where every window of the training begins: with one setting and seed, the same for all."""
    chance = torch.Generator().manual_seed(run.seed)
    size = (run.setting.steps, run.setting.batch)
    return torch.randint(len(text) - run.setting.length, size, generator=chance)


class Extrapolation(Experiment[Run, TransformerLM, Windows]):
    """How well each encoding reads texts longer than those it was trained on.

    Example:
        >>> Extrapolation().new_model(SMOKE_RUN)(torch.zeros(1, 5, dtype=torch.int64)).shape
        torch.Size([1, 5, 256])
    """

    name, folder = "extrapolation", "runs"
    summary = "losses beyond the training length: some hours, in parts"
    about = "Train small language models with each encoding, and measure them on long texts."
    smoke = SMOKE_RUN

    def __init__(self, records: Path = HERE, setting: Setting = SMALL) -> None:
        super().__init__(records)
        self.tuning = tuning_runs(setting)
        self.extra_commands = {
            "costs": (
                "time a training step of each kind, all in turns (nothing else should run)",
                self.write_costs,
            ),
            "diagnostics": (
                "measure what positions alone do in the trained models of all seeds",
                self.write_diagnostics,
            ),
            "model": (
                "make trained models of the first seed, one of each of five kinds, those that come "
                "with pe_lib",
                self.write_models,
            ),
        }

    def seeds(self, choices: Mapping[str, Run]) -> Iterator[Run]:
        return seed_runs(choices)

    def new_model(self, run: Run) -> TransformerLM:
        return new_model(run)

    def examples(self, run: Run, device: str) -> Callable[[int], Windows]:
        text, window = training_text(), torch.arange(run.setting.length + 1)
        starts, on_device = window_starts(run, text), text.to(device)
        return lambda step: on_device[(starts[step, :, None] + window).to(device)]

    def loss(self, model: TransformerLM, examples: Windows) -> Float[Tensor, ""]:
        return losses_of(model, examples).mean()

    def data(self) -> dict[str, str]:
        return {"text": text_hash()}

    def validated(self, model: TransformerLM, run: Run) -> dict[str, float]:
        return {"validation_loss": validation_loss(model, validation_text(), run.setting.length)}

    def measured(self, model: TransformerLM, run: Run) -> dict[str, Any]:
        at_each_length, at_each_position = measure(model, run.setting)
        return {
            "losses": at_each_length,
            "by_position": at_each_position,
            "stretched": stretched.measure(run, model),
        }

    def rows(self, result: Row) -> dict[str, list[Row]]:
        return {
            "losses": losses(result),
            "by_position": by_position(result),
            "stretched": stretched_losses(result),
        }

    def measuring_seconds(self, run: Run, device: str) -> float:
        model, seconds = self.new_model(run).to(device), 0.0
        methods = stretched.METHODS.get(run.position, ())
        for length in run.setting.lengths:
            ends = [length] * max(1, AT_ONCE // length)
            begun = time.perf_counter()
            window_losses(model, unseen_text(), ends, length)
            windows = windows_of(run.setting, length)
            times = 1 if length == run.setting.length else 1 + len(methods)
            seconds += (time.perf_counter() - begun) * times * windows / len(ends)
        return seconds

    def recorded(self, stage: str) -> set[str]:
        names = super().recorded(stage)
        if stage == "tuning":
            return names
        stretched_too = {row["run"] for row in tables.read("stretched", self.records)}
        not_stretched = (
            row["run"]
            for row in tables.read("runs", self.records)
            if row["position"] not in stretched.METHODS
        )
        return names & {*stretched_too, *not_stretched}

    def write_costs(self, arguments: argparse.Namespace, say: Say) -> None:
        tables.write("costs", costs(self, ROUNDS, arguments.device, say), self.records)

    def write_diagnostics(self, arguments: argparse.Namespace, say: Say) -> None:
        runs = list(self.seeds(self.choices()))
        tables.write("diagnostics", diagnostics(self, runs, arguments.folder, say), self.records)

    def write_models(self, arguments: argparse.Namespace, say: Say) -> None:
        choices = self.choices()
        for kind in KINDS:
            run = choices[kind]
            ship(self, run, saved_in(arguments.folder, run), file_of(kind))
            say(f"{run.name} is in {FOLDER}")

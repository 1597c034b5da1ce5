"""What is trained and measured: vision models, on digits or on letters."""

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments import digits, letters
from pe_lib.experiments.engine.experiment import Experiment
from pe_lib.experiments.engine.model import before_training
from pe_lib.experiments.engine.runs import Run, Setting, at_rates, at_seeds
from pe_lib.experiments.engine.tables import Row
from pe_lib.experiments.pictures import CLASSES, Pictures, Source
from pe_lib.experiments.resolutions.measuring import AT_ONCE, measure, pictures_for, read, ways_of
from pe_lib.experiments.resolutions.records import HERE
from pe_lib.experiments.resolutions.setting import (
    DIGITS,
    DIGITS_SMOKE,
    LEARNING_RATES,
    LETTERS,
    LETTERS_SMOKE,
    OF_LETTERS,
    PATCH,
    POSITIONS,
    SEEDS,
    SIZES,
    TABLE_STDS,
    TABLE_STDS_OF_LETTERS,
)
from pe_lib.model import VisionTransformer


def results(result: Row) -> list[Row]:
    """The rows of the table ``results`` that one result gives."""
    return [
        {
            "run": result["run"],
            "way": way,
            "size": size,
            "accuracy": f"{accuracy:.4f}",
            "loss": f"{loss:.4f}",
        }
        for way, by_size in sorted(result["results"].items())
        for size, (accuracy, loss) in by_size.items()
    ]


def picture_numbers(run: Run, count: int) -> Int[Tensor, "steps batch"]:
    """Which of ``count`` pictures each step sees: with one setting and seed, the same for all."""
    chance = torch.Generator().manual_seed(run.seed)
    return torch.randint(count, (run.setting.steps, run.setting.batch), generator=chance)


class Resolutions(Experiment[Run, VisionTransformer, Pictures]):
    """How well each encoding reads pictures at other resolutions.

    Attributes:
        source: where the pictures come from.
        positions, table_stds: what runs differ in, besides learning rates and seeds.
    """

    about = "Train small vision models with each encoding, and measure them on larger pictures."
    source: Source
    positions: tuple[str, ...] = POSITIONS
    table_stds: tuple[float, ...] = TABLE_STDS

    def __init__(self, setting: Setting, records: Path) -> None:
        super().__init__(records)
        kinds = self.positions, self.table_stds
        self.tuning = at_rates(Run, setting, *kinds, LEARNING_RATES, SEEDS[0])

    def seeds(self, choices: Mapping[str, Run]) -> Iterator[Run]:
        return at_seeds(choices, SEEDS)

    def new_model(self, run: Run) -> VisionTransformer:
        s = run.setting
        return before_training(
            run,
            lambda: VisionTransformer(
                CLASSES,
                s.dim,
                s.num_layers,
                s.num_heads,
                image_size=SIZES[0] * PATCH,
                patch_size=PATCH,
                position=run.position,
            ),
        )

    def examples(self, run: Run, device: str) -> Callable[[int], Pictures]:
        images, labels = (part.to(device) for part in self.source.training_pictures())
        numbers = picture_numbers(run, len(labels)).to(device)  # (steps, batch)
        return lambda step: (images[numbers[step]], labels[numbers[step]])

    def loss(self, model: VisionTransformer, examples: Pictures) -> Float[Tensor, ""]:
        images, labels = examples
        return F.cross_entropy(model(images), labels)

    def data(self) -> dict[str, str]:
        return {"pictures": self.source.pictures_hash()}

    def identity(self, run: Run) -> dict[str, Any]:
        return {**super().identity(run), "patch": PATCH, "sizes": list(SIZES)}

    def validated(self, model: VisionTransformer, run: Run) -> dict[str, float]:
        accuracy, loss = read(model, self.source.validation_pictures())
        return {"validation_accuracy": accuracy, "validation_loss": loss}

    def measured(self, model: VisionTransformer, run: Run) -> dict[str, Any]:
        return {"results": measure(model, run.position, self.source)}

    def rows(self, result: Row) -> dict[str, list[Row]]:
        return {"results": results(result)}

    def measuring_seconds(self, run: Run, device: str) -> float:
        model, parts = self.new_model(run).to(device), 0.0
        begun = time.perf_counter()
        for size in SIZES:
            images, labels = pictures_for("resized", size, self.source)
            read(model, (images[:AT_ONCE], labels[:AT_ONCE]), resized=True)
            parts = len(images) / AT_ONCE
        return (time.perf_counter() - begun) * parts * len(ways_of(run.position, self.source))


class Digits(Resolutions):
    """Handwritten digits, which are enlarged.

    Example:
        >>> Digits().new_model(DIGITS_SMOKE)(torch.zeros(1, 1, 8, 8)).shape
        torch.Size([1, 10])
    """

    name, folder = "digits", "runs/digits"
    summary = "digits read at other resolutions than that of the training: half an hour, in parts"
    smoke, source = DIGITS_SMOKE, digits

    def __init__(self, records: Path = HERE, setting: Setting = DIGITS) -> None:
        super().__init__(setting, records)


class Letters(Resolutions):
    """Printed letters, which have more detail in more pixels.

    Example:
        >>> Letters().tuning[0].name
        'letters-none-lr0.002-seed0'
    """

    name, folder = "letters", "runs/letters"
    summary = "letters read at other resolutions, with the detail of these: half an hour, in parts"
    smoke, source = LETTERS_SMOKE, letters
    positions, table_stds = OF_LETTERS, TABLE_STDS_OF_LETTERS

    def __init__(self, records: Path = HERE, setting: Setting = LETTERS) -> None:
        super().__init__(setting, records)

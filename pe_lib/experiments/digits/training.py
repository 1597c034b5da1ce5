"""How a vision model is trained."""

from dataclasses import asdict
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.digits.setting import PATCH, SIZES
from pe_lib.experiments.engine import training as engine
from pe_lib.experiments.engine.runs import Run
from pe_lib.experiments.pictures import CLASSES, pictures_hash, training_pictures
from pe_lib.model import VisionTransformer
from pe_lib.model.positions.picture import LearnedGrid


def new_model(run: Run) -> VisionTransformer:
    """A run's model before training: with one seed, all kinds begin with the same weights.

    Example:
        >>> from pe_lib.experiments.digits.setting import SMOKE_RUN
        >>> new_model(SMOKE_RUN)(torch.zeros(1, 1, 8, 8)).shape
        torch.Size([1, 10])
    """
    s = run.setting
    with torch.random.fork_rng(devices=[]):  # whoever asks for a model keeps their random numbers
        torch.manual_seed(run.seed)
        model = VisionTransformer(
            CLASSES,
            s.dim,
            s.num_layers,
            s.num_heads,
            image_size=SIZES[0] * PATCH,
            patch_size=PATCH,
            position=run.position,
        )
        if run.table_std is not None and isinstance(model.position, LearnedGrid):
            torch.nn.init.normal_(model.position.table, std=run.table_std)
    return model


def picture_numbers(run: Run, count: int) -> Int[Tensor, "steps batch"]:
    """Which of ``count`` pictures each step sees: with one setting and seed, the same for all."""
    chance = torch.Generator().manual_seed(run.seed)
    return torch.randint(count, (run.setting.steps, run.setting.batch), generator=chance)


def identity(run: Run) -> dict[str, Any]:
    """All that a run's numbers depend on, but for the code.

    Example:
        >>> from pe_lib.experiments.digits.setting import SMOKE_RUN
        >>> identity(SMOKE_RUN)["sizes"], identity(SMOKE_RUN)["seed"]
        ([8, 12, 16, 24], 0)
    """
    return {**asdict(run), "patch": PATCH, "sizes": list(SIZES), "pictures": pictures_hash()}


class Training(engine.Training[Run, VisionTransformer]):
    """A run's training, as far as it has come.

    Example:
        >>> from pe_lib.experiments.digits.setting import SMOKE_RUN
        >>> training = Training(SMOKE_RUN)
        >>> loss = training.advance()  # nats a picture
        >>> training.step
        1
    """

    new_model = staticmethod(new_model)
    identity = staticmethod(identity)

    def __init__(self, run: Run, device: str = "cpu") -> None:
        super().__init__(run, device)
        images, labels = training_pictures()
        self.numbers = picture_numbers(run, len(labels)).to(device)
        self.images, self.labels = images.to(device), labels.to(device)

    def loss(self) -> Float[Tensor, ""]:
        seen = self.numbers[self.step]  # (batch,)
        return F.cross_entropy(self.model(self.images[seen]), self.labels[seen])

"""One training, which can be saved at any step and gone on with as if nothing had happened."""

import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Generic, TypeVar

import torch
from torch import Tensor

from pe_lib.experiments.engine.kept import (
    BEGIN_AGAIN,
    Damaged,
    read_checkpoint,
    write_checkpoint,
)
from pe_lib.experiments.engine.runs import R
from pe_lib.experiments.loss import finite
from pe_lib.experiments.machine import machine

LARGEST_GRADIENT = 1.0  # its norm over all weights; what is longer is shortened to this

M = TypeVar("M", bound=torch.nn.Module)
T = TypeVar("T", bound="Training[Any, Any]")


class Training(ABC, Generic[R, M]):
    """A run's training, as far as it has come. An experiment says what of, and what for.

    Args:
        run: what to train.
        device: where.

    Attributes:
        model: the model.
        step: how many steps are done.
        seconds: how long they took.
        made_with: the code and the machine that it was begun with.
    """

    def __init__(self, run: R, device: str = "cpu") -> None:
        self.run, self.device, self.made_with = run, device, machine(device)
        self.model: M = self.new_model(run).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=run.learning_rate)
        self.step, self.seconds = 0, 0.0

    @staticmethod
    @abstractmethod
    def new_model(run: R) -> M:
        """A run's model before training: with one seed, all kinds begin with the same weights."""

    @staticmethod
    @abstractmethod
    def identity(run: R) -> dict[str, Any]:
        """All that a run's numbers depend on, but for the code: as JSON would give it back."""

    @abstractmethod
    def loss(self) -> Tensor:
        """What the next step makes smaller: with one setting and seed, on the same examples."""

    @property
    def finished(self) -> bool:
        return self.step == self.run.setting.steps

    def advance(self) -> float:
        """One step. Returns its loss.

        Raises:
            Diverged: the loss is not finite. The step was not done.
        """
        begun = time.perf_counter()
        rate = self.run.learning_rate * self.run.setting.rate_factor(self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = self.loss()
        value = finite(loss, self.step)
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), LARGEST_GRADIENT)
        self.optimizer.step()
        self.step += 1
        self.seconds += time.perf_counter() - begun
        return value

    def save(self, path: Path) -> None:
        """Write everything that the next step needs."""
        state = {
            "identity": self.identity(self.run),
            "made_with": self.made_with,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        write_checkpoint(path, state)

    @staticmethod
    def steps_done(path: Path) -> int:
        """How many steps a saved training has behind it; none where nothing is saved."""
        return int(read_checkpoint(path)["step"]) if path.exists() else 0

    @classmethod
    def resumed(cls: type[T], run: R, path: Path, device: str = "cpu") -> T:
        """A training from where it was saved, or from the beginning if it never was.

        Raises:
            ValueError: what is saved there is of another run or of other settings, or was begun on
                another kind of device, which rounds differently. Or it is damaged.
        """
        training = cls(run, device)
        if path.exists():
            state = read_checkpoint(path)
            if state["identity"] != cls.identity(run):
                expected = f"a training of {cls.identity(run)}"
                raise ValueError(f"path: expected {expected}, got one of {state['identity']}")
            own, other = (made["device"] for made in (training.made_with, state["made_with"]))
            if own != other and state["step"] < run.setting.steps:
                raise ValueError(f"path: expected a training on {own}, got one on {other}")
            try:
                training.model.load_state_dict(state["model"])
                training.optimizer.load_state_dict(state["optimizer"])
            except (KeyError, RuntimeError, ValueError) as error:
                expected = "weights of this model"
                raise Damaged(path, expected, "those of another one", BEGIN_AGAIN) from error
            training.step, training.seconds = state["step"], state["seconds"]
            training.made_with = state["made_with"]
        return training

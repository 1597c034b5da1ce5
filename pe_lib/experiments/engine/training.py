"""One training, which can be saved at any step and gone on with as if nothing had happened."""

import time
from pathlib import Path
from typing import Generic

import torch
from torch import Tensor

from pe_lib.experiments.engine.experiment import E, Experiment, M
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


class Training(Generic[R, M, E]):
    """A run's training, as far as it has come.

    Args:
        experiment: says what is trained, and on what.
        run: what to train.
        device: where.

    Attributes:
        model: the model.
        step: how many steps are done.
        seconds: how long they took.
        made_with: the code and the machine that it was begun with.
    """

    def __init__(self, experiment: Experiment[R, M, E], run: R, device: str = "cpu") -> None:
        self.experiment, self.run, self.device = experiment, run, device
        self.made_with = machine(device)
        self.model: M = experiment.new_model(run).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=run.learning_rate)
        self.examples = experiment.examples(run, device)
        self.step, self.seconds = 0, 0.0

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
        loss = self.experiment.loss(self.model, self.examples(self.step))
        value = descend(loss, self.step, self.model, self.optimizer, rate)
        self.step += 1
        self.seconds += time.perf_counter() - begun
        return value

    def save(self, path: Path) -> None:
        """Write everything that the next step needs."""
        state = {
            "identity": self.experiment.identity(self.run),
            "made_with": self.made_with,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        write_checkpoint(path, state)


def descend(
    loss: Tensor, step: int, model: torch.nn.Module, optimizer: torch.optim.Optimizer, rate: float
) -> float:
    """Change a model's weights so that its loss falls, at a learning rate. Returns the loss.

    Raises:
        Diverged: the loss is not finite. No weight was changed.
    """
    value = finite(loss, step)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
    optimizer.step()
    return value


def steps_done(path: Path) -> int:
    """How many steps a saved training has behind it; none where nothing is saved."""
    return int(read_checkpoint(path)["step"]) if path.exists() else 0


def resumed(
    experiment: Experiment[R, M, E], run: R, path: Path, device: str = "cpu"
) -> Training[R, M, E]:
    """A training from where it was saved, or from the beginning if it never was.

    Raises:
        ValueError: what is saved there is of another run or of other settings, or was begun on
            another kind of device, which rounds differently. Or it is damaged.
    """
    training = Training(experiment, run, device)
    if not path.exists():
        return training
    state, identity = read_checkpoint(path), experiment.identity(run)
    if state["identity"] != identity:
        raise Damaged(path, f"a training of {identity}", f"one of {state['identity']}", BEGIN_AGAIN)
    own, other = (made["device"] for made in (training.made_with, state["made_with"]))
    if own != other and state["step"] < run.setting.steps:
        raise Damaged(path, f"a training on {own}", f"one on {other}", BEGIN_AGAIN)
    if not 0 <= state["step"] <= run.setting.steps:
        raise Damaged(path, f"0 to {run.setting.steps} steps", state["step"], BEGIN_AGAIN)
    try:
        training.model.load_state_dict(state["model"])
        training.optimizer.load_state_dict(state["optimizer"])
    except (KeyError, RuntimeError, ValueError) as error:
        expected = "weights of this model"
        raise Damaged(path, expected, "those of another one", BEGIN_AGAIN) from error
    training.step, training.seconds = state["step"], state["seconds"]
    training.made_with = state["made_with"]
    return training

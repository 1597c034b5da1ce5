"""One training, which can be saved at any step and gone on with as if nothing had happened."""

import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from pe_lib.experiments.extrapolation.setting import Run
from pe_lib.experiments.files import whole
from pe_lib.experiments.loss import losses_of
from pe_lib.experiments.machine import machine
from pe_lib.experiments.text import VOCABULARY, text_hash, training_text
from pe_lib.model import TransformerLM
from pe_lib.model.positions.text import Learned

LARGEST_GRADIENT = 1.0  # its norm over all weights; what is longer is shortened to this


def new_model(run: Run) -> TransformerLM:
    """A run's model before training: with one seed, all kinds begin with the same weights.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> new_model(SMOKE_RUN)(torch.zeros(1, 5, dtype=torch.int64)).shape
        torch.Size([1, 5, 256])
    """
    s = run.setting
    with torch.random.fork_rng(devices=[]):  # whoever asks for a model keeps their random numbers
        torch.manual_seed(run.seed)
        model = TransformerLM(
            VOCABULARY, s.dim, s.num_layers, s.num_heads, max_len=s.longest, position=run.position
        )
        if run.table_std is not None and isinstance(model.position, Learned):
            torch.nn.init.normal_(model.position.table.weight, std=run.table_std)
    return model


def window_starts(run: Run, text: Int[Tensor, " tokens"]) -> Int[Tensor, "steps batch"]:
    """Where every window of the training begins: with one setting and seed, the same for all."""
    chance = torch.Generator().manual_seed(run.seed)
    size = (run.setting.steps, run.setting.batch)
    return torch.randint(len(text) - run.setting.length, size, generator=chance)


def identity(run: Run) -> dict[str, Any]:
    """All that a run's numbers depend on, but for the code.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> identity(SMOKE_RUN)["setting"]["steps"], identity(SMOKE_RUN)["seed"]
        (50, 0)
    """
    return {**asdict(run), "text": text_hash()}


class Training:
    """A run's training, as far as it has come.

    Args:
        run: what to train.
        device: where.

    Attributes:
        model: the model.
        step: how many steps are done.
        seconds: how long they took.
        made_with: the code and the machine that it was begun with.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> training = Training(SMOKE_RUN)
        >>> loss = training.advance()
        >>> training.step
        1
    """

    def __init__(self, run: Run, device: str = "cpu") -> None:
        self.run, self.device, self.made_with = run, device, machine(device)
        self.model = new_model(run).to(device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=run.learning_rate)
        text = training_text()
        self.starts, self.text = window_starts(run, text), text.to(device)
        self.step, self.seconds = 0, 0.0

    @property
    def finished(self) -> bool:
        return self.step == self.run.setting.steps

    def advance(self) -> float:
        """One step. Returns its loss, in nats a byte."""
        begun = time.perf_counter()
        rate = self.run.learning_rate * self.run.setting.rate_factor(self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        window = torch.arange(self.run.setting.length + 1)
        places = self.starts[self.step, :, None] + window  # (batch, length + 1)
        loss = losses_of(self.model, self.text[places.to(self.device)]).mean()
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), LARGEST_GRADIENT)
        self.optimizer.step()
        self.step += 1
        value = loss.item()
        self.seconds += time.perf_counter() - begun
        return value

    def save(self, path: Path) -> None:
        """Write everything that the next step needs."""
        state = {
            "identity": identity(self.run),
            "made_with": self.made_with,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        with whole(path) as unfinished:
            torch.save(state, unfinished)

    @staticmethod
    def steps_done(path: Path) -> int:
        """How many steps a saved training has behind it; none where nothing is saved."""
        if not path.exists():
            return 0
        return int(torch.load(path, map_location="cpu", mmap=True, weights_only=True)["step"])

    @classmethod
    def resumed(cls, run: Run, path: Path, device: str = "cpu") -> "Training":
        """A training from where it was saved, or from the beginning if it never was.

        Raises:
            ValueError: what is saved there is of another run or of other settings, or was begun on
                another kind of device, which rounds differently.
        """
        training = cls(run, device)
        if path.exists():
            state = torch.load(path, map_location="cpu", weights_only=True)
            if state["identity"] != identity(run):
                expected = f"a training of {identity(run)}"
                raise ValueError(f"path: expected {expected}, got one of {state['identity']}")
            own, other = (made["device"] for made in (training.made_with, state["made_with"]))
            if own != other and state["step"] < run.setting.steps:
                raise ValueError(f"path: expected a training on {own}, got one on {other}")
            training.model.load_state_dict(state["model"])
            training.optimizer.load_state_dict(state["optimizer"])
            training.step, training.seconds = state["step"], state["seconds"]
            training.made_with = state["made_with"]
        return training

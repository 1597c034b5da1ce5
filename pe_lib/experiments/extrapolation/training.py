"""How a language model is trained."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from pe_lib.experiments.engine import training as engine
from pe_lib.experiments.extrapolation.setting import MIXED, Run
from pe_lib.experiments.loss import losses_of
from pe_lib.experiments.text import VOCABULARY, text_hash, training_text
from pe_lib.model import TransformerLM
from pe_lib.model.positions.text import Learned
from pe_lib.rotary.scaling.base import Scaling


def new_model(
    run: Run, *, scaling: Scaling | None = None, window: int | Sequence[int | None] | None = None
) -> TransformerLM:
    """A run's model before training: with one seed, all kinds begin with the same weights.

    Args:
        run: what is trained.
        scaling, window: of ``TransformerLM``. They have no weights: a model that was trained
            without can be read with them.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> new_model(SMOKE_RUN)(torch.zeros(1, 5, dtype=torch.int64)).shape
        torch.Size([1, 5, 256])
    """
    s = run.setting
    how = {"position": run.position, "window": window} | MIXED.get(run.position, {})
    # CoPE counts as far as it has learned to, and no further. All others take longer texts.
    max_len = s.length if run.position == "cope" else s.longest
    with torch.random.fork_rng(devices=[]):  # whoever asks for a model keeps their random numbers
        torch.manual_seed(run.seed)
        model = TransformerLM(
            VOCABULARY,
            s.dim,
            s.num_layers,
            s.num_heads,
            max_len=max_len,
            scaling=scaling,
            **how,
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


class Training(engine.Training[Run, TransformerLM]):
    """A run's training, as far as it has come.

    Example:
        >>> from pe_lib.experiments.extrapolation.setting import SMOKE_RUN
        >>> training = Training(SMOKE_RUN)
        >>> loss = training.advance()  # nats a byte
        >>> training.step
        1
    """

    new_model = staticmethod(new_model)
    identity = staticmethod(identity)

    def __init__(self, run: Run, device: str = "cpu") -> None:
        super().__init__(run, device)
        text = training_text()
        self.starts, self.text = window_starts(run, text), text.to(device)

    def loss(self) -> Float[Tensor, ""]:
        window = torch.arange(self.run.setting.length + 1)
        places = self.starts[self.step, :, None] + window  # (batch, length + 1)
        return losses_of(self.model, self.text[places.to(self.device)]).mean()

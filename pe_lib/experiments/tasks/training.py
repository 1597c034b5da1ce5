"""How a model is trained on a task."""

from dataclasses import asdict
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from pe_lib.experiments.engine import training as engine
from pe_lib.experiments.tasks.examples import TASKS, VOCABULARY, Examples, examples_hash, unseen
from pe_lib.experiments.tasks.setting import LENGTHS, MIXED, Run
from pe_lib.model import TransformerLM
from pe_lib.model.positions.text import Learned


def new_model(run: Run) -> TransformerLM:
    """A run's model before training: with one seed, all kinds begin with the same weights.

    Example:
        >>> from pe_lib.experiments.tasks.setting import SMOKE_RUN
        >>> new_model(SMOKE_RUN)(torch.zeros(1, 5, dtype=torch.int64)).shape
        torch.Size([1, 5, 22])
    """
    s = run.setting
    how = {"position": run.position} | MIXED.get(run.position, {})
    # CoPE counts as far as it has learned to, and no further. All others take longer strings.
    longest = s.longest if run.position == "cope" else max(LENGTHS[s.task])
    tokens, _ = unseen(s.task, longest, count=1)
    with torch.random.fork_rng(devices=[]):  # whoever asks for a model keeps their random numbers
        torch.manual_seed(run.seed)
        model = TransformerLM(
            VOCABULARY, s.dim, s.num_layers, s.num_heads, max_len=tokens.shape[1], **how
        )
        if run.table_std is not None and isinstance(model.position, Learned):
            torch.nn.init.normal_(model.position.table.weight, std=run.table_std)
    return model


def examples_of(run: Run, step: int) -> Examples:
    """What a step learns from: with one setting and seed, the same for all kinds."""
    s = run.setting
    chance = torch.Generator().manual_seed(s.steps * run.seed + step)
    length = int(torch.randint(s.shortest, s.longest + 1, (), generator=chance))
    return TASKS[s.task](length, s.batch, chance)


def logits_of(model: TransformerLM, examples: Examples) -> Float[Tensor, "count answers symbols"]:
    """What a model says where answers are asked for, each after the right ones before it."""
    tokens, answers = examples
    logits: Tensor = model(tokens)[:, -answers.shape[1] :]
    return logits


def loss_of(model: TransformerLM, examples: Examples) -> Float[Tensor, ""]:
    """What an answer costs, in nats."""
    return F.cross_entropy(logits_of(model, examples).mT, examples[1])


def identity(run: Run) -> dict[str, Any]:
    """All that a run's numbers depend on, but for the code.

    Example:
        >>> from pe_lib.experiments.tasks.setting import SMOKE_RUN
        >>> identity(SMOKE_RUN)["setting"]["task"], identity(SMOKE_RUN)["seed"]
        ('retrieval', 0)
    """
    lengths = list(LENGTHS[run.setting.task])
    return {**asdict(run), "lengths": lengths, "examples": examples_hash()}


class Training(engine.Training[Run, TransformerLM]):
    """A run's training, as far as it has come.

    Example:
        >>> from pe_lib.experiments.tasks.setting import SMOKE_RUN
        >>> training = Training(SMOKE_RUN)
        >>> loss = training.advance()  # nats an answer
        >>> training.step
        1
    """

    new_model = staticmethod(new_model)
    identity = staticmethod(identity)

    def loss(self) -> Float[Tensor, ""]:
        tokens, answers = examples_of(self.run, self.step)
        return loss_of(self.model, (tokens.to(self.device), answers.to(self.device)))

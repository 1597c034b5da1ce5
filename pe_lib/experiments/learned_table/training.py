"""The training that is recorded, and what is measured at its end."""

from collections.abc import Iterator

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from pe_lib.absolute.learned import LearnedPositionalEmbedding
from pe_lib.experiments.learned_table.record import Record
from pe_lib.experiments.loss import finite, losses_of
from pe_lib.experiments.text import (
    VOCABULARY,
    random_windows,
    training_text,
    unseen_text,
)
from pe_lib.model import TransformerLM

SUMMARY = "what training writes into a table: five minutes"
ROWS, USED, DIM, LAYERS, HEADS = 96, 72, 32, 2, 4
BATCH, STEPS, LEARNING_RATE, SEED = 64, 2500, 3e-3, 0
SETTINGS = {
    "table": f"{ROWS} x {DIM}, of which training uses {USED} rows",
    "model": f"TransformerLM, {LAYERS} layers, {HEADS} heads",
    "training": f"Adam, learning rate {LEARNING_RATE}, {STEPS} steps of {BATCH} pieces",
    "seed": SEED,
}
SNAPSHOTS = 31  # beside the one before the first step
MEASURED = 2048  # pieces of unseen text for the losses by position


def position_table(model: torch.nn.Module) -> Tensor:
    """The parameter that holds a model's learned positions."""
    (table,) = (m.weight for m in model.modules() if isinstance(m, LearnedPositionalEmbedding))
    return table


def train(model: torch.nn.Module, steps: int, seed: int) -> Iterator[float]:
    """Train a model, one step for each loss that is asked for.

    Raises:
        Diverged: the loss is not finite.
    """
    text, chance = training_text(), torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=LEARNING_RATE)
    for step in range(steps):
        loss = losses_of(model, random_windows(text, BATCH, USED + 1, chance)).mean()
        value = finite(loss, step)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield value


def snapshot_steps(steps: int) -> list[int]:
    """When the table is kept: often at first, where it changes most.

    Example:
        >>> snapshot_steps(2500)[:5], snapshot_steps(2500)[-1]
        ([0, 3, 10, 23, 42], 2500)
    """
    return sorted({round(steps * (n / SNAPSHOTS) ** 2) for n in range(SNAPSHOTS + 1)})


def run(steps: int = STEPS, seed: int = SEED) -> Record:
    """Train the model and record its table; it says how far it is."""
    torch.set_num_threads(1)  # for so small a model, more would only wait
    torch.manual_seed(seed)
    model = TransformerLM(VOCABULARY, DIM, LAYERS, HEADS, max_len=ROWS, position="learned")
    table, kept = position_table(model), set(snapshot_steps(steps))
    tables, losses = [table.detach().double()], []
    for step, loss in enumerate(train(model, steps, seed), start=1):
        if step == 1:
            losses.append(loss)  # of the table as it was drawn
        if step in kept:
            tables.append(table.detach().double())
            losses.append(loss)
        if step % max(1, steps // 100) == 0:
            print(f"\rstep {step} of {steps}, loss {loss:.2f}", end="", flush=True)
    print()
    _, _, directions = torch.linalg.svd(tables[-1][:USED], full_matrices=False)
    return Record(
        sorted(kept), losses, torch.stack(tables), USED, directions.mT, loss_by_position(model)
    )


@torch.no_grad()
def loss_by_position(model: torch.nn.Module) -> dict[str, list[float]]:
    """The mean loss on unseen text at each of all the table's positions, for three tables."""
    chance = torch.Generator().manual_seed(SEED + 1)
    pieces = random_windows(unseen_text(), MEASURED, ROWS + 1, chance)
    table = position_table(model)
    trained = table[:USED].clone()
    fillings = {
        "as drawn": table[USED:].clone(),
        "last row repeated": trained[-1:].expand(ROWS - USED, -1),
    }
    found = {}
    for name, rows in fillings.items():
        table.copy_(torch.cat((trained, rows)))
        found[name] = mean_by_position(model, pieces)
    table.copy_(stretched(trained, ROWS))
    found["stretched"] = mean_by_position(model, pieces)
    return found


def mean_by_position(model: torch.nn.Module, pieces: Int[Tensor, "batch n"]) -> list[float]:
    means: list[float] = (
        torch.cat([losses_of(model, p) for p in pieces.split(256)]).mean(0).tolist()
    )
    return means


def stretched(table: Float[Tensor, "old dim"], length: int) -> Float[Tensor, "length dim"]:
    """A table of another length: straight lines between its rows, its ends kept.

    Example:
        >>> stretched(torch.tensor([[0.0], [1.0], [4.0]]), 5).flatten()
        tensor([0.0000, 0.5000, 1.0000, 2.5000, 4.0000])
    """
    return F.interpolate(table.mT[None], length, mode="linear", align_corners=True)[0].mT

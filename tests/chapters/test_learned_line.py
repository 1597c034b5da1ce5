"""What chapter 03 finds in its table is found in two more trainings, as its text says."""

import pytest
import torch
from torch import nn

from tests.chapters.executed import names_after

# What trains the table, and what asks it
CELLS = [
    "imports",
    "model",
    "train-run",
    "trained-picture",
    "directions",
    "keys",
    "keys-run",
    "recent",
    "ruler",
    "ruler-run",
]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_the_line_says_how_recent_a_key_is(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    seeded = torch.manual_seed
    monkeypatch.setattr(torch, "manual_seed", lambda _: seeded(seed))
    found = names_after("03_learned", CELLS)
    attention, loss = found["first"], found["loss_at_35"]
    as_trained = loss(nn.Identity())
    assert loss(attention.queries) < as_trained + 0.02
    assert loss(attention.keys) > as_trained + 0.3
    assert found["share"][0] > 0.8
    slopes = (found["scores"][60] - found["scores"][20]) / 40  # of each head, per position
    assert bool(((slopes > 0.2) & (slopes < 0.75)).all())
    with_table, with_ruler = (found["loss_with"](found[name]) for name in ("used", "ruler"))
    without_line = found["loss_with"](found["used"] - found["line"])
    assert with_ruler < with_table + 0.02
    assert without_line > with_table + 0.3

"""What all encodings have in common: doing nothing, and being found by their class."""

import pytest
import torch

from pe_lib import TransformerLM
from pe_lib.model.positions.base import Position
from pe_lib.model.positions.coordinates import PicturePositions, TextPositions
from pe_lib.model.positions.text import TextKind
from tests.helpers import randn


def lm(position):
    torch.manual_seed(0)
    return TransformerLM(30, 24, 1, 3, max_len=20, position=position)


@pytest.mark.parametrize("q_len", [7, 2])
@pytest.mark.parametrize(
    "positions", [TextPositions(torch.arange(7)), PicturePositions(1, 7)], ids=["text", "picture"]
)
def test_nowhere_changes_nothing(positions, q_len):
    q, k = randn(2, 3, q_len, 8), randn(2, 3, 7, 8, seed=1)
    nowhere, x, weights = Position(), randn(2, 4, 6), randn(2, 3, q_len, 7)
    assert nowhere.at_the_input(x, positions) is x
    assert nowhere.at_q_and_k(q, k, positions) == (q, k)
    assert nowhere.at_the_score(q, k, positions) is None
    assert torch.equal(nowhere.at_the_values(weights, k), weights @ k)


def test_a_kind_is_one_class_and_nothing_else(monkeypatch):
    monkeypatch.setattr(TextKind, "kinds", dict(TextKind.kinds))

    class Rising(TextKind):
        kind = "rising"
        enters = "input"
        multiple_of = 2

        def at_the_input(self, x, positions):
            return x + positions.ids[:, None]

    tokens = torch.arange(5)[None]
    assert isinstance(lm("rising").position, Rising)
    assert not torch.equal(lm("rising")(tokens), lm("none")(tokens))
    with pytest.raises(ValueError, match=r"^dim: expected features in pairs .*'rising', got 15"):
        TransformerLM(30, 15, 1, 3, max_len=20, position="rising")
    with pytest.raises(ValueError, match="'cope', 'rising', got 'no such kind'"):
        lm("no such kind")

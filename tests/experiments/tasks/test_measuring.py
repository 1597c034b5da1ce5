"""How many answers are right: against a model that is known to be right in part."""

import pytest
import torch

from pe_lib.experiments.tasks import measuring
from pe_lib.experiments.tasks.examples import DISTANCES, FIRST_QUESTION, SEPARATOR, unseen
from pe_lib.experiments.tasks.measuring import copied_right, retrieved_right, right_answers
from pe_lib.experiments.tasks.setting import LENGTHS
from pe_lib.model import TransformerLM


class Reader(TransformerLM):
    """Copies the first 20 symbols of a string, and looks back less than 5 places; else says 0."""

    def __init__(self) -> None:
        super().__init__(22, 2, 1, 1, max_len=1)

    def forward(self, tokens, *, attention_mask=None, cache=None):
        said = torch.zeros_like(tokens)
        for row, own in zip(tokens.tolist(), said, strict=True):
            if SEPARATOR in row:
                begin = row.index(SEPARATOR)
                own[begin : begin + 20] = torch.tensor(row[: min(20, begin)])
            else:
                distance = DISTANCES[row[-1] - FIRST_QUESTION]
                own[-1] = row[-1 - distance] if distance < 5 else 0
        return torch.nn.functional.one_hot(said, 22).float()


@pytest.fixture
def few(monkeypatch) -> None:
    monkeypatch.setattr(measuring, "COUNT", 50)
    monkeypatch.setattr(measuring, "AT_ONCE", 7)  # the last part is smaller


def zeros(answers: torch.Tensor) -> float:
    """The share that a model gets right which says 0."""
    return (answers == 0).double().mean().item()


def test_answers_are_compared_one_by_one():
    _, answers = unseen("copying", 24, 30)
    right = right_answers(Reader(), "copying", 24, 30)
    assert right.shape == (30, 24)
    assert right[:, :20].all()
    assert torch.equal(right[:, 20:], answers[:, 20:] == 0)


@pytest.mark.usefixtures("few")
def test_symbols_and_whole_strings_are_counted():
    found = copied_right(Reader())
    assert tuple(found) == LENGTHS["copying"]
    assert found[8] == found[16] == (1.0, 1.0)
    for length in (24, 32, 48, 64):
        symbols, strings = found[length]
        _, answers = unseen("copying", length, measuring.COUNT)
        right = torch.cat((torch.ones_like(answers[:, :20]), answers[:, 20:] == 0), dim=1)
        assert symbols == pytest.approx(right.double().mean().item())
        assert strings == 0.0


@pytest.mark.usefixtures("few")
def test_every_distance_is_counted_by_itself():
    found = retrieved_right(Reader())
    assert tuple(found) == LENGTHS["retrieval"]
    for length, by_distance in found.items():
        assert tuple(by_distance) == DISTANCES
        _, answers = unseen("retrieval", length, measuring.COUNT)
        expected = [1.0, 1.0, 1.0, zeros(answers[3::5]), zeros(answers[4::5])]
        assert list(by_distance.values()) == pytest.approx(expected)

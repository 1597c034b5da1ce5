"""What WhereItEnters computes, checked against attention written out here."""

import cmath
import math

import pytest
import torch

from pe_lib.course.running_sentence import TWIN, VOCABULARY, W_K, W_Q, WORDS
from pe_lib.figures import WhereItEnters
from pe_lib.figures.warm_up.where_it_enters import T5_AFTER, T5_BEFORE, untrained_table

TWIN_PLACE = [0, 5, 2, 3, 4, 1]  # where the twin has the sentence's words
EVERY = ["sinusoidal", "learned", "rope", "xpos", "alibi", "t5"]
LATER = torch.ones(6, 6).triu(1).bool()


def compute(encoding="none", twin=False, causal=False) -> dict:
    return WhereItEnters.compute("cpu", encoding=encoding, twin=twin, causal=causal)


def words(sentence=WORDS):
    return torch.tensor([VOCABULARY[word] for word in sentence], dtype=torch.float64)


def weights(x, bias=0.0, turn=lambda row, position, sign: row):
    """Softmax of scores, one number at a time; turn changes a query (sign 1) or a key (-1)."""
    scores = torch.zeros(6, 6, dtype=torch.float64)
    for i in range(6):
        for j in range(6):
            q, k = turn(x[i] @ W_Q, i, 1), turn(x[j] @ W_K, j, -1)
            scores[i, j] = (q * k).sum() / math.sqrt(8)
    powers = (scores + bias).exp()
    return powers / powers.sum(1, keepdim=True)


def turned(base):
    """Feature i and feature i + 4 as one complex number, turned and scaled by its position."""

    def turn(row, position, sign):
        for i in range(4):
            zeta = ((2 * i + 3.2) / 11.2) ** (sign * position / base) if base else 1.0
            pair = complex(row[i], row[i + 4]) * zeta
            pair *= cmath.exp(1j * position * 10000 ** (-i / 4))
            row[i], row[i + 4] = pair.real, pair.imag
        return row

    return turn


def expected(encoding, sentence):
    x = words(sentence)
    if encoding == "sinusoidal":
        for p in range(6):
            for i in range(4):
                angle = p * 10000 ** (-i / 4)
                x[p, 2 * i] += math.sin(angle)
                x[p, 2 * i + 1] += math.cos(angle)
    if encoding == "learned":
        x = x + untrained_table()
    bias = torch.zeros(6, 6, dtype=torch.float64)
    for i in range(6):
        for j in range(6):
            if encoding == "alibi":
                bias[i, j] = -abs(i - j) / 2
            if encoding == "t5":
                bias[i, j] = T5_AFTER[j - i] if j > i else T5_BEFORE[i - j]
    turn = {"rope": turned(None), "xpos": turned(8)}.get(encoding)
    return weights(x, bias, turn) if turn else weights(x, bias)


@pytest.mark.parametrize("encoding", ["none", *EVERY])
def test_maps_are_those_of_the_formulas(encoding):
    values = compute(encoding)
    torch.testing.assert_close(values["weights"], expected(encoding, WORDS))
    torch.testing.assert_close(values["other"], expected(encoding, TWIN))
    torch.testing.assert_close(values["plain"], expected("none", WORDS))


def test_the_twin_changes_places_with_the_sentence():
    here, there = compute("rope"), compute("rope", twin=True)
    assert torch.equal(here["weights"], there["other"])
    assert torch.equal(here["other"], there["weights"])
    torch.testing.assert_close(there["plain"], expected("none", TWIN))


@pytest.mark.parametrize("encoding", ["none", *EVERY])
def test_the_mask_hides_later_words_and_keeps_the_proportions_of_the_others(encoding):
    free, masked = compute(encoding), compute(encoding, causal=True)
    for name, map_ in masked.items():
        assert (map_[LATER] == 0).all()
        left = free[name].masked_fill(LATER, 0)
        torch.testing.assert_close(map_, left / left.sum(1, keepdim=True))


def test_with_all_doors_shut_the_map_knows_words_only():
    values = compute()
    assert torch.equal(values["weights"][0], values["weights"][4])
    in_twin = values["other"][TWIN_PLACE][:, TWIN_PLACE]
    torch.testing.assert_close(in_twin, values["weights"])


@pytest.mark.parametrize("encoding", EVERY)
def test_through_every_door_the_order_shows(encoding):
    values = compute(encoding)
    in_twin = values["other"][TWIN_PLACE][:, TWIN_PLACE]
    assert (values["weights"][0] - values["weights"][4]).abs().max() > 0.1
    assert (values["weights"] - in_twin).abs().max() > 0.15
    assert (values["weights"] - values["plain"]).abs().max() > 0.2

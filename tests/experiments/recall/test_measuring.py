"""Right answers and their price: against models that are known to be right in part."""

import math

import pytest
import torch

from pe_lib.experiments.recall.ledger import NAMES, NOTES, VOCABULARY, distances, unseen
from pe_lib.experiments.recall.measuring import (
    classes_of,
    losses_of,
    measure,
    perfect_loss,
    read,
    windows_of,
)
from pe_lib.experiments.recall.setting import SHORT
from pe_lib.model import TransformerLM

SURE = 50.0  # a logit: all others together cost nothing beside it


class Memory(TransformerLM):
    """Says the entry of a name that stood no further back than ``reach``; else guesses a note."""

    def __init__(self, reach: int) -> None:
        super().__init__(VOCABULARY, 2, 1, 1, max_len=1)
        self.reach, self.seen = reach, torch.zeros(0)

    def forward(self, tokens, *, attention_mask=None, cache=None):
        if cache is not None:  # what was read before, kept where the cache is
            before = getattr(cache, "tokens", tokens[:, :0])
            cache.tokens = torch.cat((before, tokens), dim=1)
            return self(cache.tokens)[:, before.shape[1] :]
        logits = torch.zeros(*tokens.shape, VOCABULARY)
        for row, own in zip(tokens.tolist(), logits, strict=True):
            for place in range(0, len(row), 2):
                first = NAMES + NOTES * row[place]
                own[place, first : first + NOTES] = SURE
                before = [n for n in range(0, place, 2) if row[n] == row[place]]
                if before and place - before[-1] <= self.reach:
                    own[place, row[before[-1] + 1]] = 2 * SURE
        return logits


def test_a_perfect_memory_pays_what_is_said():
    for length in (128, 256, 512):
        found = measure(Memory(reach=length), SHORT, length)
        assert found.loss == pytest.approx(perfect_loss(length), abs=1e-4)
        assert set(found.right.values()) == {1.0}


def test_a_short_memory_is_right_where_names_stood_near():
    found = measure(Memory(reach=62), SHORT, 256).right
    assert {first: found[first] for first in (2, 16, 32)} == {2: 1.0, 16: 1.0, 32: 1.0}
    assert found[64] < 0.3 and found[128] < 0.3, "a guess is right once in eight"
    assert list(found) == [2, 16, 32, 64, 128]


def test_who_knows_names_and_no_notes_pays_a_guess():
    costs, _ = read(Memory(reach=0), unseen(128, 5))
    assert torch.allclose(costs, torch.full((5, 64), math.log(NOTES)), atol=1e-4)


def test_training_and_measuring_agree_on_the_cost():
    torch.manual_seed(0)
    model = TransformerLM(VOCABULARY, 16, 2, 2, max_len=512, position="rope")
    tokens = unseen(512, 3)
    costs, right = read(model, tokens)
    assert torch.allclose(costs, losses_of(model, tokens).detach(), atol=1e-4)
    assert torch.equal(right, model(tokens)[:, ::2].argmax(dim=-1) == tokens[:, 1::2])


def test_classes_reach_twice_as_far_each():
    apart = torch.arange(2, 2048, 2)
    firsts = classes_of(apart)
    assert (firsts <= apart).all()
    assert firsts.unique().tolist() == [2, 16, 32, 64, 128, 256, 512, 1024]
    assert (apart[firsts >= 16] < 2 * firsts[firsts >= 16]).all()


def test_all_lengths_end_in_the_same_tokens():
    for length in SHORT.lengths:
        tokens = windows_of(SHORT, length)
        assert tokens.shape == (SHORT.windows, length)
        assert torch.equal(tokens, windows_of(SHORT, SHORT.longest)[:, -length:])
        assert (distances(tokens) < length).all()

"""The running sentence: small exact numbers, a readable map, and every encoding can be seen."""

import math

import pytest
import torch

from pe_lib import apply_rotary, rotary_cos_sin, sinusoidal_encoding
from pe_lib.course.running_sentence import TWIN, VOCABULARY, W_K, W_Q, W_V, WORDS, embeddings

FIRST_THE, CAT, SAT, ON, SECOND_THE, MAT = range(6)
TWIN_PLACE = [0, 5, 2, 3, 4, 1]  # where the twin has the sentence's words


def scores(x, turn=lambda vectors: vectors):
    return turn(x @ W_Q) @ turn(x @ W_K).T / math.sqrt(8)


def turned(vectors):
    return apply_rotary(vectors[None], *rotary_cos_sin(6, 8, dtype=torch.float64))[0]


def with_table(words):
    return embeddings(words) + sinusoidal_encoding(6, 8, dtype=torch.float64)


def near(words):
    place = torch.arange(6)
    return scores(embeddings(words)) - (place[:, None] - place).abs() / 2


MAPS = {
    "at the input": lambda words: scores(with_table(words)).softmax(-1),
    "at q and k": lambda words: scores(embeddings(words), turned).softmax(-1),
    "at the score": lambda words: near(words).softmax(-1),
}


def plain(words=WORDS):
    return scores(embeddings(words)).softmax(-1)


def test_the_twin_has_the_same_words_in_another_order():
    assert sorted(WORDS) == sorted(TWIN)
    assert [TWIN[place] for place in TWIN_PLACE] == list(WORDS)


@pytest.mark.parametrize("table", [W_Q, W_K, W_V, embeddings(list(VOCABULARY))])
def test_numbers_have_one_decimal_and_are_small(table):
    assert table.dtype == torch.float64
    assert torch.equal(table, (10 * table).round() / 10)
    assert table.abs().max() <= 1.2


def test_the_plain_map_can_be_read_at_a_glance():
    weights = plain()
    assert weights.argmax(1).tolist() == [CAT, SAT, CAT, MAT, CAT, ON]
    assert weights.min() > 0.03 and 0.4 < weights.max() < 0.6


def test_without_positions_both_the_are_one_and_the_twin_sees_nothing_new():
    weights = plain()
    assert torch.equal(weights[FIRST_THE], weights[SECOND_THE])
    assert torch.allclose(plain(TWIN)[TWIN_PLACE][:, TWIN_PLACE], weights, rtol=0, atol=1e-15)


@pytest.mark.parametrize("place", MAPS)
def test_every_way_in_changes_the_map_visibly(place):
    weights, in_twin = MAPS[place](WORDS), MAPS[place](TWIN)
    assert (weights - plain()).abs().max() > 0.2
    assert (weights[FIRST_THE] - weights[SECOND_THE]).abs().max() > 0.15
    assert (in_twin[TWIN_PLACE][:, TWIN_PLACE] - weights).abs().max() > 0.15
    assert weights.max() < 0.7


def test_an_unknown_word_is_named():
    with pytest.raises(
        ValueError, match=r"^words: expected only the, cat, sat, on, mat, got 'dog'$"
    ):
        embeddings(["the", "dog"])


def test_a_word_keeps_its_row():
    assert torch.equal(embeddings(TWIN)[TWIN_PLACE], embeddings(WORDS))
    assert embeddings([]).shape == (0, 8)

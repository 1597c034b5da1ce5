"""What TokenShuffle computes: what a shuffle leaves alone, and what it changes."""

import math

import pytest
import torch
from torch import Tensor

from pe_lib.course.running_sentence import TWIN, W_K, W_Q, W_V, embeddings
from pe_lib.figures import TokenShuffle
from pe_lib.figures.why_order_matters.token_shuffle import MOST, places_of, word_vector, words_of

SENTENCE = "the cat sat on the mat"
TO_TWIN = "0 5 2 3 4 1"
LAST_STAYS = "3 0 4 1 2 5"
SETTINGS = {
    "sentence": SENTENCE,
    "order": TO_TWIN,
    "layers": 1,
    "causal": False,
    "positions": False,
}


def compute(**changed) -> dict[str, Tensor]:
    return TokenShuffle.compute("cpu", **SETTINGS | changed)


def layer_by_hand(x: Tensor, causal: bool) -> Tensor:
    rows = []
    for place, row in enumerate(x):
        seen = x[: place + 1] if causal else x
        powers = [math.exp((row @ W_Q) @ (other @ W_K) / math.sqrt(8)) for other in seen]
        mixed = sum(p * (other @ W_V) for p, other in zip(powers, seen, strict=True))
        rows.append(row + mixed / sum(powers))
    return torch.stack(rows)


@pytest.mark.parametrize("causal", [False, True])
def test_two_layers_written_out(causal):
    values = compute(layers=2, causal=causal)
    twin = layer_by_hand(layer_by_hand(embeddings(TWIN), causal), causal)
    torch.testing.assert_close(values["after"], twin)
    before = layer_by_hand(layer_by_hand(embeddings(), causal), causal)
    torch.testing.assert_close(values["before"], before)


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("order", [TO_TWIN, LAST_STAYS, "5 4 3 2 1 0"])
def test_without_mask_and_positions_outputs_move_with_their_words(layers, order):
    values = compute(layers=layers, order=order)
    assert torch.equal(values["change"], torch.zeros(6, dtype=torch.float64))
    torch.testing.assert_close(values["after"], values["before"][values["order"]])
    torch.testing.assert_close(values["before"][0], values["before"][4])  # both "the"


def test_one_causal_layer_keeps_the_last_output_and_two_do_not():
    one, two = (compute(order=LAST_STAYS, causal=True, layers=layers) for layers in (1, 2))
    assert one["change"][-1] == 0
    assert (one["change"][:-1] > 0.01).all()
    assert (two["change"] > 0.1).all()


def test_the_first_word_sees_only_itself_behind_a_mask():
    values = compute(causal=True, layers=3)
    assert values["change"][0] == 0
    assert (values["change"][1:] > 0.1).all()


def test_positions_change_every_output_and_part_equal_words():
    values = compute(positions=True)
    assert (values["change"] > 0.1).all()
    assert (values["before"][0] - values["before"][4]).abs().max() > 0.1


def test_order_names_words_and_the_rest_follow():
    assert places_of("", 3) == [0, 1, 2]
    assert places_of("2", 4) == [2, 0, 1, 3]
    assert places_of("9 1 0", 2) == [1, 0]
    assert compute(order="5 4")["order"].tolist() == [5, 4, 0, 1, 2, 3]


def test_a_word_has_the_same_numbers_wherever_it_stands():
    assert torch.equal(word_vector("cat"), embeddings(["cat"])[0])
    drawn = [word_vector(word) for word in ("dog", "god", "dogs", "Ωmega", "😀", "ha")]
    assert all(row.abs().max() <= 1 for row in drawn)
    assert torch.pdist(torch.stack(drawn)).min() > 0.5
    assert torch.equal(word_vector("DOG"), drawn[0])


@pytest.mark.parametrize("count", [0, MOST + 1, 40])
def test_too_few_or_too_many_words_are_named(count):
    with pytest.raises(ValueError, match=f"^sentence: .* 1 to 12 words, got {count}$"):
        words_of(" dog, " * count)


@pytest.mark.parametrize(
    ("order", "message"),
    [
        ("one", "order: expected numbers of words, as in 2 0 1, got one"),
        ("0 -1", "order: expected numbers of words, as in 2 0 1, got -1"),
        ("3 1 03", "order: expected each word once, got 3 twice"),
    ],
)
def test_an_impossible_order_is_named(order, message):
    with pytest.raises(ValueError, match=message):
        places_of(order, 4)

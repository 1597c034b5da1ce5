"""What is asked, and that the answers are right: read from the tokens alone."""

import pytest
import torch

from pe_lib.experiments.tasks import examples
from pe_lib.experiments.tasks.examples import (
    DISTANCES,
    FIRST_QUESTION,
    SEPARATOR,
    SYMBOLS,
    TASKS,
    VOCABULARY,
    copying,
    examples_hash,
    retrieval,
    unseen,
)


def chance(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("length", [1, 2, 24])
def test_a_copy_follows_its_string_and_the_separator(length):
    tokens, answers = copying(length, 7, chance())
    assert tokens.shape == (7, 2 * length) and answers.shape == (7, length)
    for row, answer in zip(tokens.tolist(), answers.tolist(), strict=True):
        string = row[:length]
        assert [*row, answer[-1]] == [*string, SEPARATOR, *string]
        assert answer == string
        assert all(0 <= symbol < SYMBOLS for symbol in string)


@pytest.mark.parametrize("length", [16, 17, 128])
def test_a_question_is_answered_by_the_symbol_so_many_places_before_it(length):
    tokens, answers = retrieval(length, 11, chance())
    assert tokens.shape == (11, length + 1) and answers.shape == (11, 1)
    for number, (row, answer) in enumerate(zip(tokens.tolist(), answers.tolist(), strict=True)):
        distance = DISTANCES[row[-1] - FIRST_QUESTION]
        assert answer == [row[-1 - distance]]
        assert distance == DISTANCES[number % len(DISTANCES)], "they take turns"
        assert all(0 <= symbol < SYMBOLS for symbol in row[:-1])


def test_every_token_has_one_meaning():
    questions = {FIRST_QUESTION + n for n in range(len(DISTANCES))}
    assert questions | {SEPARATOR} | {*range(SYMBOLS)} == {*range(VOCABULARY)}
    assert len(questions) + 1 + SYMBOLS == VOCABULARY


@pytest.mark.parametrize("task", TASKS)
def test_every_symbol_stands_in_every_place_equally_often(task):
    tokens, _ = TASKS[task](16, 8000, chance())
    counts = torch.stack([(tokens[:, :16] == symbol).sum(dim=0) for symbol in range(SYMBOLS)])
    assert counts.min() > 400 and counts.max() < 600, "of 500 that are expected, within 5 sigma"


@pytest.mark.parametrize("task", TASKS)
def test_what_is_measured_on_is_always_the_same_and_in_no_training(task):
    one, other = unseen(task, 16, 50), unseen(task, 16, 50)
    assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))
    seen = TASKS[task](16, 50, chance(0))
    assert not (one[0][:, None, :16] == seen[0][None, :, :16]).all(dim=-1).any()


def test_the_hash_tells_other_examples_apart(monkeypatch):
    before = examples_hash()
    assert examples_hash() == before
    monkeypatch.setattr(examples, "DISTANCES", (1, 2, 4, 8, 15))
    assert examples_hash() != before

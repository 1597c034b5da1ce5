"""The exercises of chapter 01: right answers of many styles pass, classic mistakes are named."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from pe_lib.exercises import check, checker
from pe_lib.exercises.order import EXERCISES

CATALOGUE = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.mistakes]
MISTAKES = pytest.mark.parametrize(
    ("exercise", "mistake"), CATALOGUE, ids=[f"{e.name}: {m.name}" for e, m in CATALOGUE]
)


# --- right answers: indices, torch.nn, plain NumPy, plain Python ---------------------------------


def embed_by_index(ids, table):
    return table[ids]


def embed_by_layer(ids, table):
    return nn.Embedding.from_pretrained(table)(ids)


def embed_by_one_hot(ids, table):
    return nn.functional.one_hot(ids, len(table)).to(table.dtype) @ table


def embed_in_numpy(ids, table):
    return np.take(table.numpy(), ids.numpy(), axis=0).astype(np.float32)


def embed_in_loops(ids, table):
    return torch.stack([torch.stack([table[i] for i in text]) for text in ids.tolist()])


def permutation_of_rows(order):
    return torch.eye(len(order))[order]


def permutation_by_one_hot(order):
    return nn.functional.one_hot(torch.tensor(order)).double()


def permutation_in_numpy(order):
    matrix = np.zeros((len(order), len(order)))
    matrix[np.arange(len(order)), order] = 1
    return matrix


def permutation_in_loops(order):
    return torch.tensor([[float(column == word) for column in range(len(order))] for word in order])


def permutation_of_whole_numbers(order):
    return nn.functional.one_hot(torch.tensor(order))


def permutation_kept_sparse(order):
    places = torch.tensor([list(range(len(order))), order])
    return torch.sparse_coo_tensor(places, torch.ones(len(order)), check_invariants=True)


def gap_by_index(layer, x, order):
    return (layer(x[order]) - layer(x)[order]).abs().max().item()


def gap_by_matrix(layer, x, order):
    matrix = torch.eye(len(order), dtype=x.dtype)[order]
    return torch.dist(layer(matrix @ x), matrix @ layer(x), p=torch.inf)


def gap_in_numpy(layer, x, order):
    return np.abs(layer(x[order]).numpy() - layer(x).numpy()[order]).max()


def gap_shuffled_back(layer, x, order):
    back = torch.tensor(order).argsort()
    return float((layer(x[order])[back] - layer(x)).abs().amax())


def states_in_a_loop(x, w_in, w_state):
    state, states = torch.zeros(w_state.shape[0], dtype=x.dtype), []
    for row in x:
        state = torch.tanh(row @ w_in + state @ w_state)
        states.append(state)
    return torch.stack(states)


def states_by_layer(x, w_in, w_state):
    rnn = nn.RNN(*w_in.shape, bias=False, batch_first=True, dtype=x.dtype)
    rnn.weight_ih_l0.data, rnn.weight_hh_l0.data = w_in.T.contiguous(), w_state.T.contiguous()
    return rnn(x.unsqueeze(0))[0].squeeze(0)


def states_in_numpy(x, w_in, w_state):
    states = np.zeros((len(x) + 1, w_state.shape[0]))
    for t, row in enumerate(x.numpy()):
        states[t + 1] = np.tanh(row @ w_in.numpy() + states[t] @ w_state.numpy())
    return states[1:]


def states_from_the_whole(x, w_in, w_state):
    states = torch.tanh(x @ w_in)  # right for the first word; every pass makes one more right
    for _ in range(len(x)):
        before = torch.cat((torch.zeros_like(states[:1]), states[:-1]))
        states = torch.tanh(x @ w_in + before @ w_state)
    return states


def place_by_formula(seen):
    return 1 / seen - 1


def place_rounded(seen):
    return seen.float().reciprocal().round() - 1


def place_in_whole_numbers(seen):
    return (1 / seen).round().long() - 1


def place_in_numpy(seen):
    return (1 - seen.numpy()) / seen.numpy()


def place_by_search(seen):
    known = [1 / (p + 1) for p in range(1000)]
    nearest = [[min(range(1000), key=lambda p: abs(known[p] - s)) for s in row] for row in seen]
    return torch.tensor(nearest, dtype=torch.float64)


EMBED = (embed_by_index, embed_by_layer, embed_by_one_hot, embed_in_numpy, embed_in_loops)
PERMUTATION = (
    permutation_of_rows,
    permutation_by_one_hot,
    permutation_in_numpy,
    permutation_in_loops,
    permutation_of_whole_numbers,
    permutation_kept_sparse,
)
PLACE = (
    place_by_formula,
    place_rounded,
    place_in_whole_numbers,
    place_in_numpy,
    place_by_search,
)
RIGHT = [
    *[("embed", f) for f in EMBED],
    *[("permutation", f) for f in PERMUTATION],
    *[("gap", f) for f in (gap_by_index, gap_by_matrix, gap_in_numpy, gap_shuffled_back)],
    ("recurrent_states", states_in_a_loop),
    ("recurrent_states", states_by_layer),
    ("recurrent_states", states_in_numpy),
    ("recurrent_states", states_from_the_whole),
    *[("place", f) for f in PLACE],
]


@pytest.mark.parametrize(("name", "solution"), RIGHT)
@pytest.mark.parametrize("closer", [1, 10])
def test_right_answers_pass(name, solution, closer, monkeypatch):
    """With room to spare: also where ten times less is forgiven."""
    monkeypatch.setattr(checker, "TOLERANCE", checker.TOLERANCE / closer)
    verdict = getattr(check, name)(solution)
    assert verdict.passed, verdict


def test_every_exercise_has_three_right_answers():
    for exercise in EXERCISES:
        assert sum(name == exercise.name for name, _ in RIGHT) >= 3, exercise.name


# --- mistakes -----------------------------------------------------------------------------------


@MISTAKES
@pytest.mark.parametrize("wider", [1, 5])
def test_every_mistake_is_told_apart(exercise, mistake, wider, monkeypatch):
    """From the right answer and from every other mistake, also where five times more is
    forgiven."""
    monkeypatch.setattr(checker, "TOLERANCE", checker.TOLERANCE * wider)
    monkeypatch.setattr(checker, "MISTAKE_TOLERANCE", checker.MISTAKE_TOLERANCE * wider)
    verdict = exercise(mistake.wrong)
    assert not verdict.passed
    assert verdict.mistake == mistake.name
    assert " ".join(repr(verdict).split()) == (
        f"Not yet: {mistake.message} Read again: “{mistake.where}”."
    )


def test_the_catalogue_is_in_order():
    names = ["embed", "permutation", "gap", "recurrent_states", "place"]
    assert [exercise.name for exercise in EXERCISES] == names
    assert set(names) <= set(dir(check))
    for exercise in EXERCISES:
        mistakes = [mistake.name for mistake in exercise.mistakes]
        assert len(mistakes) >= 4
        assert len(set(mistakes)) == len(mistakes)


@MISTAKES
def test_messages_are_friendly_and_keep_the_answer(exercise, mistake):
    assert not re.search(
        r"\b(eye|tanh|abs|max|zeros|argsort|stack|norm)\(|torch\.|np\.|\[|1 /", mistake.message
    )
    assert mistake.message[0].islower(), "it goes on after “Not yet: ”"
    assert mistake.message.rstrip(")").endswith((".", "?"))
    assert len(mistake.message) < 260


def rows_scattered(order):
    matrix = np.zeros((len(order), len(order)))
    for place, word in enumerate(order):
        matrix[word, place] = 1
    return matrix


def gap_undone_by_the_order_itself(layer, x, order):
    return (layer(x[order])[order] - layer(x)).abs().max()


def states_without_carrying(x, w_in, w_state):
    states = []
    for t, row in enumerate(x):
        before = torch.tanh(x[t - 1] @ w_in) if t else torch.zeros_like(w_state[0])
        states.append(torch.tanh(row @ w_in + before @ w_state))
    return torch.stack(states)


def states_before(x, w_in, w_state):
    state, states = torch.zeros_like(w_state[0]), []
    for row in x:
        states.append(state)
        state = torch.tanh(row @ w_in + state @ w_state)
    return torch.stack(states)


@pytest.mark.parametrize(
    ("name", "function", "mistake"),
    [
        ("embed", lambda ids, table: table.numpy()[ids.numpy() - 1], "ids from 1"),
        ("embed", lambda ids, table: table.T[ids], "columns instead of rows"),
        ("permutation", rows_scattered, "the way back"),
        ("permutation", lambda order: torch.eye(len(order)), "nothing moves"),
        ("gap", gap_undone_by_the_order_itself, "put back the wrong way"),
        ("gap", lambda f, x, o: float((f(x[o]) - f(x)).abs().max()), "invariance"),
        ("recurrent_states", states_without_carrying, "one word back"),
        ("recurrent_states", states_before, "the state before the word"),
        ("place", lambda seen: np.round(1 / seen.numpy()), "positions from 1"),
        ("place", lambda seen: (1 / seen - 1).int(), "cut off"),
        ("place", lambda seen: torch.arange(seen.shape[1]).float().repeat(len(seen), 1),
         "counted instead of read"),
    ],
)  # fmt: skip
def test_mistakes_as_learners_write_them(name, function, mistake):
    assert getattr(check, name)(function).mistake == mistake


def test_a_layer_is_shown_by_its_name():
    message = repr(check.gap(lambda layer, x, order: None))
    assert message.startswith("Not yet: my_gap(head, x, [2, 0, 1, 4, 3]) with x of shape (5, 8)")


def test_messages_point_to_sections_that_are_there():
    cells = json.loads(Path("chapters/01_why_order_matters.ipynb").read_bytes())["cells"]
    text = "".join("".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "markdown")
    headings = {
        heading.strip() for heading in re.findall(r"^#+ (?:\d+ · )?(.*)$", text, re.MULTILINE)
    }
    assert {mistake.where for _, mistake in CATALOGUE} <= headings

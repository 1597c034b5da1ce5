"""The exercises of chapter 03: right answers of many styles pass, classic mistakes are named."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from pe_lib.exercises import check, checker
from pe_lib.exercises.learned import EXERCISES

CATALOGUE = [(exercise, mistake) for exercise in EXERCISES for mistake in exercise.mistakes]
MISTAKES = pytest.mark.parametrize(
    ("exercise", "mistake"), CATALOGUE, ids=[f"{e.name}: {m.name}" for e, m in CATALOGUE]
)


# --- right answers: slices, nn.Embedding, plain NumPy, plain Python ------------------------------


def add_by_slice(x, table, offset=0):
    return x + table[offset : offset + x.shape[-2]]


def add_by_embedding(x, table, offset=0):
    embedding = nn.Embedding.from_pretrained(table)
    positions = torch.arange(offset, offset + x.size(1))
    return x + embedding(positions).unsqueeze(0)


def add_in_numpy(x, table, offset=0):
    return x.numpy() + np.take(table.numpy(), np.arange(x.shape[1]) + offset, axis=0)[None]


def add_in_loops(x, table, offset=0):
    out = x.clone()
    for text in out:
        for n, vector in enumerate(text):
            vector += table[offset + n]
    return out


def gradient_by_slice(grad, max_len, offset=0):
    result = torch.zeros(max_len, grad.shape[-1])
    result[offset : offset + grad.shape[1]] = grad.sum(dim=0)
    return result


def gradient_by_autograd(grad, max_len, offset=0):
    table = torch.zeros(max_len, grad.shape[-1], requires_grad=True)
    out = torch.zeros_like(grad) + table[offset : offset + grad.shape[1]]
    out.backward(grad)
    return table.grad


def gradient_by_index_add(grad, max_len, offset=0):
    positions = torch.arange(offset, offset + grad.shape[1]).repeat(grad.shape[0])
    return torch.zeros(max_len, grad.shape[2]).index_add(0, positions, grad.flatten(0, 1))


def gradient_in_numpy(grad, max_len, offset=0):
    result = np.zeros((max_len, grad.shape[-1]))
    for text in grad.numpy():
        for n, share in enumerate(text):
            result[offset + n] += share
    return result


def stretch_by_interpolate(table, length):
    columns = table.T.unsqueeze(0)
    out = nn.functional.interpolate(columns, size=length, mode="linear", align_corners=True)
    return out.squeeze(0).T


def stretch_in_numpy(table, length):
    places = np.linspace(0, len(table) - 1, length)
    columns = [np.interp(places, range(len(table)), column) for column in table.numpy().T]
    return np.stack(columns, axis=1)


def stretch_in_python(table, length):
    rows = []
    for p in range(length):
        at = p * (len(table) - 1) / (length - 1)
        low = min(int(at), len(table) - 2)
        rows.append(table[low] + (at - low) * (table[low + 1] - table[low]))
    return torch.stack(rows)


def cosine_by_torch(table, used):
    return nn.functional.cosine_similarity(table[: used - 1], table[1:used], dim=-1).mean()


def cosine_in_numpy(table, used):
    rows = table.numpy()[:used]
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return np.einsum("pd,pd->p", rows[:-1], rows[1:]).mean()


def cosine_in_python(table, used):
    total = 0.0
    for a, b in zip(table[:used].tolist(), table[1:used].tolist(), strict=False):
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        total += dot / (sum(x * x for x in a) * sum(y * y for y in b)) ** 0.5
    return total / (used - 1)


def rows_by_cumsum(tokens, table, padding_idx=1):
    mask = tokens.ne(padding_idx).int()
    positions = torch.cumsum(mask, dim=1) * mask + padding_idx
    return table[positions]


def rows_in_numpy(tokens, table, padding_idx=1):
    words = tokens.numpy() != padding_idx
    return table.numpy()[np.where(words, np.cumsum(words, axis=1), 0) + padding_idx]


def rows_in_loops(tokens, table, padding_idx=1):
    texts = []
    for text in tokens.tolist():
        number, rows = padding_idx, []
        for token in text:
            number += token != padding_idx
            rows.append(table[padding_idx if token == padding_idx else number])
        texts.append(torch.stack(rows))
    return torch.stack(texts)


RIGHT = [
    *[("add_learned", f) for f in (add_by_slice, add_by_embedding, add_in_numpy, add_in_loops)],
    ("table_gradient", gradient_by_slice),
    ("table_gradient", gradient_by_autograd),
    ("table_gradient", gradient_by_index_add),
    ("table_gradient", gradient_in_numpy),
    *[("stretch_table", f) for f in (stretch_by_interpolate, stretch_in_numpy, stretch_in_python)],
    *[("neighbour_cosine", f) for f in (cosine_by_torch, cosine_in_numpy, cosine_in_python)],
    *[("padded_rows", f) for f in (rows_by_cumsum, rows_in_numpy, rows_in_loops)],
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
    assert [exercise.name for exercise in EXERCISES] == [
        "add_learned",
        "table_gradient",
        "stretch_table",
        "neighbour_cosine",
        "padded_rows",
    ]
    assert {exercise.name for exercise in EXERCISES} <= set(dir(check))
    for exercise in EXERCISES:
        names = [mistake.name for mistake in exercise.mistakes]
        assert len(names) >= 4
        assert len(set(names)) == len(names)


@MISTAKES
def test_messages_are_friendly_and_keep_the_answer(exercise, mistake):
    assert not re.search(
        r"\b(sum|cumsum|mean|interpolate|linspace|norm|zeros|arange|stack)\(|torch\.|np\.|\[",
        mistake.message,
    )
    assert mistake.message[0].islower(), "it goes on after “Not yet: ”"
    assert mistake.message.rstrip(")").endswith((".", "?"))
    assert len(mistake.message) < 260


def whole_slice_plus_sequence_first(x, table, offset=0):
    return (
        x + table[: x.size(0)].unsqueeze(1) if not offset else x + table[offset:][: x.size(0), None]
    )


def gradient_of_the_document(grad, max_len, offset=0):
    return grad.sum(0)


def stretch_like_a_picture(table, length):
    out = nn.functional.interpolate(table.T[None], size=length, mode="linear")
    return out[0].T


def cosine_of_everything(table, used):
    unit = table[:used] / table[:used].norm(dim=-1, keepdim=True)
    return (unit @ unit.T).mean()


def rows_from_two(tokens, table, padding_idx=1):
    positions = padding_idx + 1 + torch.arange(tokens.shape[1])
    return table[positions][None].expand(len(tokens), -1, -1)


@pytest.mark.parametrize(
    ("name", "function", "mistake"),
    [
        ("add_learned", whole_slice_plus_sequence_first, "positions along the batch"),
        ("add_learned", lambda x, table, offset=0: x + table[-x.shape[1] :], "rows from the end"),
        ("table_gradient", gradient_of_the_document, "only the used rows"),
        ("stretch_table", stretch_like_a_picture, "ends not kept"),
        ("neighbour_cosine", cosine_of_everything, "rows with themselves"),
        ("padded_rows", rows_from_two, "pads counted"),
        ("padded_rows", lambda tokens, table, padding_idx=1: table[tokens], "rows by token"),
    ],
)
def test_mistakes_as_learners_write_them(name, function, mistake):
    assert getattr(check, name)(function).mistake == mistake


def test_adding_in_place_is_noticed():
    def my_add(x, table, offset=0):
        x += table[offset : offset + x.shape[1]]
        return x

    assert check.add_learned(my_add).mistake == "changed in place"


def test_messages_point_to_sections_that_are_there():
    cells = json.loads(Path("chapters/03_learned.ipynb").read_bytes())["cells"]
    text = "".join("".join(c["source"]) + "\n" for c in cells if c["cell_type"] == "markdown")
    headings = {
        heading.strip() for heading in re.findall(r"^#+ (?:\d+ · )?(.*)$", text, re.MULTILINE)
    }
    assert {mistake.where for _, mistake in CATALOGUE} <= headings

"""The text that the small models learn from, and that no model that is measured has seen."""

import math

import pytest
import torch

from pe_lib.experiments import text
from pe_lib.experiments.text import (
    random_windows,
    text_hash,
    topics,
    training_text,
    unseen_text,
    unseen_topics,
    validation_text,
)

REPEAT = 80  # bytes; half a sentence may well stand in two topics


def in_bytes(tokens: torch.Tensor) -> bytes:
    return bytes(tokens.tolist())


def shared(one: bytes, other: bytes) -> list[bytes]:
    """What stands in both, of 80 bytes."""
    one, other = (b" ".join(text.split()) for text in (one, other))  # wherever lines break
    pieces = {other[i : i + REPEAT] for i in range(len(other) - REPEAT + 1)}
    return [p for i in range(len(one) - REPEAT + 1) if (p := one[i : i + REPEAT]) in pieces]


def test_nothing_that_is_measured_on_stands_in_what_is_learned_from():
    seen, chosen_by, unseen = map(in_bytes, (training_text(), validation_text(), unseen_text()))
    assert shared(chosen_by, seen) == []
    assert shared(unseen, seen) == []
    assert shared(unseen, chosen_by) == []


def test_topics_left_out_as_repeated_stand_in_others_for_the_most_part():
    kept = "\n".join(body for name, body in topics().items() if name not in text.REPEATED).encode()
    for name in text.REPEATED:
        own = topics()[name].encode()
        assert len(shared(own, kept)) > 0.5 * (len(own) - REPEAT), name


def test_every_topic_is_used_once_or_left_out_as_repeated():
    used = len(training_text()) + len(validation_text()) + len(unseen_text())
    named = {*text.VALIDATION, *text.UNSEEN, *text.REPEATED}
    assert named <= topics().keys()
    whole = sum(len(t.encode()) + 1 for n, t in topics().items() if n not in text.REPEATED)
    assert used == whole - 3, "three joined texts, each without a last line feed"


def test_it_is_text():
    for tokens in (training_text(), validation_text(), unseen_text()):
        shares = tokens.bincount(minlength=256).double() / len(tokens)
        entropy = -sum(p * math.log2(p) for p in shares.tolist() if p)
        assert 3.0 < entropy < 5.5, "bits a byte"


def test_unseen_topics_are_the_unseen_text():
    line_feed = torch.tensor([10])
    first, second, third = unseen_topics()
    assert torch.equal(torch.cat((first, line_feed, second, line_feed, third)), unseen_text())


@pytest.mark.parametrize("topic", ["pass", "identifiers", "import"])
def test_the_hash_changes_with_any_text_and_with_the_split(topic, monkeypatch):
    before, changed = text_hash(), {**topics(), topic: topics()[topic] + "."}
    with monkeypatch.context() as patch:
        patch.setattr(text, "topics", lambda: changed)
        assert text_hash() != before
    monkeypatch.setattr(text, "UNSEEN", ("assignment", "import", "strings"))
    assert text_hash() != before


def test_windows_are_pieces_of_the_text_and_reach_its_ends():
    tokens = torch.arange(12)
    windows = random_windows(tokens, 500, 5, torch.Generator().manual_seed(0))
    assert torch.equal(windows - windows[:, :1], torch.arange(5).expand(500, 5))
    assert set(windows[:, 0].tolist()) == set(range(8))


@pytest.mark.parametrize(
    ("count", "length", "message"),
    [
        (0, 5, "count: expected an int >= 1, got 0"),
        (2, 0, "length: expected an int >= 1, got 0"),
        (2, 13, "text: expected at least length = 13 tokens, got 12"),
    ],
)
def test_impossible_windows_are_refused(count, length, message):
    with pytest.raises(ValueError, match=message):
        random_windows(torch.arange(12), count, length, torch.Generator())

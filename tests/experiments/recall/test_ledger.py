"""What a ledger is: read from its tokens alone."""

import pytest
import torch

from pe_lib.experiments.recall import ledger
from pe_lib.experiments.recall.ledger import (
    NAMES,
    NOTES,
    VOCABULARY,
    ZIPF,
    distances,
    ledgers,
    ledgers_hash,
    of_step,
    unseen,
    validation,
)


def chance(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_names_and_entries_take_turns_and_a_name_keeps_its_note():
    for row in ledgers(600, 5, chance()).tolist():
        notes: dict[int, int] = {}
        for name, entry in zip(row[::2], row[1::2], strict=True):
            of, note = divmod(entry - NAMES, NOTES)
            assert 0 <= name < NAMES <= entry < VOCABULARY
            assert of == name, "an entry is of the name before it"
            assert notes.setdefault(name, note) == note


def test_notes_are_drawn_anew_and_evenly():
    entries = ledgers(2, 8000, chance())[:, 1] - NAMES
    counts = torch.bincount(entries % NOTES, minlength=NOTES)
    assert counts.min() > 850 and counts.max() < 1150, "of 1,000 that are expected, within 5 sigma"


def test_in_each_ledger_other_names_are_frequent_by_zipfs_law():
    names = ledgers(20_000, 20, chance())[:, ::2]
    counts = torch.stack([torch.bincount(row, minlength=NAMES) for row in names])
    assert len(counts.argmax(dim=1).unique()) > 8
    shares = counts.sort(dim=1, descending=True).values.double().mean(dim=0) / 10_000
    expected = torch.arange(1.0, NAMES + 1).pow(-ZIPF)
    assert shares[:12] == pytest.approx((expected / expected.sum())[:12], rel=0.1)


def test_distances_are_those_to_the_same_name_before():
    tokens = ledgers(200, 3, chance())
    for row, found in zip(tokens.tolist(), distances(tokens).tolist(), strict=True):
        for place, distance in zip(range(0, 200, 2), found, strict=True):
            before = [2 * n for n in range(place // 2) if row[2 * n] == row[place]]
            assert distance == (place - before[-1] if before else 0)


def test_what_is_measured_on_is_always_the_same_and_in_no_training():
    assert torch.equal(unseen(64, 9), unseen(64, 9))
    others = [
        validation(64, 9),
        *(of_step(64, 9, seed, step) for seed in (0, 1) for step in (0, 1)),
    ]
    rows = torch.cat([unseen(64, 9), *others])
    assert len(rows.unique(dim=0)) == len(rows)


def test_ledgers_longer_than_what_is_drawn_together_end_in_shorter_ones():
    shorter, longer = unseen(2048, 3), unseen(5000, 3)
    assert torch.equal(longer[:, -2048:], shorter)
    assert longer.shape == (3, 5000) and len(longer[:, :904].unique(dim=0)) == 3
    for row in longer.tolist():
        assert len(set(row[1::2])) == len(set(row[::2])), "one note for each name, all the way"


def test_the_hash_tells_other_ledgers_apart(monkeypatch):
    before = ledgers_hash()
    assert ledgers_hash() == before
    monkeypatch.setattr(ledger, "NOTES", 7)
    assert ledgers_hash() != before

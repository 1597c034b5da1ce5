"""Digits in one size or in many: a short training here, and the record that came with pe_lib."""

import json

import pytest
import torch

from pe_lib.experiments import __main__ as command
from pe_lib.experiments import digits
from pe_lib.experiments.digit_sizes import read_provenance, read_record, record, training
from pe_lib.experiments.digit_sizes.record import pack, unpack

CHANCE = torch.Generator


@pytest.fixture(scope="module")
def short() -> record.Shares:
    """What a few steps leave behind."""
    return training.run(steps=4, seeds=(0, 1), count=12)


def test_a_short_training_is_the_same_every_time(short):
    one, two = short, training.run(steps=4, seeds=(0, 1), count=12)
    for seen, own in one.items():
        for read, shares in own.items():
            assert shares.shape == (2,)
            assert torch.equal(shares, two[seen][read])


def test_a_page_holds_one_picture_of_a_size_that_was_asked_for():
    images = torch.ones(40, 1, 8, 8)
    pages = training.on_pages(images, (8, 12), CHANCE().manual_seed(0))
    assert pages.shape == (40, 1, training.PAGE, training.PAGE)
    areas = pages.sum(dim=(1, 2, 3))
    assert sorted({round(area) for area in areas.tolist()}) == [64, 144]
    places = {tuple(page.nonzero()[0].tolist()) for page in pages}
    assert len(places) > 20, "pictures lie in many places"


def test_a_finer_page_shows_the_same_picture_in_the_same_place():
    images, _ = (part[:10] for part in digits.unseen_pictures())
    page, finer = (
        training.on_pages(images, (8,), CHANCE().manual_seed(3), times) for times in (1, 2)
    )
    coarse = torch.nn.functional.avg_pool2d(finer, 2)
    touched = coarse.amax((2, 3), keepdim=True)
    assert ((page > 0.5) <= (coarse > 0.1)).all(), "where there is ink, there is ink"
    assert (touched > 0.5).all()


def test_continued_and_stretched_read_the_same_pages():
    asked = training.tests(count=5)
    (continued, plain), (stretched, resized) = asked["continued"], asked["stretched"]
    assert torch.equal(continued[0], stretched[0])
    assert (plain, resized) == (False, True)
    assert continued[0].shape[-1] == training.FINER * asked["page"][0][0].shape[-1]


def test_packing_keeps_the_shares():
    shares = {"one size": {"page": torch.tensor([0.25, 0.5], dtype=torch.float64)}}
    found = unpack(json.loads(json.dumps(pack(shares))))
    assert torch.equal(found["one size"]["page"], shares["one size"]["page"])


def test_the_record_is_of_the_training_that_stands_here():
    provenance = read_provenance()
    assert provenance.items() >= training.SETTINGS.items()
    kept = read_record()
    assert list(kept) == list(training.SEEN)
    for own in kept.values():
        assert list(own) == list(training.tests(count=1))
        assert all(shares.shape == (len(training.SEEDS),) for shares in own.values())


def test_the_record_shows_what_the_chapter_says():
    for own in read_record().values():
        assert own["stretched"].min() > own["continued"].max() + 0.1


def test_the_command_writes_record_and_provenance(tmp_path, monkeypatch, short, capsys):
    monkeypatch.setattr(training, "run", lambda: short)
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(record, "PROVENANCE", tmp_path / "provenance.json")
    monkeypatch.setattr("sys.argv", ["experiments", "digit_sizes"])
    assert command.main() == 0
    written = unpack(json.loads((tmp_path / "record.json").read_text()))
    assert written.keys() == training.SEEN.keys()
    provenance = json.loads((tmp_path / "provenance.json").read_text())
    assert provenance.keys() == read_provenance().keys()
    assert "record.json" in capsys.readouterr().out


@pytest.mark.slow
def test_a_training_from_now_agrees_with_the_record():
    """One model of each kind; another processor moves its shares a little."""
    kept, found = read_record(), training.run(seeds=(0,))
    for seen, own in kept.items():
        for read, shares in own.items():
            assert found[seen][read].item() == pytest.approx(shares[0].item(), abs=0.1)

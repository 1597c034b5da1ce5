"""The handwritten digits: whole, in three parts that follow each other, and enlarged."""

import hashlib
import lzma

import pytest
import torch

from pe_lib.experiments import digits
from pe_lib.experiments.digits import (
    pictures_hash,
    training_pictures,
    unseen_pictures,
    validation_pictures,
)
from pe_lib.experiments.pictures import enlarged

PARTS = (training_pictures, validation_pictures, unseen_pictures)


def rows() -> list[bytes]:
    """What the file holds: 64 pixels and a label each."""
    whole = lzma.decompress(digits.FILE.read_bytes())
    return [whole[start : start + 65] for start in range(0, len(whole), 65)]


def test_the_pictures_are_those_of_scikit_learn():
    """The hash is that of its digits.csv."""
    lines = [",".join(str(number) for number in row) + "\n" for row in rows()]
    found = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert found == "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8"


def test_of_each_digit_there_are_as_many_as_its_authors_say():
    labels = torch.cat([part()[1] for part in PARTS])
    assert len(labels) == 1797
    assert labels.bincount().tolist() == [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]


def test_parts_follow_each_other_in_the_order_of_the_file():
    images, labels = (torch.cat(parts) for parts in zip(*(part() for part in PARTS), strict=True))
    assert [len(part()[1]) for part in PARTS] == [1200, 197, 400]
    assert (images.dtype, labels.dtype) == (torch.float32, torch.int64)
    for n in (0, 1199, 1200, 1396, 1397, 1796):
        *pixels, label = rows()[n]
        assert (16 * images[n, 0]).flatten().tolist() == pixels
        assert labels[n] == label
    assert (images.min(), images.max()) == (0, 1)


def test_nobody_can_change_the_pictures_of_others():
    for part in PARTS:
        for tensor in part():
            tensor.zero_()
        assert all(tensor.any() for tensor in part())


@pytest.mark.parametrize("name", ["TRAINING", "VALIDATION"])
def test_the_hash_changes_with_the_split(name, monkeypatch):
    before = pictures_hash()
    monkeypatch.setattr(digits, name, getattr(digits, name) - 1)
    assert pictures_hash() != before


def test_the_hash_changes_with_any_picture(monkeypatch):
    before, changed = pictures_hash(), b"".join(rows())[:-1] + b"\x09"
    monkeypatch.setattr(digits, "_file", lambda: changed)
    assert pictures_hash() != before


@pytest.mark.parametrize("factor", [2, 3])
def test_an_evenly_rising_brightness_still_rises_evenly(factor):
    """A pixel's middle at (i + 0.5) / size of the picture has the brightness of that place."""
    middles = (torch.arange(8) + 0.5) / 8
    size = 8 * factor
    found = enlarged(middles.expand(1, 1, 8, 8), size)[0, 0]
    expected = (torch.arange(size) + 0.5) / size
    inside = slice(factor // 2, size - factor // 2)  # where there are pixels on both sides
    torch.testing.assert_close(found[:, inside], expected[inside].expand(size, -1))
    torch.testing.assert_close(enlarged(middles.expand(1, 1, 8, 8).mT, size)[0, 0], found.T)


def test_pictures_of_their_own_size_stay_as_they_are():
    images, _ = unseen_pictures()
    torch.testing.assert_close(enlarged(images, 8), images, rtol=0, atol=0)


@pytest.mark.parametrize("size", [0, -3])
def test_pictures_of_no_pixels_are_refused(size):
    with pytest.raises(ValueError, match=f"size: expected an int >= 1, got {size}"):
        enlarged(torch.zeros(1, 1, 8, 8), size)

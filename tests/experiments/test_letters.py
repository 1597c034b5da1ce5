"""The printed letters: as drawn by their typefaces, in three parts, at any size of one drawing."""

import lzma

import pytest
import torch
from torch.nn import functional as F

from pe_lib.experiments import letters
from pe_lib.experiments.letters import (
    LETTERS,
    pictures_hash,
    training_pictures,
    unseen_pictures,
    validation_pictures,
)
from pe_lib.experiments.pictures import enlarged

PARTS = (training_pictures, validation_pictures, unseen_pictures)


def glyph(typeface: int, letter: str) -> list[str]:
    """A letter of the file, in lines of # for black and . for white."""
    packed = lzma.decompress(letters.FILE.read_bytes())
    start = (typeface * len(LETTERS) + LETTERS.index(letter)) * 128 * 16
    lines = (packed[start + 16 * row : start + 16 * (row + 1)] for row in range(128))
    return ["".join(f"{byte:08b}" for byte in line).translate({48: ".", 49: "#"}) for line in lines]


def test_the_file_holds_letters_that_are_upright_and_whole():
    assert len(lzma.decompress(letters.FILE.read_bytes())) == 12 * 10 * 128 * 16
    b, d = ([line for line in glyph(0, letter) if "#" in line][:60] for letter in "bd")
    assert len({line.find("#") for line in b}) == 1, "the stem of b is straight, and on its left"
    assert len({line.rfind("#") for line in d}) == 1, "that of d on its right"
    middle = glyph(0, "o")[64]
    assert middle.strip(".").strip("#").strip(".") == "" and middle[64] == ".", "o has a hole"
    for typeface in range(12):
        for letter in LETTERS:
            rows = glyph(typeface, letter)
            edges = rows[0] + rows[-1] + "".join(line[0] + line[-1] for line in rows)
            assert "#" not in edges, (typeface, letter)


def test_the_letters_of_the_file_are_those_that_are_drawn(monkeypatch):
    """Neither moved, turned nor scaled, a drawing is every 4/3rd dot of its letter."""
    found = letters._drawing(letters._glyphs()[23], turned=0.5, scaled=2 / 3, right=0.5, down=0.5)
    expected = glyph(2, "d")
    for row, column in ((48, 60), (20, 65), (48, 45), (70, 33)):
        dot = expected[int((row + 0.5) * 4 / 3)][int((column + 0.5) * 4 / 3)]
        assert bool(found[row, column]) is (dot == "#"), (row, column)


@pytest.mark.parametrize(
    ("place", "moved"), [({"right": 1.0}, (0, 0.08)), ({"down": 0.0}, (-0.08, 0))]
)
def test_a_letter_is_moved_to_where_it_should(place, moved):
    middle = {"turned": 0.5, "scaled": 0.5, "right": 0.5, "down": 0.5}
    o = letters._glyphs()[LETTERS.index("o")]
    rows, columns = torch.meshgrid(*[torch.arange(96.0)] * 2, indexing="ij")
    centres = []
    for where in (middle, middle | place):
        black = letters._drawing(o, **where)
        centres.append(torch.stack([rows[black].mean(), columns[black].mean()]))
    torch.testing.assert_close(centres[1] - centres[0], 96 * torch.tensor(moved), atol=0.6, rtol=0)


def test_letters_turn_both_ways_and_keep_their_size():
    b = letters._glyphs()[LETTERS.index("b")]
    rows, columns = torch.meshgrid(*[torch.arange(96.0)] * 2, indexing="ij")
    leaning, black = [], []
    for turned in (0.0, 0.5, 1.0):
        found = letters._drawing(b, turned, 0.5, 0.5, 0.5)
        black.append(found.sum().item())
        top, bottom = found & (rows < 40), found & (rows > 60)
        leaning.append((columns[top].mean() - columns[bottom].mean()).item())
    assert leaning[0] < leaning[1] < leaning[2] or leaning[0] > leaning[1] > leaning[2]
    assert black == pytest.approx([black[1]] * 3, rel=0.03)
    small, large = (letters._drawing(b, 0.5, s, 0.5, 0.5).sum().item() for s in (0.0, 1.0))
    assert large / small == pytest.approx((1.1 / 0.8) ** 2, rel=0.03)


def test_parts_have_each_letter_equally_often():
    assert [len(part()[1]) for part in PARTS] == [3600, 360, 480]
    for part in PARTS:
        images, labels = part()
        assert labels.bincount().tolist() == [len(labels) // 10] * 10
        assert images.shape == (len(labels), 1, 8, 8)
        assert (images.min(), images.max()) == (0, 1)


def test_no_picture_is_in_two_parts():
    whole = torch.cat([part()[0] for part in PARTS]).flatten(1)
    assert len(whole.unique(dim=0)) == len(whole)


def test_all_sizes_are_of_the_same_drawing():
    """Blocks of a larger picture have the mean of the smaller one's pixel, and more detail."""
    large, labels = unseen_pictures(24)
    for size in (8, 12):
        small, same_labels = unseen_pictures(size)
        assert torch.equal(labels, same_labels)
        torch.testing.assert_close(F.avg_pool2d(large, 24 // size), small)
        assert large.std() > 1.05 * small.std()
        assert (large - enlarged(small, 24)).abs().mean() > 0.03


def test_nobody_can_change_the_pictures_of_others():
    for part in PARTS:
        for tensor in part():
            tensor.zero_()
        assert all(tensor.any() for tensor in part())


@pytest.mark.parametrize("name", ["TRAINING", "VALIDATION"])
def test_the_hash_changes_with_the_split(name, monkeypatch):
    before = pictures_hash()
    monkeypatch.setattr(letters, name, getattr(letters, name) - 1)
    assert pictures_hash() != before


def test_the_hash_changes_with_any_drawing(monkeypatch):
    before, changed = pictures_hash(), letters._drawings().clone()
    changed[-1, 0, 0] ^= True
    monkeypatch.setattr(letters, "_drawings", lambda: changed)
    assert pictures_hash() != before


@pytest.mark.parametrize(
    ("size", "expected"), [(7, "a divisor of 96, got 7"), (0, "an int >= 1, got 0")]
)
def test_sizes_that_do_not_fit_are_refused(size, expected):
    with pytest.raises(ValueError, match=f"size: expected {expected}"):
        unseen_pictures(size)

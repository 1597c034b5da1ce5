"""Whatever was measured has a name and a look of its own, and the looks can be told apart."""

import csv
from itertools import combinations
from pathlib import Path

import pytest

import pe_lib.experiments
from pe_lib.course.encodings import ENCODINGS, NAMES
from pe_lib.course.palette import FAMILIES, THEMES
from tests.library.course.test_palette import contrast, rgb

RECORDS = sorted(Path(pe_lib.experiments.__file__).parent.glob("*/records/runs.csv"))
THEME = pytest.mark.parametrize("theme", ["light", "dark"])

# What eyes without one kind of cones make of linear red, green and blue (Machado and others, 2009,
# at full severity).
EYES = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(colour, eyes):
    """A colour as those eyes see it, in OKLab (Ottosson, 2020)."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (byte / 255 for byte in rgb(colour))]  # fmt: skip
    r, g, b = (min(max(dot(row, linear), 0), 1) for row in EYES[eyes])
    cones = [
        (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3),
        (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3),
        (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3),
    ]
    rows = (
        (0.2104542553, 0.7936177850, -0.0040720468),
        (1.9779984951, -2.4285922050, 0.4505937099),
        (0.0259040371, 0.7827717662, -0.8086757660),
    )
    return [dot(row, cones) for row in rows]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.parts[-3])
def test_every_encoding_that_was_measured_is_in_the_table(path) -> None:
    with path.open() as lines:
        runs = [run for run in csv.DictReader(lines) if run["setting"] != "controls"]
    measured = {run["position"] for run in runs}
    assert measured <= ENCODINGS.keys()


def test_there_are_records() -> None:
    assert {path.parts[-3] for path in RECORDS} == {
        "extrapolation",
        "recall",
        "resolutions",
        "tasks",
    }


def test_no_two_have_the_same_name_or_the_same_look() -> None:
    mixtures = {"rope3none1", "rope2none1", "rope1none1"}  # one encoding, in three experiments
    assert len({(NAMES[kind], ENCODINGS[kind]["dash"]) for kind in mixtures}) == 1
    different = len(ENCODINGS) - len(mixtures) + 1
    assert len(set(NAMES.values())) == different
    looks = {(encoding["family"], encoding["dash"]) for encoding in ENCODINGS.values()}
    assert len(looks) == different


def test_those_that_most_pictures_show_are_told_apart_without_colour() -> None:
    usual = ("none", "sinusoidal", "learned", "rope", "alibi", "t5")
    assert len({ENCODINGS[kind]["dash"] for kind in usual}) == len(usual)


def test_a_dash_is_followed_by_a_gap() -> None:
    assert all(len(encoding["dash"]) % 2 == 0 for encoding in ENCODINGS.values())


@THEME
def test_every_family_has_a_colour_that_is_seen_on_the_page(theme) -> None:
    colours = FAMILIES[theme]
    assert {encoding["family"] for encoding in ENCODINGS.values()} == set(colours)
    assert not set(colours) & set(THEMES[theme]), "the figures' scripts have both in one"
    for family, colour in colours.items():
        for surface in ("surface", "raised"):
            assert contrast(colour, THEMES[theme][surface]) >= 3, family


@THEME
@pytest.mark.parametrize("eyes", EYES)
def test_families_stay_apart_for_all_eyes(eyes, theme) -> None:
    for (a, one), (b, other) in combinations(FAMILIES[theme].items(), 2):
        apart = sum((x - y) ** 2 for x, y in zip(seen(one, eyes), seen(other, eyes), strict=True))
        # In OKLab 0.02 can just be seen in two areas side by side; lines are thin and far apart.
        assert apart**0.5 >= 0.1, f"{a} and {b}"

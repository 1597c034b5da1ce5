"""Every known wrong or missing statement on the subject is put right in some cell of the course.

The list has five groups, E0 to E4, numbered from 1 within each.

`corrections.csv` has a row for each: its id, what is right, the chapter that teaches it, the cell,
and words or a number (`says`) that stand in that cell's text, code or outputs. A row of a chapter
that is not written yet has no cell; where a reader would learn nothing, it has the reason instead.
"""

import csv
from functools import cache
from pathlib import Path

import pytest
from nbformat import NotebookNode

from book.tools import notebooks
from tests.chapters.numbers_in import output_text

Row = dict[str, str]

# How many there are of each group: E0-1 to E0-29, and so on.
KNOWN = {"E0": 29, "E1": 15, "E2": 78, "E3": 21, "E4": 7}
IDS = [f"{group}-{number + 1}" for group, count in KNOWN.items() for number in range(count)]
CHAPTERS = [*(f"{number:02d}" for number in range(10)), "A", "B", "C"]
NO_LESSON = "nothing to teach: "

with Path(__file__).with_name("corrections.csv").open(encoding="utf-8", newline="") as file:
    ROWS: list[Row] = list(csv.DictReader(file))


@cache
def cells_of(chapter: str) -> list[NotebookNode]:
    """All cells of a chapter, those of its deeper page too; none where it is not written."""
    paths = [path for path in notebooks.chapters() if path.stem.partition("_")[0] == chapter]
    return [cell for path in paths for cell in notebooks.read(path).cells]


def fault_of(row: Row) -> str | None:
    """What is wrong with a row."""
    if row["cell"].startswith(NO_LESSON):
        return "has a chapter, but nothing to teach" if row["chapter"] else None
    if row["chapter"] not in CHAPTERS:
        return f"is taught in no chapter: {row['chapter']!r}"
    cells = cells_of(row["chapter"])
    if not row["cell"]:
        return f"has no cell, and chapter {row['chapter']} is written" if cells else None
    found = [cell for cell in cells if cell.id == row["cell"]]
    if len(found) != 1:
        return f"names {row['cell']}: {len(found)} cells of chapter {row['chapter']} are called so"
    if not row["says"] or normalised(row["says"]) not in said_in(found[0]):
        return f"is not in {row['cell']}: {row['says']!r}"
    return None


def said_in(cell: NotebookNode) -> str:
    return normalised(f"{cell.source}\n{output_text(cell)}")


def normalised(text: str) -> str:
    return " ".join(text.split())


def test_every_known_statement_has_its_row():
    assert [row["id"] for row in ROWS] == IDS
    assert all(row["right"] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_what_is_right_is_taught(row: Row):
    assert fault_of(row) is None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, None),
        ({"says": "of each"}, "is not in"),
        ({"says": ""}, "is not in"),
        ({"cell": "gone"}, "0 cells of chapter 04"),
        ({"cell": "twice"}, "2 cells of chapter 04"),
        ({"cell": ""}, "has no cell, and chapter 04 is written"),
        ({"chapter": "09", "cell": ""}, None),
        ({"chapter": "09"}, "0 cells of chapter 09"),
        ({"chapter": ""}, "is taught in no chapter"),
        ({"cell": "nothing to teach: a slip"}, "nothing to teach"),
        ({"chapter": "", "cell": "nothing to teach: a slip"}, None),
    ],
)
def test_faults_are_seen(monkeypatch: pytest.MonkeyPatch, changes: Row, fault: str | None):
    cells = [
        NotebookNode(id="angles", source="one\n  angle", outputs=[]),
        *[NotebookNode(id="twice", source="", outputs=[])] * 2,
    ]
    written = {"04": cells}
    monkeypatch.setitem(globals(), "cells_of", lambda chapter: written.get(chapter, []))
    row = {"chapter": "04", "cell": "angles", "says": "one angle"} | changes
    found = fault_of(row)
    assert (found is None) if fault is None else (found is not None and fault in found)

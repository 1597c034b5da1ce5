"""Every known wrong or missing statement on the subject is put right in some cell of the course.

The list has five groups, E0 to E4. `corrections.csv` has a row for each statement, as `places.py`
describes it: what is right stands in the column `right`.
"""

import pytest
from nbformat import NotebookNode

from tests.chapters import places
from tests.chapters.places import Row, fault_of, ids_of, rows_of

# How many there are of each group: E0-1 to E0-29, and so on.
KNOWN = {"E0": 29, "E1": 15, "E2": 78, "E3": 21, "E4": 7}
ROWS = rows_of("corrections.csv")


def test_every_known_statement_has_its_row():
    assert [row["id"] for row in ROWS] == ids_of(KNOWN)
    assert all(row["right"] for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_what_is_right_is_taught(row: Row):
    assert fault_of(row) is None


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({}, None),
        ({"says": "of each"}, "is in 0 cells called angles"),
        ({"says": ""}, "is in 0 cells called angles"),
        ({"cell": "gone"}, "no cell of chapter 04"),
        ({"cell": "twice", "says": "one"}, None),
        ({"cell": "twice", "says": "either"}, "is in 2 cells called twice"),
        ({"cell": ""}, "has no cell, and chapter 04 is written"),
        ({"chapter": "09", "cell": ""}, None),
        ({"chapter": "09"}, "no cell of chapter 09"),
        ({"chapter": ""}, "is taught in no chapter"),
        ({"cell": "nothing to teach: a slip"}, "nothing to teach"),
        ({"chapter": "", "cell": "nothing to teach: a slip"}, None),
    ],
)
def test_faults_are_seen(monkeypatch: pytest.MonkeyPatch, changes: Row, fault: str | None):
    cells = [
        NotebookNode(id="angles", source="one\n  angle", outputs=[]),
        NotebookNode(id="twice", source="either one", outputs=[]),
        NotebookNode(id="twice", source="either", outputs=[]),
    ]
    written = {"04": cells}
    monkeypatch.setattr(places, "cells_of", lambda chapter: written.get(chapter, []))
    row = {"chapter": "04", "cell": "angles", "says": "one angle"} | changes
    found = fault_of(row)
    assert (found is None) if fault is None else (found is not None and fault in found)

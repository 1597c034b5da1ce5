"""Where the course teaches a thing: a chapter, a cell of it, and what stands in that cell.

A list of such places is a CSV file with a row for each thing: its id, the thing in words, the
chapter that teaches it, the cell, and words or a number (`says`) that stand in that cell's text,
code or outputs. A row of a chapter that is not written yet has no cell; where a reader would learn
nothing, it has the reason instead. A cell's id may stand on both pages of a chapter, if only one of
the two says it. The things come in groups, numbered from 1 within each.
"""

import csv
from functools import cache
from pathlib import Path

from nbformat import NotebookNode

from book.tools import notebooks
from tests.chapters.numbers_in import output_text

Row = dict[str, str]

CHAPTERS = [*(f"{number:02d}" for number in range(10)), "A", "B", "C"]
NO_LESSON = "nothing to teach: "


def rows_of(name: str) -> list[Row]:
    """The rows of a list in this folder."""
    with Path(__file__).with_name(name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def ids_of(known: dict[str, int]) -> list[str]:
    """All ids of some groups, from how many there are of each."""
    return [f"{group}-{number + 1}" for group, count in known.items() for number in range(count)]


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
    named = [cell for cell in cells if cell.id == row["cell"]]
    if not named:
        return f"names {row['cell']}, and no cell of chapter {row['chapter']} is called so"
    says = normalised(row["says"])
    found = [cell for cell in named if says and says in said_in(cell)]
    if len(found) != 1:
        return f"is in {len(found)} cells called {row['cell']}: {row['says']!r}"
    return None


def said_in(cell: NotebookNode) -> str:
    """A cell's text or code with its outputs, normalised."""
    return normalised(f"{cell.source}\n{output_text(cell)}")


def normalised(text: str) -> str:
    """The text with single spaces in place of all others."""
    return " ".join(text.split())

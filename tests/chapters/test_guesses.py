"""What is to be guessed is asked, and the answer waits."""

import re
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from book.tools import notebooks
from book.tools.budgets import is_spine
from book.tools.guesses import ASKED, AT_MOST, guesses_of, is_answer

HEADING = re.compile(r"^#+ ", re.MULTILINE)

each_notebook = pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)


@each_notebook
def test_few_guesses_are_asked_for_and_every_answer_is_kept_back(path: Path) -> None:
    counted = guesses_of(notebooks.read(path))
    assert is_spine(path.stem) <= counted["kept"] <= AT_MOST
    assert counted["open"] == 0


@each_notebook
def test_an_answer_follows_a_question(path: Path) -> None:
    text = None  # the latest
    for before, cell in pairwise(notebooks.read(path).cells):
        if before.cell_type == "markdown":
            text = before
        if is_answer(cell) and not is_answer(before):
            assert text is not None
            asked = text.source.rstrip().split("\n\n")[-1]
            assert "?" in asked or ASKED.search(asked), cell.id


@each_notebook
def test_an_answer_is_no_heading(path: Path) -> None:
    """Links and the search lead to headings: these may not wait, and are not to be folded."""
    for cell in notebooks.read(path).cells:
        if is_answer(cell) and cell.cell_type == "markdown":
            assert not HEADING.search(cell.source), cell.id


def text(source: str, *tags: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source, metadata={"tags": list(tags)})


def code(*tags: str) -> NotebookNode:
    return nbformat.v4.new_code_cell("2 + 2", metadata={"tags": list(tags)})


@pytest.mark.parametrize(
    ("cells", "kept", "left_open"),
    [
        ([text("How many?"), code("idea", "answer"), text("Four.", "answer")], 1, 0),
        ([text("**Predict** how many."), code("plumbing"), code("plumbing", "answer")], 1, 0),
        ([text("**Predict:** how many?"), code("figure")], 1, 0),
        ([text("Look:"), code("figure")], 0, 0),
        ([text("**Guess first:** how many?"), code("idea"), text("Four.")], 0, 1),
        ([text("**Write down** how many."), code("idea")], 0, 1),
        ([text("**Think about it first:** how many?"), text("Four.")], 0, 1),
        ([text("It *is* to predict what *comes* next."), code("idea")], 0, 0),
    ],
)
def test_guesses_are_counted(cells: list[NotebookNode], kept: int, left_open: int) -> None:
    counted = guesses_of(nbformat.v4.new_notebook(cells=cells))
    assert (counted["kept"], counted["open"]) == (kept, left_open)

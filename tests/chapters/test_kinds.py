"""Every code cell has one kind, by which the book shows it."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from nbformat import NotebookNode

from book.tools import notebooks
from book.tools.kinds import (
    CHECK,
    EXERCISE,
    FIGURE,
    PLUMBING,
    WORDS_OF_A_SUMMARY,
    is_kind,
    kinds_of,
)

ONE_FIGURE = re.compile(r"from pe_lib\.figures import (\w+)\n\n\1\([^()]*\)")

each_notebook = pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)


def code_cells(path: Path) -> list[NotebookNode]:
    return notebooks.code_cells(notebooks.read(path))


@each_notebook
def test_a_cell_has_one_kind(path: Path) -> None:
    assert {cell.id: kinds_of(cell) for cell in code_cells(path) if len(kinds_of(cell)) != 1} == {}


@each_notebook
def test_plumbing_says_in_a_few_words_what_it_does(path: Path) -> None:
    for cell in code_cells(path):
        words = cell.metadata.get("summary", "").split()
        assert bool(words) == is_kind(cell, PLUMBING), cell.id
        assert len(words) <= WORDS_OF_A_SUMMARY, cell.id


@each_notebook
def test_a_figure_s_cell_holds_the_figure_alone(path: Path) -> None:
    for cell in code_cells(path):
        assert bool(ONE_FIGURE.fullmatch(cell.source)) == is_kind(cell, FIGURE), cell.id


@each_notebook
def test_what_calls_a_check_is_one_and_the_cell_before_it_is_its_stub(path: Path) -> None:
    cells = code_cells(path)
    for before, cell in pairwise(cells):
        assert ("check." in cell.source) == is_kind(cell, CHECK), cell.id
        assert is_kind(before, EXERCISE) == is_kind(cell, CHECK), before.id

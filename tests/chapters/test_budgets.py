"""A chapter is one sitting, and says how long that takes."""

import re
from pathlib import Path

import pytest

from book.tools import notebooks
from book.tools.budgets import budget_of
from book.tools.length import length_of

each_notebook = pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)


@each_notebook
def test_a_notebook_is_within_its_budget(path: Path) -> None:
    length = length_of(notebooks.read(path))
    assert budget_of(path.stem).allows(length), f"{length}: `make budgets` shows all limits"


@each_notebook
def test_a_notebook_says_how_long_it_takes(path: Path) -> None:
    notebook = notebooks.read(path)
    top = "\n".join(cell.source for cell in notebook.cells[:3] if cell.cell_type == "markdown")
    said = re.findall(r"\*\*About .*?\*\*", top)
    assert said == [length_of(notebook).sentence], "`make notebooks` writes it"

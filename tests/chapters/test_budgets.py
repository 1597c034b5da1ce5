"""A chapter is one sitting, and says how long that takes."""

import re
from pathlib import Path

import pytest

from book.tools import notebooks
from book.tools.budgets import TO_SHORTEN, budget_of
from book.tools.length import SENTENCE, length_of

each_notebook = pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)


@each_notebook
def test_a_notebook_is_within_its_budget_or_listed(path: Path) -> None:
    length = length_of(notebooks.read(path))
    within = budget_of(path.stem).allows(length)
    assert within == (path.stem not in TO_SHORTEN), f"{length}: `make budgets` shows all limits"


def test_what_is_to_be_shortened_is_there() -> None:
    assert set(TO_SHORTEN) <= {path.stem for path in notebooks.chapters()}


@each_notebook
def test_a_notebook_says_how_long_it_takes(path: Path) -> None:
    notebook = notebooks.read(path)
    top = "\n".join(cell.source for cell in notebook.cells[:3] if cell.cell_type == "markdown")
    said = re.findall(r"\*\*About .*?\*\*", top)
    if path.stem in TO_SHORTEN:
        assert len(said) == 1 and not SENTENCE.search(top), "its form until it is a spine"
        assert re.search(r"\*core\* \(\d+ minutes in all\)", top)
    else:
        assert said == [length_of(notebook).sentence], "`make notebooks` writes it"

"""Chapter 09 says no number that was not measured: each stands in an output of its page.

Outputs are computed from the records, and nbval compares them with those of a fresh run. That
records, their provenance and the plan agree is tested beside the experiments.
"""

import nbformat
import pytest
from nbformat import NotebookNode

from book.tools.notebooks import ROOT
from tests.chapters.numbers_in import NOT_PROSE, numbers, output_text, values

PAGES = ("09_comparison", "09_comparison_deeper")


def unmeasured(notebook: NotebookNode) -> list[str]:
    """The decimal numbers of the prose, answers and solutions too, that no output shows."""
    shown = values("\n".join(output_text(cell) for cell in notebook.cells))
    found = []
    for cell in notebook.cells:
        if cell.cell_type != "markdown":
            continue
        prose = cell.source
        for pattern in NOT_PROSE:
            prose = pattern.sub(" ", prose)
        decimals = (number for number in numbers(prose) if "." in number)
        found += [f"{cell.id}: {each}" for each in decimals if not values(each) <= shown]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_every_measured_number_stands_in_an_output(page: str) -> None:
    assert not unmeasured(nbformat.read(ROOT / "chapters" / f"{page}.ipynb", as_version=4))


def test_a_number_that_was_typed_is_noticed() -> None:
    said = nbformat.v4.new_markdown_cell("Fell from 3.6 to 1.45 with 2 seeds.", id="a")
    cell = nbformat.v4.new_code_cell("loss = 3.6")
    cell.outputs = [nbformat.v4.new_output("stream", text="1.45\n")]
    notebook = nbformat.v4.new_notebook(cells=[said, cell])
    assert unmeasured(notebook) == ["a: 3.6"]

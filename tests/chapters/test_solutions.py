"""Each exercise has a worked solution, hidden, that its own checker accepts."""

import ast
import re
from typing import Any

import pytest
from nbformat import NotebookNode

from book.tools import notebooks
from pe_lib.exercises import check

CHECK = re.compile(r"\bcheck\.(\w+)\((\w+)\)")
DETAILS = re.compile(r"<details>(.*?)</details>", re.DOTALL)
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)

EXERCISES = [
    pytest.param(path, name, function, id=f"{path.stem}-{name}")
    for path in notebooks.chapters()
    for cell in notebooks.code_cells(notebooks.read(path))
    for name, function in CHECK.findall(cell.source)
]


def names_of_the_chapter(notebook: NotebookNode) -> dict[str, Any]:
    """What the chapter imports, as a reader has it when trying a solution."""
    names: dict[str, Any] = {}
    for cell in notebooks.code_cells(notebook):
        for statement in ast.parse(cell.source).body:
            if isinstance(statement, ast.Import | ast.ImportFrom):
                exec(ast.unparse(statement), names)
    return names


def hidden_solutions(notebook: NotebookNode, function: str) -> list[str]:
    """The hidden code that defines a function of this name."""
    return [
        block
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for details in DETAILS.findall(cell.source)
        for block in BLOCK.findall(details)
        if f"def {function}(" in block
    ]


@pytest.mark.parametrize(("path", "name", "function"), EXERCISES)
def test_the_hidden_solution_is_right(path: Any, name: str, function: str) -> None:
    notebook = notebooks.read(path)
    solutions = hidden_solutions(notebook, function)
    assert solutions, f"no <details> holds a ```python block that defines {function}"
    for solution in solutions:
        names = names_of_the_chapter(notebook)
        exec(solution, names)
        verdict = getattr(check, name)(names[function])
        assert verdict.passed, f"{solution}\n{verdict!r}"

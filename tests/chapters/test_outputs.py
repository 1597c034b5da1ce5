"""The stored outputs of every chapter are whole, tidy, and the same whenever it is executed.

That they are true is shown by nbval, which pytest runs over the chapters themselves, and of their
pictures by chapters/conftest.py.
"""

from pathlib import Path

import pytest

from book.tools import notebooks
from book.tools.kinds import CHECK, is_kind

CHAPTERS = notebooks.chapters()
# One chapter is executed twice in `make test`, every chapter in `make test-all`.
TWICE = [
    pytest.param(path, marks=[] if path.stem == "02_sinusoidal" else [pytest.mark.slow])
    for path in CHAPTERS
]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_stored_outputs_are_those_of_the_code(path: Path) -> None:
    assert notebooks.check(path) == []


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_file_has_its_one_form(path: Path) -> None:
    notebook = notebooks.read(path)
    assert path.read_text(encoding="utf-8") == notebooks.text_of(notebook), "run `make notebooks`"
    uses = notebook.metadata.pop("uses")
    assert uses and notebook.metadata == notebooks.METADATA, "run `make notebooks`"


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_a_check_says_of_an_empty_stub_is_stored_and_so_proved_true(path: Path) -> None:
    cells = notebooks.code_cells(notebooks.read(path))
    assert all(cell.outputs for cell in cells if is_kind(cell, CHECK))


@pytest.mark.parametrize("path", TWICE, ids=lambda path: path.stem)
def test_executing_again_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    notebooks.run(copy)
    assert copy.read_bytes() == path.read_bytes()

"""The student edition: the chapters as they are, but for solutions, answers and verdicts."""

import re
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from book.tools import notebooks, student
from tests.chapters.test_solutions import BLOCK, CHECK

FOLD = re.compile(
    r"<details>\s*<summary>[^<]*(?:Solution|[Aa]nswer)[^<]*</summary>.*?</details>", re.DOTALL
)
NOTE = re.compile(r"\*[^*\n]+: left out of the student edition\.\*")
each_chapter = pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)


def edition(path: Path) -> NotebookNode:
    return student.student_edition(notebooks.read(path))


def text_of(notebook: NotebookNode) -> str:
    return "\n".join(cell.source for cell in notebook.cells)


@each_chapter
def test_folds_and_verdicts_go_and_nothing_else_is_changed(path: Path) -> None:
    chapter, student_has = notebooks.read(path), edition(path)
    assert chapter.metadata == student_has.metadata
    for before, after in zip(chapter.cells, student_has.cells, strict=True):
        if CHECK.search(before.source) and before.cell_type == "code":
            assert (after.outputs, after.execution_count) == ([], None)
            before.update(outputs=[], execution_count=None)
        assert FOLD.split(before.pop("source")) == NOTE.split(after.pop("source"))
        assert before == after


@each_chapter
def test_no_solution_is_left(path: Path) -> None:
    text = text_of(edition(path))
    assert not re.search(r"<summary>[^<]*(?:solution|answer)", text, re.IGNORECASE)
    folds = FOLD.findall(text_of(notebooks.read(path)))
    assert len(NOTE.findall(text)) == len(folds)
    for block in (block for fold in folds for block in BLOCK.findall(fold)):
        [function] = re.findall(r"^def (my_\w+)\(", block, re.MULTILINE)
        assert block not in text
        assert text.count(f"def {function}(") == 1  # the stub


def test_it_runs_from_top_to_bottom() -> None:
    path = notebooks.ROOT / "chapters/00_warm_up.ipynb"
    notebook = edition(path)
    notebooks.execute(notebook, path)
    checks = [cell for cell in notebooks.code_cells(notebook) if CHECK.search(cell.source)]
    assert [len(cell.outputs) for cell in checks] == [1] * 5


def test_the_command_writes_every_chapter_and_nothing_old_stays(tmp_path: Path) -> None:
    folder = tmp_path / "student"
    folder.mkdir()
    (folder / "99_gone.ipynb").touch()
    written = student.write_all(folder)
    assert sorted(folder.iterdir()) == written
    assert [path.name for path in written] == [path.name for path in notebooks.chapters()]
    for path in written:
        nbformat.validate(nbformat.read(path, as_version=4))


def test_a_damaged_chapter_leaves_the_old_edition(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kept.ipynb").touch()
    damaged = tmp_path / "damaged.ipynb"
    damaged.touch()
    monkeypatch.setattr(student, "chapters", lambda: [*notebooks.chapters()[:1], damaged])
    with pytest.raises(SystemExit, match=r"damaged.ipynb: not a notebook"):
        student.write_all(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["damaged.ipynb", "kept.ipynb"]

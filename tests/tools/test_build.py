"""Building the book: what is wrong is named, again and again; what is done is not done twice."""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from book.tools import notebooks, repository


@pytest.fixture
def course(clean_copy: Path, tmp_path: Path) -> Path:
    """The book's machinery, without an address, with a cover and one small executed chapter."""
    shutil.copytree(clean_copy, tmp_path, dirs_exist_ok=True)
    repository.configure("", tmp_path / "_config.yml")
    shutil.rmtree(tmp_path / "chapters", ignore_errors=True)
    chapter = tmp_path / "chapters" / "01_small.ipynb"
    chapter.parent.mkdir()
    cells = [
        nbformat.v4.new_markdown_cell("# Small", id="title"),
        nbformat.v4.new_code_cell("6 * 7", id="product"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), chapter)
    notebooks.run(chapter)
    (tmp_path / "index.md").write_text("# Cover\n")
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: index\nchapters:\n  - file: chapters/01_small\n"
    )
    return tmp_path


def tool(course: Path, *command: str) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", *command]
    return subprocess.run(program, cwd=course, capture_output=True, text=True)


def build(course: Path) -> subprocess.CompletedProcess[str]:
    return tool(course, "book.tools.build")


def test_a_chapter_that_is_not_up_to_date_stops_the_build(course: Path) -> None:
    chapter = course / "chapters" / "01_small.ipynb"
    chapter.write_text(chapter.read_text().replace("6 * 7", "6 * 8"))
    refused = build(course)
    assert refused.returncode == 1
    assert "chapters/01_small.ipynb: code cell 1 (product) has stale outputs" in refused.stderr
    assert not (course / "_build").exists()


def test_a_book_is_built_once_and_a_warning_fails_every_time(course: Path) -> None:
    tool(course, "book.tools.repository", "https://github.com/owner/name").check_returncode()
    tool(course, "book.tools.notebooks", "run").check_returncode()
    first = build(course)
    assert first.returncode == 0, first.stderr
    html = course / "_build" / "html"
    assert f"The book is at {html / 'index.html'}" in first.stdout
    page = html / "chapters" / "01_small.html"
    assert "42" in page.read_text()
    colab = "https://colab.research.google.com/github/owner/name/blob/main/chapters/01_small"
    assert colab in page.read_text()
    written = page.stat().st_mtime_ns

    second = build(course)
    assert "The book is up to date." in second.stdout
    assert page.stat().st_mtime_ns == written

    cover = course / "index.md"
    cover.write_text("# Cover\n\n[Nowhere](nowhere.md)\n")
    for _ in range(2):
        refused = build(course)
        assert refused.returncode != 0
        assert "nowhere.md" in refused.stderr

    cover.write_text("# Another cover\n")
    mended = build(course)
    assert mended.returncode == 0, mended.stderr
    assert "Another cover" in (html / "index.html").read_text()

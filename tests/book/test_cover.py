"""What the cover takes from elsewhere when the book is built: its figure, and the chapters."""

import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from sphinx.errors import ExtensionError

from book.pe_book import chapters
from book.tools import notebooks
from pe_lib.figures import WhereItEnters

EXTENSIONS = ["myst_nb", "sphinx_external_toc", "book.pe_book.chapters", "book.pe_book.live"]
COVER = """# Cover

The core takes {hours}`core`.

```{live} WhereItEnters
```

```{chapters}
| 07 Planned, but written now | 10 | planned |
| 08 Planned | 80 | planned |
```
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A book of two chapters. The heading of the second says more than the cover shall."""
    course = tmp_path / "course"
    (course / "chapters").mkdir(parents=True)
    (course / "conf.py").write_text(f"extensions = {EXTENSIONS}\nnb_execution_mode = 'off'\n")
    (course / "_toc.yml").write_text(
        "format: jb-book\nroot: index\nchapters:\n"
        "  - file: chapters/07_small\n  - file: chapters/03_large\n"
    )
    (course / "index.md").write_text(COVER)
    write_chapter(course / "chapters/07_small.ipynb", "Small", "35")
    write_chapter(course / "chapters/03_large.ipynb", "Large: all of it", "240", cover="Large")
    return course


def write_chapter(path: Path, title: str, minutes: str, **metadata: str) -> None:
    length = f"**About {minutes} minutes, plus 5.** Sections are *core* (135 minutes in all)."
    cells = [
        nbformat.v4.new_markdown_cell(f"# {title}", id="title", metadata=metadata),
        nbformat.v4.new_code_cell("1 + 1", id="sum"),
        nbformat.v4.new_markdown_cell(length, id="objectives"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=notebooks.METADATA), path)


def build(course: Path) -> None:
    program = [sys.executable, "-m", "sphinx", "-q", "-W", course, course.parent / "_build/html"]
    subprocess.run(program, cwd=notebooks.ROOT, check=True)


def built(course: Path) -> str:
    """The cover's HTML."""
    return (course.parent / "_build/html/index.html").read_text("utf-8")


def table(course: Path) -> list[list[str]]:
    """The cells of each row of the cover's table, with their marks and links."""
    rows = built(course).split("<tr")[2:]
    return [re.findall(r"<td[^>]*><p>(.*?)</p></td>", row) for row in rows]


def row(file: str, title: str, minutes: int) -> list[str]:
    """The row of a chapter that is ready."""
    link = f'<a class="reference internal" href="chapters/{file}.html">'
    title = f'{link}<span class="std std-doc">{title}</span></a>'
    return [f"<strong>{text}</strong>" for text in (title, minutes, "ready")]


def test_the_cover_shows_its_figure_and_the_chapters_as_they_are_now(course: Path) -> None:
    build(course)
    html = built(course)
    assert "<p>The core takes four and a half hours.</p>" in html
    assert f"\n{WhereItEnters().static_html(advice='')}\n" in html
    assert "Run this cell" not in html
    large, planned = row("03_large", "03 Large", 240), ["08 Planned", "80", "planned"]
    assert table(course) == [row("07_small", "07 Small", 35), large, planned]

    write_chapter(course / "chapters/07_small.ipynb", "Smaller", "25")
    build(course)
    assert table(course) == [row("07_small", "07 Smaller", 25), large, planned]


def test_a_chapter_has_to_say_how_long_it_takes(tmp_path: Path) -> None:
    write_chapter(tmp_path / "07_small.ipynb", "Small", "some")
    with pytest.raises(ExtensionError, match=r"07_small\.ipynb must say how long it takes"):
        chapters.chapter_of(tmp_path / "07_small.ipynb")


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(290, "five hours"), (314, "five hours"), (316, "five and a half hours"), (600, "ten hours")],
)
def test_hours_are_said_to_the_next_half(minutes: int, words: str) -> None:
    assert chapters.hours(minutes) == words

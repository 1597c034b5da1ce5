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

The chapters take {hours}`chapters`, {minutes}`07 03` minutes, which is {minutes}`all`.

```{live} WhereItEnters
```

```{chapters}
| 07 Planned, but written now | 10 | planned |
| 08 Planned | 80 | planned |
```
"""
CONTENTS = """
format: jb-book
root: index
chapters:
  - file: chapters/C_appendix
    sections:
      - file: chapters/C_appendix_functions
      - file: chapters/C_appendix_methods
  - file: chapters/07_small
  - file: chapters/03_large
    sections:
      - file: chapters/03_large_deeper
  - file: chapters/no_notebook
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A book of two chapters, one of them with a deeper page, and an appendix of three pages.

    The heading of one says more than the cover shall.
    """
    course = tmp_path / "course"
    (course / "chapters").mkdir(parents=True)
    (course / "conf.py").write_text(f"extensions = {EXTENSIONS}\nnb_execution_mode = 'off'\n")
    (course / "_toc.yml").write_text(CONTENTS)
    (course / "index.md").write_text(COVER)
    folder = course / "chapters"
    write_chapter(folder / "07_small.ipynb", "07 · Small", about(35))
    write_chapter(folder / "03_large.ipynb", "03 · Large: all of it", about(240), cover="Large")
    write_chapter(folder / "03_large_deeper.ipynb", "03 · Large, deeper", about(99))
    write_chapter(folder / "C_appendix.ipynb", "C · Appendix", about(99))
    for name in ("functions", "methods"):
        write_chapter(folder / f"C_appendix_{name}.ipynb", f"C · Its {name}", about(99))
    (folder / "no_notebook.md").write_text("# Stands behind the chapters\n")
    return course


def about(minutes: int) -> str:
    return f"**About {minutes} minutes, plus the exercises.** After this chapter you can"


def write_chapter(path: Path, title: str, length: str, **metadata: str) -> None:
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


def link(file: str, text: str) -> str:
    span = f'<span class="std std-doc">{text}</span>'
    return f'<a class="reference internal" href="chapters/{file}.html">{span}</a>'


def row(file: str, title: str, minutes: int) -> list[str]:
    """The row of a chapter that is ready."""
    return [f"<strong>{text}</strong>" for text in (link(file, title), minutes, "ready")]


def test_the_cover_shows_its_figure_and_the_chapters_as_they_are_now(course: Path) -> None:
    build(course)
    html = built(course)
    assert "<p>The chapters take four and a half hours, 275 minutes, which is 275.</p>" in html
    assert f"\n{WhereItEnters().static_html(advice='')}\n" in html
    assert "Run this cell" not in html
    large, planned = row("03_large", "03 Large", 240), ["08 Planned", "80", "planned"]
    large[0] += f" · {link('03_large_deeper', 'deeper')}"
    appendix = row("C_appendix", "C Appendix", 99)
    for name in ("functions", "methods"):
        appendix[0] += f" · {link(f'C_appendix_{name}', name)}"
    others = [large, planned, appendix]
    assert table(course) == [row("07_small", "07 Small", 35), *others]

    write_chapter(course / "chapters/07_small.ipynb", "07 · Smaller", about(25))
    build(course)
    assert table(course) == [row("07_small", "07 Smaller", 25), *others]


def test_a_chapter_has_to_say_how_long_it_takes(tmp_path: Path) -> None:
    write_chapter(tmp_path / "07_small.ipynb", "07 · Small", "**About some minutes.**")
    with pytest.raises(ExtensionError, match=r"07_small\.ipynb must say how long it takes"):
        chapters.chapter_of(tmp_path, "07_small.ipynb")


def test_minutes_of_a_chapter_that_is_not_there_are_an_error(course: Path) -> None:
    (course / "index.md").write_text("# Cover\n\n{minutes}`04`\n")
    with pytest.raises(subprocess.CalledProcessError):
        build(course)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(290, "five hours"), (314, "five hours"), (316, "five and a half hours"), (600, "ten hours")],
)
def test_hours_are_said_to_the_next_half(minutes: int, words: str) -> None:
    assert chapters.hours(minutes) == words

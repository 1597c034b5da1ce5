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
from tests.chapters.numbers_in import numbers

EXTENSIONS = ["myst_nb", "sphinx_external_toc", "book.pe_book.chapters", "book.pe_book.live"]
COVER = """# Cover

The chapters take {hours}`chapters`, {minutes}`07 03` minutes, which is {minutes}`all`.

```{live} WhereItEnters
```

```{chapters}
07 Is it small?
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
    return [f"<strong>{link(file, title)}</strong>", f"{minutes}"]


def test_the_cover_shows_its_figure_and_the_chapters_as_they_are_now(course: Path) -> None:
    build(course)
    html = built(course)
    assert "<p>The chapters take four and a half hours, 275 minutes, which is 275.</p>" in html
    assert f"\n{WhereItEnters().static_html(advice='')}\n" in html
    assert "Run this cell" not in html
    large = row("03_large", "03 Large", 240)
    large[0] += f" · {link('03_large_deeper', 'deeper')}"
    appendix = row("C_appendix", "C Appendix", 99)
    for name in ("functions", "methods"):
        appendix[0] += f" · {link(f'C_appendix_{name}', name)}"
    small = row("07_small", "07 Small", 35)
    small[0] += "<br>Is it small?"
    assert table(course) == [appendix, small, large]

    write_chapter(course / "chapters/07_small.ipynb", "07 · Smaller", about(25))
    build(course)
    assert [row[1] for row in table(course)] == ["99", "25", "240"]
    assert "07 Smaller</span>" in table(course)[1][0]


def test_a_chapter_has_to_say_how_long_it_takes(tmp_path: Path) -> None:
    write_chapter(tmp_path / "07_small.ipynb", "07 · Small", "**About some minutes.**")
    with pytest.raises(ExtensionError, match=r"07_small\.ipynb must say how long it takes"):
        chapters.chapter_of(tmp_path, "07_small.ipynb")


def test_what_is_said_of_a_chapter_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ExtensionError, match="minutes: there is no chapter 04"):
        chapters.minutes_of("03 04", {"03": 20})
    with pytest.raises(ExtensionError, match="chapters: there is no chapter 04"):
        chapters.table([], ["04 Where is it?"])


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(290, "five hours"), (314, "five hours"), (316, "five and a half hours"), (600, "ten hours")],
)
def test_hours_are_said_to_the_next_half(minutes: int, words: str) -> None:
    assert chapters.hours(minutes) == words


INDEX = (notebooks.ROOT / "index.md").read_text("utf-8")


def test_every_chapter_asks_its_question() -> None:
    asked = re.findall(r"^(\d\d) .+\?$", INDEX, re.MULTILINE)
    numbers = {path.stem[:2] for path in notebooks.chapters() if path.stem[0].isdigit()}
    assert asked == sorted(numbers)


@pytest.mark.parametrize("fold", re.findall(r"<details>(.*?)</details>", INDEX, re.DOTALL))
def test_numbers_of_the_cover_come_out_of_the_cells_that_it_links(fold: str) -> None:
    [page] = re.findall(r"\]\((chapters/\w+\.ipynb)#", fold)
    cells = notebooks.code_cells(notebooks.read(notebooks.ROOT / page))
    found = numbers("\n".join(output.get("text", "") for cell in cells for output in cell.outputs))
    said = [number for number in numbers(fold.partition("</summary>")[2]) if "." in number]
    assert said
    assert [number for number in said if number not in found] == []

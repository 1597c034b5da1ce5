"""What the cover takes from elsewhere when the book is built: its figure, and the chapters."""

import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from sphinx.errors import ExtensionError

from book.pe_book import chapters, live
from book.pe_book.figures import still_name
from book.tools import notebooks
from book.tools.length import length_of
from pe_lib.figures import TokenShuffle, WhereItEnters
from tests.chapters.numbers_in import numbers

EXTENSIONS = ["myst_nb", "sphinx_external_toc", "book.pe_book.chapters", "book.pe_book.live"]
FIGURE = TokenShuffle().static_html()
COVER = """# Cover

The chapters take {hours}`chapters`, {minutes}`07 03` minutes, which is {minutes}`all`.

```{live} WhereItEnters
```

```{door} chapters/07_small.ipynb
[Small in no time](chapters/07_small.ipynb)

For readers in a hurry.
```

```{door} chapters/no_chapter.ipynb
[No chapter](chapters/no_chapter.ipynb)

A page without minutes.
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
  - file: chapters/no_chapter
"""


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A book of two chapters, one of them with a deeper page, and an appendix of three pages.

    The heading of one says more than the cover shall, and the other one shows a figure.
    """
    course = tmp_path / "course"
    (course / "chapters").mkdir(parents=True)
    (course / "conf.py").write_text(f"extensions = {EXTENSIONS}\nnb_execution_mode = 'off'\n")
    (course / "_toc.yml").write_text(CONTENTS)
    (course / "index.md").write_text(COVER)
    folder = course / "chapters"
    write_chapter(folder / "07_small.ipynb", "07 · Small", about(35), FIGURE)
    write_chapter(folder / "03_large.ipynb", "03 · Large: all of it", about(240), cover="Large")
    write_chapter(folder / "03_large_deeper.ipynb", "03 · Large, deeper", about(99))
    write_chapter(folder / "C_appendix.ipynb", "C · Appendix", about(99))
    for name in ("functions", "methods"):
        write_chapter(folder / f"C_appendix_{name}.ipynb", f"C · Its {name}", about(99))
    write_chapter(folder / "no_chapter.ipynb", "No chapter", "A page of its own.", FIGURE)
    (folder / "no_notebook.md").write_text("# Comes after the chapters\n")
    return course


def about(minutes: int) -> str:
    return f"**About {minutes} minutes, plus the exercises.** After this chapter you can"


def write_chapter(path: Path, title: str, length: str, shown: str = "", **metadata: str) -> None:
    shows = [nbformat.v4.new_output("display_data", {"text/html": shown})] if shown else []
    cells = [
        nbformat.v4.new_markdown_cell(f"# {title}", id="title", metadata=metadata),
        nbformat.v4.new_code_cell("1 + 1", id="sum", outputs=shows),
        nbformat.v4.new_markdown_cell(length, id="objectives"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=notebooks.METADATA), path)


def build(course: Path) -> None:
    program = [sys.executable, "-m", "sphinx", "-q", "-W", course, course.parent / "_build/html"]
    subprocess.run(program, cwd=notebooks.ROOT, check=True)


def built(course: Path) -> str:
    """The cover's HTML."""
    return (course.parent / "_build/html/index.html").read_text("utf-8")


def cards(course: Path) -> list[list[Tag]]:
    """The cards of each list of the cover, in order."""
    lists = BeautifulSoup(built(course), "html.parser").select("ul.pe-cards")
    return [one.find_all("li", recursive=False) for one in lists]


def lines(card: Tag) -> list[str]:
    return [paragraph.get_text() for paragraph in card.find_all("p")]


def links(card: Tag) -> list[str]:
    return [str(link["href"]) for link in card.find_all("a")]


def test_the_cover_shows_its_figure_and_the_chapters_as_they_are_now(course: Path) -> None:
    build(course)
    html = built(course)
    assert "<p>The chapters take four and a half hours, 275 minutes, which is 275.</p>" in html
    assert f"\n{WhereItEnters().static_html(advice='')}\n" in html
    assert "Run this cell" not in html
    [door], [other], [small, large], [appendix] = cards(course)
    assert lines(door) == ["Small in no time", "For readers in a hurry."]
    assert lines(other) == ["No chapter", "A page without minutes."]
    assert lines(small) == ["07 · Small", "Is it small?", "35 minutes"]
    assert lines(large) == ["03 · Large", "240 minutes · deeper"]
    assert lines(appendix) == ["C · Appendix", "99 minutes · functions · methods"]
    assert links(door) == links(small) == ["chapters/07_small.html"]
    assert links(large) == ["chapters/03_large.html", "chapters/03_large_deeper.html"]

    write_chapter(course / "chapters/07_small.ipynb", "07 · Smaller", about(25))
    build(course)
    small = cards(course)[2][0]
    assert lines(small) == ["07 · Smaller", "Is it small?", "25 minutes"]
    assert not small.find_all("img")


def test_a_card_shows_the_first_figure_of_its_chapter_in_each_mode(course: Path) -> None:
    build(course)
    [door], [other], [small, large], [appendix] = cards(course)
    assert not large.find_all("img") + appendix.find_all("img")
    name = still_name("TokenShuffle", json.dumps(TokenShuffle().inputs, sort_keys=True))
    for card in (door, other, small):
        pictures = card.find_all("img")
        shown = {image["class"][0]: image["src"] for image in pictures}
        assert shown == {
            f"only-{mode}": f"_static/stills/{mode}/{name}" for mode in ("light", "dark")
        }
        [alt] = {image["alt"] for image in pictures}
        assert alt == f"A still of its figure: {TokenShuffle.question}"


def test_a_figure_arrives_only_from_texts_that_it_has() -> None:
    assert 'data-pe-from="{&quot;order&quot;: &quot;2 1&quot;}"' in live.opened(
        "TokenShuffle", '{"order": "2 1"}'
    )
    for wrong in ('{"orders": ""}', '{"layers": 2}', '{"order": 2}'):
        with pytest.raises(ExtensionError, match="live: TokenShuffle cannot arrive from "):
            live.opened("TokenShuffle", wrong)


def test_a_chapter_has_to_say_how_long_it_takes(tmp_path: Path) -> None:
    write_chapter(tmp_path / "07_small.ipynb", "07 · Small", "**About some minutes.**")
    with pytest.raises(ExtensionError, match=r"07_small\.ipynb must say how long it takes"):
        chapters.chapter_of(tmp_path, "07_small.ipynb")


def test_what_is_said_of_a_chapter_that_is_not_there_is_an_error() -> None:
    with pytest.raises(ExtensionError, match="minutes: there is no chapter 04"):
        chapters.minutes_of("03 04", {"03": 20})
    with pytest.raises(ExtensionError, match="chapters: there is no chapter 04"):
        chapters.questions([], ["04 Where is it?"])


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


def test_rope_takes_no_longer_than_the_cover_says() -> None:
    [said] = re.findall(r"^\[RoPE in (\d+) minutes\]", INDEX, re.MULTILINE)
    chapter = notebooks.read(notebooks.ROOT / "chapters/04_rope_by_hand.ipynb")
    [end] = [n for n, cell in enumerate(chapter.cells) if cell.source.startswith("## 4 ·")]
    chapter.cells[end:] = []
    assert int(said) - 2 < length_of(chapter).minutes <= int(said)

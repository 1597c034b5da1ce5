"""Every page has its place in the book, and a notebook's headings say which."""

import re
from pathlib import Path

import pytest
import yaml

from book.tools import notebooks
from book.tools.prose import prose

FOLDER = notebooks.ROOT / "chapters"
ENTRIES = yaml.safe_load((notebooks.ROOT / "_toc.yml").read_text("utf-8"))["chapters"]
# A notebook without a number is a page between two chapters.
NUMBERED = re.compile(r"(?:\d\d|[A-Z])_")
# What is no notebook stands behind the chapters.
TEXTS = {path.stem for path in FOLDER.glob("*.md")}
CHAPTERS = ENTRIES[: len(ENTRIES) - len(TEXTS)]
each_notebook = pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)


def stem(entry: dict[str, str]) -> str:
    """The name of the page that an entry of the contents lists."""
    return entry["file"].removeprefix("chapters/")


def test_the_contents_list_every_notebook_once_and_the_numbered_in_order() -> None:
    listed = [stem(page) for entry in CHAPTERS for page in (entry, *entry.get("sections", []))]
    names = [path.stem for path in notebooks.chapters()]
    assert sorted(listed) == names
    assert list(filter(NUMBERED.match, listed)) == list(filter(NUMBERED.match, names))


def test_the_contents_end_with_every_page_that_is_no_notebook() -> None:
    listed = [stem(entry) for entry in ENTRIES[len(CHAPTERS) :]]
    assert sorted(listed) == sorted(TEXTS)


def test_a_page_is_nested_under_the_chapter_whose_name_it_begins_with() -> None:
    names = [path.stem for path in notebooks.chapters()]
    for entry in CHAPTERS:
        chapter = stem(entry)
        assert [chapter, *map(stem, entry.get("sections", []))] == [
            name for name in names if name == chapter or name.startswith(f"{chapter}_")
        ]


@each_notebook
def test_the_heading_begins_with_the_number(path: Path) -> None:
    heading = notebooks.read(path).cells[0].source
    number = f"{path.stem.partition('_')[0]} · " if NUMBERED.match(path.stem) else ""
    assert re.match(rf"# {number}\w", heading)
    assert heading.endswith(", deeper") == path.stem.endswith("_deeper")


@each_notebook
def test_sections_are_counted_from_one(path: Path) -> None:
    cells = notebooks.read(path).cells
    text = "\n".join(prose(cell.source) for cell in cells if cell.cell_type == "markdown")
    numbers = re.findall(r"^## (?:(\d+) · )?", text, re.MULTILINE)
    assert numbers in ([str(number) for number in range(1, len(numbers) + 1)], [""] * len(numbers))

"""The reading list: every paper that the course names, with claim, evidence and place of use."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from book.tools.notebooks import ROOT
from tests.chapters.anchors import FOLDER, anchor, text_of

PAGE = "reading_list.md"
TEXT = text_of(PAGE)
ARXIV = re.compile(r"(?<![\w.])\d\d(?:0[1-9]|1[0-2])\.\d{5}(?!\d)")  # year, month, number
NEAR = re.compile(r"arxiv", re.IGNORECASE)
ENTRY = re.compile(r"^### (.+)\n\n(\*(?:.+\n)+)\n((?:[- ] .+\n)+)", re.MULTILINE)
FOUND: list[tuple[str, str, str]] = ENTRY.findall(TEXT + "\n")
each_entry = pytest.mark.parametrize("entry", FOUND, ids=lambda entry: anchor(entry[0]))


def text(path: Path) -> str:
    return text_of(path.name) if path.suffix == ".ipynb" else path.read_text("utf-8")


def papers_of(path: Path) -> set[str]:
    """The arXiv ids in a file: what looks like one, where the file speaks of arXiv at all."""
    return set(ARXIV.findall(text(path))) if NEAR.search(text(path)) else set()


def sources() -> Iterator[Path]:
    """All files of the course that may name a paper."""
    yield from (path for path in FOLDER.glob("*.*") if path.suffix in (".ipynb", ".md"))
    yield from (ROOT / "pe_lib").rglob("*.py")


def test_every_paper_stands_in_the_list() -> None:
    listed = set(ARXIV.findall(TEXT))
    missing = {path.name: papers_of(path) - listed for path in sources()}
    assert {name: papers for name, papers in missing.items() if papers} == {}


# “2021, [arXiv 2108.12409” and “2021, *Its Title*, [arXiv 2108.12409”
DATED = re.compile(r"\b(20\d\d),? (?:\*[^*]+\*, )?\[?arXiv\s(\d\d)\d\d\.\d")


def test_a_year_is_that_of_the_preprint() -> None:
    dated = [(path.name, *found) for path in sources() for found in DATED.findall(text(path))]
    assert len(dated) > 100
    assert [one for one in dated if one[1] != f"20{one[2]}"] == []


def test_every_heading_begins_an_entry() -> None:
    assert len(FOUND) == TEXT.count("\n### ") > 50


def test_no_paper_stands_twice() -> None:
    anchors = [anchor(name) for name, _, _ in FOUND]
    papers = [paper for _, title, _ in FOUND for paper in set(ARXIV.findall(title))]
    assert len(set(anchors)) == len(anchors)
    assert len(set(papers)) == len(papers)


@each_entry
def test_an_entry_is_complete(entry: tuple[str, str, str]) -> None:
    name, title, about = entry
    assert re.search(r" (?:19|20)\d\d$", name), "names no year"
    assert re.search(r"^\*.+\*, \[.+\]\(https://.+\)\.$", " ".join(title.split()))
    parts = re.findall(r"^- \*\*(.+?):\*\* (\S)", about, re.MULTILINE)
    assert [part for part, _ in parts] == ["Claims", "Shows", "Used in"]

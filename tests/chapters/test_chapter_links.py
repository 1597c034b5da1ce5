"""The links in the chapters' own text, as JupyterLab follows them, and what they lead to."""

import os
import re
from pathlib import Path

import pytest

from book.tools import notebooks
from book.tools.notebooks import ROOT
from tests.chapters.anchors import FOLDER, HEADING, anchors, text_of

LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)|(?:href|src)=\"([^\"]+)\"")
# “[chapter 02, section 9](file)” and “[chapter 02](file), section 9”.
SECTION = re.compile(
    r"\[[^\]]*?(?:, section (\d+))?\]\(([\w.]+\.ipynb)(?:#[^)]*)?\)(?:, section (\d+))?"
)
CHAPTER = re.compile(r"(?:chapter|appendix)s? (\w+)(, deeper)?", re.IGNORECASE)
TEXTS = [*notebooks.chapters(), *sorted(ROOT.glob("chapters/*.md")), *sorted(ROOT.glob("*.md"))]
each_text = pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)


def page(path: Path) -> str:
    """A page's name as seen from `chapters/`."""
    return os.path.relpath(path, FOLDER)


def prose(path: Path) -> str:
    """The text of a page without its line breaks."""
    return " ".join(text_of(page(path)).split())


def links(path: Path) -> list[tuple[str, str]]:
    """The words and the target of each link to another file of the course."""
    found = ((match[1] or "", match[2] or match[3]) for match in LINK.finditer(prose(path)))
    return [(words, target) for words, target in found if not re.match(r"[\w+.-]+:", target)]


def sections(path: Path) -> set[str]:
    """The numbers of a page's sections."""
    headings = HEADING.findall(text_of(page(path)))
    return {match[1] for heading in headings if (match := re.match(r"(\d+) · ", heading))}


@each_text
def test_links_lead_to_files_of_the_course_and_to_headings_in_them(path: Path) -> None:
    # A link that is HTML leads to a page as the book has it, and may set a figure there.
    html = re.compile(r"\.html\b(\?[^#]*)?")
    targets = {html.sub(".ipynb", target).partition("#") for _, target in links(path)}
    lost = {
        f"{file}#{anchor}"
        for file, _, anchor in targets
        if not (there := path.parent / file if file else path).exists()
        or (anchor and anchor not in anchors(page(there)))
    }
    assert lost == set()


@pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)
def test_a_notebook_names_no_heading_in_a_link(path: Path) -> None:
    """JupyterLab, Colab and the book each call a heading by another name."""
    assert [target for _, target in links(path) if "#" in target] == []


@each_text
def test_links_lead_to_the_chapter_that_they_name(path: Path) -> None:
    wrong = []
    for words, target in links(path):
        named, stem = CHAPTER.match(words), Path(target).stem
        if named and (named[1] != stem.partition("_")[0] or bool(named[2]) != ("_deeper" in stem)):
            wrong.append((words, target))
    assert wrong == []


@each_text
def test_sections_that_are_named_by_number_are_there(path: Path) -> None:
    wrong = [
        match[0]
        for match in SECTION.finditer(prose(path))
        if (number := match[1] or match[3]) and number not in sections(path.parent / match[2])
    ]
    assert wrong == []

"""Every word of a page's source is on the built page; MyST drops some lines without a warning."""

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from book.tools.notebooks import ROOT
from book.tools.prose import FORMULA, MARKUP
from tests.chapters.anchors import FOLDER, text_of

WORD = re.compile(r"[a-z]{2,}")
# What the book puts something else in the place of
REPLACED = [re.compile(r"\A---\n.*?^---$", re.DOTALL | re.MULTILINE), re.compile(r"{minutes}`\w+`")]
SOURCES = sorted(path for path in FOLDER.iterdir() if path.suffix in {".md", ".ipynb"})


def words_of(source: Path) -> Counter[str]:
    """The words of its prose, in lower case."""
    text = text_of(os.path.relpath(source, FOLDER))
    for pattern in (*REPLACED, FORMULA, *MARKUP):
        text = pattern.sub(" ", text)
    return Counter(WORD.findall(re.sub(r"{\w+}(?=`)", " ", text).lower()))


@pytest.mark.parametrize("source", [*SOURCES, ROOT / "index.md"], ids=lambda path: path.stem)
def test_no_word_is_lost(source: Path, html: Path) -> None:
    page = html / source.relative_to(ROOT).with_suffix(".html")
    shown = BeautifulSoup(page.read_text("utf-8"), "html.parser").get_text(" ").lower()
    assert words_of(source) - Counter(WORD.findall(shown)) == Counter()

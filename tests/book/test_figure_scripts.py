"""A page loads the scripts of the figures that it shows, and no others."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from tests.browser_support import FIGURES, PAGES, WITH_FIGURES

CONSTANT = re.compile(r"^const (PE_SOURCES|PE_FIGURES) = (.*);$", re.MULTILINE)
IMPORTED = re.compile(r"^const \{[^}]+\} = (\w+);$", re.MULTILINE)


def scripts(html: Path, page: str) -> list[Path]:
    """The files of figures that a page asks for."""
    path = html / f"{page}.html"
    found = BeautifulSoup(path.read_text("utf-8"), "html.parser").select("script[src*=pe-figures]")
    return [path.parent / str(script["src"]).split("?")[0] for script in found]


@pytest.mark.parametrize("page", sorted({*PAGES} - {*WITH_FIGURES}))
def test_a_page_without_figures_loads_none(page: str, html: Path) -> None:
    assert scripts(html, page) == []


@pytest.mark.parametrize("page", WITH_FIGURES)
def test_a_page_loads_its_figures_and_what_they_import(page: str, html: Path) -> None:
    [path] = scripts(html, page)
    found = {name: json.loads(value) for name, value in CONSTANT.findall(path.read_text("utf-8"))}
    own, shared = found["PE_FIGURES"], found["PE_SOURCES"]
    assert own.keys() == {place.module for place in FIGURES if place.page == page}
    texts = [*(figure["source"] for figure in own.values()), *shared.values()]
    assert shared.keys() == {name for text in texts for name in IMPORTED.findall(text)}

"""What a page asks for before it can be read is light. MathJax comes when the page stands."""

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.browser_support import CHAPTERS
from tests.helpers import ROOT

NOTEBOOKS = [page for page in CHAPTERS if (ROOT / f"{page}.ipynb").exists()]


@pytest.mark.parametrize("page", ["index", *NOTEBOOKS])
def test_a_page_names_less_than_a_megabyte(page: str, html: Path) -> None:
    path = html / f"{page}.html"
    parsed = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    links = [link["href"] for link in parsed.select("link[rel~=stylesheet]")]
    links += [element["src"] for element in parsed.select("script[src]")]
    at_once = [image for image in parsed.select("img") if image.get("loading") != "lazy"]
    links += [image["src"] for image in at_once if not image.find_parent("noscript")]
    files = {(path.parent / urlsplit(str(link)).path).resolve() for link in links}
    sizes = {file.name: file.stat().st_size for file in {path.resolve(), *files}}
    assert "startup.js" not in sizes
    assert sum(sizes.values()) < 1_000_000, sorted(sizes.items(), key=lambda one: -one[1])[:8]

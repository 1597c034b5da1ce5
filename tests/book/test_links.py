"""Every link of the built book leads somewhere; looked up in its files, without a browser."""

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from book.tools import notebooks
from tests.browser_support import PAGES

# The pages in the order of the contents: Sphinx adds the last two.
IN_ORDER = PAGES[:-2]
SOURCES = (".ipynb", ".md")


@dataclass
class Contents(HTMLParser):
    """What a page holds: its ids, its links, and those at its foot to its neighbours."""

    ids: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    downloads: list[str] = field(default_factory=list)
    neighbours: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.ids += [values["id"]] if "id" in values else []
        for link in (values[name] for name in ("href", "src") if name in values):
            (self.downloads if "download" in values else self.links).append(link)
        for kind in {"left-prev", "right-next"} & set(values.get("class", "").split()):
            self.neighbours[kind] = values["href"]


def contents(text: str) -> Contents:
    page = Contents()
    page.feed(text)
    return page


@pytest.fixture(scope="module")
def pages(html: Path) -> dict[Path, Contents]:
    """Every page of the book by its file; what lies in `_static` is no page."""
    files = [html / f"{page}.html" for page in (*PAGES, "404")]
    return {file.resolve(): contents(file.read_text("utf-8")) for file in files}


def fault_of(link: str, page: Path, pages: dict[Path, Contents]) -> str | None:
    """What is wrong with a page's link; None where it leads somewhere."""
    address = urlsplit(link)
    if address.scheme or address.netloc:
        return None if address.scheme in ("https", "data") else "is of another kind"
    if address.path == "/":  # where a web server shows the cover
        return None if page.stem == "404" else "is no file"
    target = (page.parent / unquote(address.path)).resolve() if address.path else page
    if not target.is_file():
        return "is no file"
    if address.fragment and unquote(address.fragment) not in pages[target].ids:
        return "is no place on that page"
    return None


def test_every_link_leads_to_a_file_and_to_a_place_in_it(pages: dict[Path, Contents]) -> None:
    faults = {
        f"{file.stem}: {link}": fault
        for file, page in pages.items()
        for link in {*page.links, *page.downloads}
        if (fault := fault_of(link, file, pages))
    }
    assert faults == {}


def test_sources_are_downloaded_and_never_opened(pages: dict[Path, Contents]) -> None:
    opened = {
        f"{file.stem}: {link}"
        for file, page in pages.items()
        for link in page.links
        if not urlsplit(link).scheme and urlsplit(link).path.endswith(SOURCES)
    }
    assert opened == set()
    offered = {
        file.stem
        for file, page in pages.items()
        if any(".ipynb" in link for link in page.downloads)
    }
    assert offered == {path.stem for path in notebooks.chapters()}


def test_an_id_stands_once_on_a_page(pages: dict[Path, Contents]) -> None:
    twice = {
        file.stem: {name for name, count in Counter(page.ids).items() if count > 1}
        for file, page in pages.items()
    }
    assert {name: ids for name, ids in twice.items() if ids} == {}


def test_the_foot_of_a_page_leads_on(pages: dict[Path, Contents]) -> None:
    """As the contents do; but from a chapter to the next one, past the pages under it."""
    by_name = {page: contents for page, contents in zip(PAGES, pages.values(), strict=False)}
    folder = next(iter(pages)).parent
    spines = [name for name in IN_ORDER if re.fullmatch(r"chapters/\d\d_\w+(?<!_deeper)", name)]
    for number, name in enumerate(IN_ORDER):
        near = {"left-prev": IN_ORDER[:number][-1:], "right-next": IN_ORDER[number + 1 :][:1]}
        if name in spines:
            place = spines.index(name)
            near["left-prev"] = spines[:place][-1:] or near["left-prev"]
            near["right-next"] = spines[place + 1 :][:1] or near["right-next"]
        expected = {
            kind: (folder / f"{page}.html").resolve() for kind, to in near.items() for page in to
        }
        here = (folder / name).parent
        found = {kind: (here / link).resolve() for kind, link in by_name[name].neighbours.items()}
        assert found == expected, name


@pytest.mark.parametrize(
    ("link", "fault"),
    [
        ("#here", None),
        ("", None),
        ("page.html#here", None),
        ("https://example.org/#nowhere", None),
        ("#nowhere", "is no place on that page"),
        ("page.html#nowhere", "is no place on that page"),
        ("missing.html", "is no file"),
        ("/", "is no file"),
        ("http://localhost:8000/", "is of another kind"),
    ],
)
def test_what_is_broken_is_found(link: str, fault: str | None, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text('<h1 id="here">A page</h1>')
    assert fault_of(link, page, {page: contents(page.read_text())}) == fault

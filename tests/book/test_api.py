"""The API reference: every public name once, led to from where it is taught and back."""

import inspect
import re
from html import unescape
from pathlib import Path

import pytest

import pe_lib
from book.tools.notebooks import ROOT
from pe_lib import diagnostics
from tests.browser_support import PAGES

LINES = re.findall(
    r"^(\w+) (\S+#\S+)$", (ROOT / "chapters/api.md").read_text("utf-8"), re.MULTILINE
)
each_line = pytest.mark.parametrize(("name", "place"), LINES, ids=[name for name, _ in LINES])


@pytest.fixture(scope="module")
def entries(html: Path) -> dict[str, str]:
    """The HTML of each name's entry."""
    text = (html / "chapters/api.html").read_text("utf-8")
    parts = re.split(r'<dl class="py (?:class|function)">', text)[1:]
    return {re.findall(r'id="pe_lib\.(\w+)"', part)[0]: part for part in parts}


def test_every_public_name_has_one_entry(entries: dict[str, str]) -> None:
    names = [name for name, _ in LINES]
    assert sorted(names) == sorted(pe_lib.__all__)
    assert {*diagnostics.__all__} <= {*names}
    assert [*entries] == names


@each_line
def test_an_entry_has_the_arguments_of_the_name(
    name: str, place: str, entries: dict[str, str]
) -> None:
    signature = entries[name].partition("</dt>")[0]
    shown = re.findall(r'<em class="sig-param">.*?<span class="pre">(\w+)', signature)
    assert shown == [*inspect.signature(getattr(pe_lib, name)).parameters]


@each_line
def test_an_entry_has_all_parts_of_the_docstring(
    name: str, place: str, entries: dict[str, str]
) -> None:
    entry = unescape(re.sub(r"<[^>]+>", "", entries[name]))
    docstring = inspect.getdoc(getattr(pe_lib, name)) or ""
    parts = re.findall(r"^(Args|Returns|Raises|Source|Example)\b.*:$", docstring, re.MULTILINE)
    assert "Example" in parts
    assert [part for part in parts if part.replace("Args", "Parameters") not in entry] == []
    examples = re.findall(r"^ *>>> (.+)$", docstring, re.MULTILINE)
    assert [example for example in examples if example not in entry] == []


@each_line
def test_an_entry_and_the_section_that_teaches_it_lead_to_each_other(
    name: str, place: str, entries: dict[str, str], html: Path
) -> None:
    page, _, anchor = place.partition("#")
    assert page in PAGES
    taught = re.findall(r'(?:Taught|Said) in .*?href="([^"]+)"', entries[name], re.DOTALL)
    address = f"../{page}.html" if page == "index" else f"{page.removeprefix('chapters/')}.html"
    assert taught[0] == f"{address}#{anchor}"
    text = (html / f"{page}.html").read_text("utf-8")
    assert f'id="{anchor}"' in text
    assert re.search(rf'href="(?:chapters/)?api\.html#pe_lib\.{name}"', text)

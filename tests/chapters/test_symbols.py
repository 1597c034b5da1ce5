"""The table of symbols: each one is in the formulas of the chapters that the table names."""

import re

import pytest

from tests.chapters.anchors import links, text_of

PAGE = "symbols.md"
SYMBOL = re.compile(r"\$([^$]+)\$")
TABLE = text_of(PAGE).partition("\n## ")[0]
ROWS = re.findall(r"^\| (.*\$.*) \| .+ \| (\[.+) \|$", TABLE, re.MULTILINE)  # symbols, sections


def formulas(markdown: str) -> str:
    """All formulas of a text, without spaces."""
    found = re.findall(r"\$\$.+?\$\$|\$[^$]+\$", markdown, re.DOTALL)
    return re.sub(r"\s|\\,", "", "".join(found))


def test_there_are_rows() -> None:
    assert len(ROWS) > 25


@pytest.mark.parametrize(("symbols", "sections"), ROWS)
def test_a_symbol_is_in_every_chapter_that_the_table_names(symbols: str, sections: str) -> None:
    named = [re.sub(r"\s", "", found.partition(" = ")[0]) for found in SYMBOL.findall(symbols)]
    assert named
    for _, page, _ in links(sections, PAGE):
        assert any(symbol in formulas(text_of(page)) for symbol in named)

"""The pages behind the chapters: which encoding to use, and which model has which."""

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser
from transformers import CONFIG_MAPPING

import pe_lib
from book.pe_book import models
from book.tools.notebooks import ROOT, code_cells, read
from pe_lib.rotary.config.conventions import INTERLEAVED
from tests.browser_support import visit
from tests.chapters.numbers_in import claims, output_text, values

CHAPTERS = ROOT / "chapters"
LOOK_UP = [CHAPTERS / "which_encoding.md", CHAPTERS / "all_encodings.md"]
# Their own code was read: tests/conformance/test_published_models.py has their settings by hand.
READ_BY_HAND = {"phi-msft", "phi3small"}


def shown(page: str) -> set[Decimal]:
    """Every number in an output of the chapters that a page links."""
    links = set(re.findall(r"\]\((\w+\.ipynb)\)", page))
    chapters = [read(CHAPTERS / link) for link in links]
    outputs = (output_text(cell) for chapter in chapters for cell in code_cells(chapter))
    return values("\n".join(outputs))


@pytest.mark.parametrize("path", LOOK_UP, ids=lambda path: path.stem)
def test_every_number_is_in_an_output_of_a_chapter(path: Path) -> None:
    text = path.read_text("utf-8")
    founded = shown(text)
    assert [claim for claim in claims(text) if Decimal(claim) not in founded] == []


@pytest.mark.parametrize("path", LOOK_UP, ids=lambda path: path.stem)
def test_every_name_is_in_the_library(path: Path) -> None:
    names = re.findall(r"`(\w+)`", path.read_text("utf-8"))
    assert [name for name in names if name != "pe_lib" and not hasattr(pe_lib, name)] == []


@pytest.mark.browser
@pytest.mark.parametrize(("width", "bottom"), [(1280, 900), (390, None)])
def test_the_decision_fits_its_window(
    browser: Browser, site: str, width: int, bottom: int | None
) -> None:
    window = {"width": width, "height": 900}
    with visit(browser, f"{site}/chapters/which_encoding.html", viewport=window) as visited:
        box = visited.page.locator("article table").first.bounding_box()
        wide = visited.page.locator("article").bounding_box()
    assert box and wide
    assert box["width"] <= wide["width"]
    assert bottom is None or box["y"] + box["height"] <= bottom


def test_every_case_leads_to_its_reasons(html: Path) -> None:
    page = BeautifulSoup(
        (html / "chapters" / "which_encoding.html").read_text("utf-8"), "html.parser"
    )
    table = page.select_one("article table")
    assert table is not None
    anchors = [str(link["href"]).removeprefix("#") for link in table.select("a")]
    reasons = [str(section["id"]) for section in page.select("article section section section")]
    assert anchors == reasons


def rows(html: Path) -> Iterator[tuple[str, str]]:
    """The model of each row of the tables, and where its link leads."""
    page = BeautifulSoup((html / "chapters" / "which_model.html").read_text("utf-8"), "html.parser")
    for row in page.select("article tbody tr"):
        link = row.select_one("td:last-child a")
        assert link is not None, row
        yield row.select_one("td").get_text(), str(link["href"])


def test_every_model_is_on_the_page_with_its_file(html: Path) -> None:
    entries = {
        (model.name, re.search(r"<(.*?)>", model.link)[1]) for model in models.published_models()
    }
    assert entries <= {*rows(html)}


def test_every_cell_is_known_by_its_heading_and_an_empty_one_as_such(html: Path) -> None:
    page = BeautifulSoup((html / "chapters" / "which_model.html").read_text("utf-8"), "html.parser")
    for table in page.select(".pe-models table"):
        headings = [f"pe-{head.get_text().replace(' ', '-')}" for head in table.select("th")]
        for row in table.select("tbody tr"):
            cells = row.select("td")
            assert [cell["class"][0] for cell in cells] == headings
            for cell in cells:
                assert ("pe-nothing" in cell["class"]) == (cell.get_text() == "–")


def test_every_group_is_on_the_page_and_no_model_in_two_of_them() -> None:
    text = (CHAPTERS / "which_model.md").read_text("utf-8")
    groups = re.findall(r"^```\{models\} (\w+)$", text, re.MULTILINE)
    assert sorted(groups) == sorted(models.GROUPS)
    others = [*models.GROUPS.keys() - {models.SEES}]
    names = [{row[0] for row in models.rows_of(group)} for group in others]
    assert sum(map(len, names)) == len(set.union(*names))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Llama-2-7b-hf", [("RoPE", "10,000", "128 of 128", "–", "half-split")]),
        ("DeepSeek-V3", [("RoPE", "10,000", "64 of 192", "YaRN ×40 from 4,096", "interleaved")]),
        ("Hunyuan-A13B-Instruct", [("RoPE", "10,000", "128 of 128", "NTK ×1,000", "–")]),
        (
            "SmolLM3-3B",
            [
                ("RoPE: 27 of 36 layers", "5,000,000", "128 of 128", "–", "half-split"),
                ("no positions: 9 of 36 layers", *models.NOTHING),
            ],
        ),
        (
            "gemma-4-12B",
            [
                ("RoPE: 40 of 48 layers, window", "10,000", "256 of 256", "–", "half-split"),
                ("RoPE: 8 of 48 layers, full", "1,000,000", "128 of 512", "p-RoPE", "half-split"),
            ],
        ),
        ("gpt2", [("learned table of 1024 rows",)]),
    ],
)
def test_what_a_row_says(name: str, expected: list[tuple[str, ...]]) -> None:
    (model,) = (model for model in models.published_models() if model.name == name)
    assert [row[1:-1] for row in model.rows] == expected


def test_pairs_are_named_only_where_they_were_compared() -> None:
    read_whole = [model for model in models.published_models() if not model.why_unread]
    kinds = {model.source["model_type"] for model in read_whole} - {*CONFIG_MAPPING}
    assert kinds - INTERLEAVED - READ_BY_HAND - {"dinov3", "exaone4_5_text"} == models.UNCOMPARED

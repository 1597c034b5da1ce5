"""Every page of the built book from disk: on a phone in dark mode, and with no script at all.

The laptop's window comes last, as the phone cannot be had back. One page of each kind is opened by
`make test`, and all of them by `make test-all`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser_support import PAGES, PHONE, WIDE, WITH_FIGURES, Visit, one_of_each, visit
from tests.page_support import (
    CRAMPED,
    FAINT,
    assert_complete_and_quiet,
    assert_seen_together,
    surfaces,
    themes,
    violations,
)

pytestmark = pytest.mark.browser
# Boxes of code, output, tables and formulas that scroll sideways, and do not shade their edges
UNSHADED = """[...document.querySelectorAll("article :is(pre, .pst-scrollable-table-container)")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .filter((box) => !getComputedStyle(box).backgroundAttachment.includes("local"))
  .map((box) => box.outerHTML.slice(0, 200))"""
# Tables that scroll sideways, and whose first column scrolls away
UNNAMED_ROWS = """[...document.querySelectorAll("article table:not(.pe-models *)")]
  .filter((table) => table.checkVisibility())
  .filter(({ parentElement: box }) => box.scrollWidth > box.clientWidth + 1)
  .map((table) => table.rows[table.rows.length - 1].cells[0])
  .filter((cell) => getComputedStyle(cell).position !== "sticky")
  .map((cell) => cell.outerHTML.slice(0, 200))"""


@pytest.fixture(scope="module", params=one_of_each(PAGES))
def page(request: pytest.FixtureRequest) -> str:
    """Each page in turn, without its .html."""
    return request.param


@pytest.fixture(scope="module")
def phone(page: str, browser: Browser, html: Path) -> Iterator[Visit]:
    """The page opened from disk, as a phone shows it in the dark."""
    with visit(browser, f"{html.as_uri()}/{page}.html", **PHONE, color_scheme="dark") as visited:
        yield visited


def test_page_is_complete_and_asks_nobody_else(page: str, phone: Visit) -> None:
    assert_complete_and_quiet(phone, page)


def test_page_is_as_wide_as_the_phone_and_can_be_touched(phone: Visit) -> None:
    width = phone.page.evaluate("document.scrollingElement.scrollWidth")
    wide = phone.page.evaluate("visualViewport.width * visualViewport.scale")
    figures = phone.page.locator(".pe-root").all()
    cramped = [problem for figure in figures for problem in figure.evaluate(CRAMPED)]
    assert width <= 390
    assert wide == 390
    assert cramped == []


def test_what_is_wider_than_its_box_shows_it(phone: Visit) -> None:
    assert phone.page.evaluate(UNSHADED) == []
    assert phone.page.evaluate(UNNAMED_ROWS) == []


def test_a_control_and_the_main_panel_are_seen_together(page: str, phone: Visit) -> None:
    assert_seen_together(phone, page)


def test_colours_in_the_dark(phone: Visit) -> None:
    phone.page.set_viewport_size(WIDE["viewport"])
    assert max(surfaces(phone)) < 0.15
    assert themes(phone) <= {"dark"}
    assert phone.page.evaluate(FAINT) == []


@pytest.mark.slow
def test_axe_finds_enough_contrast_in_the_dark(phone: Visit) -> None:
    phone.page.set_viewport_size(WIDE["viewport"])
    assert violations(phone) == []


@pytest.mark.parametrize("page", one_of_each(WITH_FIGURES))
def test_page_without_scripts(page: str, browser: Browser, html: Path) -> None:
    address = f"{html.as_uri()}/{page}.html"
    with visit(browser, address, java_script_enabled=False) as visited:
        assert visited.page.locator("h1").first.is_visible()
        for formula in visited.page.locator("article .math").all()[:1]:
            assert "monospace" in formula.evaluate("f => getComputedStyle(f).fontFamily")
        for place in visited.page.locator(".pe-figure").all():
            assert len(place.locator("p").inner_text()) > 80
            place.scroll_into_view_if_needed()
            picture = place.locator("img")
            assert picture.get_attribute("alt")
            assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 600
            assert picture.bounding_box()["width"] > 300
    refused = f"failed: {html.as_uri()}/_static/scripts/"  # what was loaded early, in vain
    assert [problem for problem in visited.problems if not problem.startswith(refused)] == []

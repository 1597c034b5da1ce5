"""Formulas are typeset when they come near, and the others while the browser is idle."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser_support import WIDE

pytestmark = pytest.mark.browser
PAGE = "chapters/04_rope_by_hand.html"
NEVER_IDLE = "window.requestIdleCallback = () => {};"


@pytest.fixture
def busy(browser: Browser, html: Path) -> Iterator[Page]:
    """A page with formulas in a browser that never has nothing else to do."""
    page = browser.new_page(**WIDE)
    page.add_init_script(NEVER_IDLE)
    page.goto(f"{html.as_uri()}/{PAGE}")
    yield page
    page.close()


# Of each formula more than half a window below the view: whether it is typeset.
FAR = """[...document.querySelectorAll(".math")]
  .filter((formula) => formula.getBoundingClientRect().top > 1.5 * innerHeight)
  .map((formula) => formula.querySelector("mjx-container") !== null)"""


def unset(page: Page) -> int:
    return page.locator(".math:not(:has(mjx-container))").count()


def test_a_far_formula_waits_until_it_is_near(busy: Page) -> None:
    formulas = busy.locator(".math:visible")
    far = busy.evaluate(FAR)
    assert len(far) > 100
    assert not any(far)
    formulas.first.scroll_into_view_if_needed()
    expect(formulas.first.locator("mjx-container")).to_be_visible()
    assert formulas.last.locator("mjx-container").count() == 0
    formulas.last.scroll_into_view_if_needed()
    expect(formulas.last.locator("mjx-container")).to_be_visible()
    assert unset(busy) > 0


def test_a_printed_page_has_all_formulas(busy: Page) -> None:
    formulas = busy.locator(".math:visible")
    formulas.first.scroll_into_view_if_needed()
    expect(formulas.first.locator("mjx-container")).to_be_visible()
    busy.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert unset(busy) == 0


def test_an_idle_browser_typesets_all(browser: Browser, html: Path) -> None:
    page = browser.new_page(**WIDE)
    page.goto(f"{html.as_uri()}/{PAGE}")
    expect(page.locator(".math:not(:has(mjx-container))")).to_have_count(0, timeout=30_000)
    page.close()

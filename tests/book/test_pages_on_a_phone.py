"""Every page of the built book on a phone."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser_support import PHONE, Visit, visit
from tests.page_support import CRAMPED, assert_seen_together

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def phone(page: str, browser: Browser, site: str) -> Iterator[Visit]:
    """The page as a phone shows it."""
    with visit(browser, f"{site}/{page}.html", **PHONE) as visited:
        yield visited


def test_page_is_as_wide_as_the_phone_and_can_be_touched(phone: Visit) -> None:
    width = phone.page.evaluate("document.scrollingElement.scrollWidth")
    wide = phone.page.evaluate("visualViewport.width * visualViewport.scale")
    figures = phone.page.locator(".pe-root").all()
    cramped = [problem for figure in figures for problem in figure.evaluate(CRAMPED)]
    assert width <= 390
    assert wide == 390
    assert cramped == []


def test_a_control_and_the_main_panel_are_seen_together(page: str, phone: Visit) -> None:
    assert_seen_together(phone, page)

"""Every page of the built book from disk: in dark mode, and with no script at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser_support import Visit, visit
from tests.page_support import FAINT, assert_complete_and_quiet, surfaces, themes, violations

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def disk(page: str, browser: Browser, html: Path) -> Iterator[Visit]:
    """The page opened from disk."""
    with visit(browser, f"{html.as_uri()}/{page}.html", color_scheme="dark") as visited:
        yield visited


def test_page_is_complete_and_asks_nobody_else(page: str, disk: Visit) -> None:
    assert_complete_and_quiet(disk, page)


def test_colours_in_the_dark(disk: Visit) -> None:
    assert max(surfaces(disk)) < 0.15
    assert themes(disk) <= {"dark"}
    assert disk.page.evaluate(FAINT) == []


@pytest.mark.slow
def test_axe_finds_enough_contrast_in_the_dark(disk: Visit) -> None:
    assert violations(disk) == []


def test_page_without_scripts(page: str, browser: Browser, html: Path) -> None:
    address = f"{html.as_uri()}/{page}.html"
    with visit(browser, address, java_script_enabled=False) as visited:
        assert visited.page.locator("h1").first.is_visible()
        for place in visited.page.locator(".pe-figure").all():
            assert len(place.locator("p").inner_text()) > 80
            place.scroll_into_view_if_needed()
            picture = place.locator("img")
            assert picture.get_attribute("alt")
            assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 600
            assert picture.bounding_box()["width"] > 300
    refused = f"failed: {html.as_uri()}/_static/scripts/"  # what was loaded early, in vain
    assert [problem for problem in visited.problems if not problem.startswith(refused)] == []

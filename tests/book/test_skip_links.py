"""By keyboard, a page's figure is two steps away."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser_support import visit

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("page", ["index", "chapters/04_rope_by_hand"])
def test_the_keyboard_skips_to_the_first_figure(page: str, browser: Browser, html: Path) -> None:
    with visit(browser, f"{html.as_uri()}/{page}.html") as visited:
        for key in ("Tab", "Tab", "Enter", "Tab"):
            visited.page.keyboard.press(key)
        reached = (
            "document.activeElement.closest('.pe-figure') === document.querySelector('.pe-figure')"
        )
        assert visited.page.evaluate(reached)


def test_a_page_without_a_figure_offers_no_such_step(browser: Browser, html: Path) -> None:
    with visit(browser, f"{html.as_uri()}/chapters/glossary.html") as visited:
        assert visited.page.get_by_text("Skip to").all_inner_texts() == ["Skip to main content"]

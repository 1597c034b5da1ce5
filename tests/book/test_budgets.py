"""How long the pages of the chapters are when they are built."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from book.tools.budgets import TO_SHORTEN, WINDOW, budget_of, screens
from tests.browser_support import CHAPTERS, visit

pytestmark = pytest.mark.browser
LIMITS = {page: budget_of(Path(page).name).screens for page in CHAPTERS}
LIMITED = [
    page for page in CHAPTERS if LIMITS[page] is not None and Path(page).name not in TO_SHORTEN
]
assert LIMITED, "no page is held to its budget"


@pytest.mark.parametrize("page", LIMITED)
def test_a_spine_fills_no_more_screens_than_it_may(page: str, browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{page}.html", viewport=WINDOW) as visited:
        assert screens(visited.page) <= LIMITS[page]

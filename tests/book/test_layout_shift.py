"""What is read stays where it is while the rest of the page arrives."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from book.tools.browser import settle
from tests.browser_support import WIDE, WITH_FIGURES, one_of_each

pytestmark = pytest.mark.browser
PAINTED = "new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))"
NOTE_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("name", one_of_each(WITH_FIGURES))
def test_figures_and_formulas_move_nothing_that_is_seen(
    name: str, browser: Browser, html: Path
) -> None:
    page = browser.new_page(**WIDE)
    page.add_init_script(NOTE_SHIFTS)
    held: list[Route] = []
    page.route("**/pe-figures-*.js*", lambda route: held.append(route))
    page.goto(f"{html.as_uri()}/{name}.html", wait_until="commit")
    page.wait_for_selector("footer", state="attached")
    page.evaluate(PAINTED)  # the text is seen before the figure is there
    for route in held:
        route.continue_()
    settle(page)
    page.evaluate(PAINTED)
    shift = page.evaluate("shift")
    page.close()
    assert held, "the figures' script was not waited for"
    assert shift < 0.05


def test_the_text_is_as_wide_before_the_contents_beside_it_arrive(
    browser: Browser, html: Path
) -> None:
    page = browser.new_page(**WIDE)
    page.goto(f"{html.as_uri()}/{WITH_FIGURES[0]}.html")
    text = page.locator(".bd-article-container")
    width = text.bounding_box()["width"]
    page.locator(".bd-sidebar-secondary").evaluate("contents => contents.remove()")
    assert text.bounding_box()["width"] == width
    page.close()

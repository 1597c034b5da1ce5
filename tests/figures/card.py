"""A figure's card in a window: drawn to the end, in another size, measured in one step."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

LAPTOP, PHONE = 640, 760  # px: the most that a card may take
# Of the page's column. The narrow card is the higher one; the wide one is for `make test-all`.
each_width = pytest.mark.parametrize("width", [pytest.param(700, marks=pytest.mark.slow), 374])

# A figure hears of its size at the end of a frame, and of what its own drawing does to that size
# (with a scroll bar, say) in the next one. So it is drawn when a frame has changed nothing.
DRAWN = """async () => {
  let changed = true;
  const changes = new MutationObserver(() => { changed = true; });
  changes.observe(document.body, { attributes: true, childList: true, subtree: true });
  while (changed) {
    changed = false;
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
  changes.disconnect();
}"""
BOXES = """(around, selector) => [...around.querySelectorAll(selector)].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return { x, y, width, height, text: each.textContent };
})"""


def drawn(page: Page) -> None:
    """Wait until a figure has drawn itself in the size that it has."""
    page.evaluate(DRAWN)


def resize(page: Page, width: int, height: int = 900) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(f"innerWidth === {width} && innerHeight === {height}")
    drawn(page)


def boxes(around: Locator, selector: str) -> list[dict]:
    """Where all of these lie, and what they say. They are found and measured in the page, in one
    step: between two of Playwright's a figure may have drawn itself anew."""
    return around.evaluate(BOXES, selector)


def card_height(page: Page, width: int) -> Callable[[], float]:
    """What measures the card in a window of that width, where it fits its screen at rest."""
    resize(page, width)
    narrow = width < 560
    card = page.locator(".pe-root:not(.pe-wide)" if narrow else ".pe-root.pe-wide")

    def height() -> float:
        return card.bounding_box()["height"]

    assert height() <= (PHONE if narrow else LAPTOP)
    return height

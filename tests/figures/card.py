"""How high a figure's card is, on a laptop's screen and on a phone's."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

LAPTOP, PHONE = 640, 760  # px: the most that a card may take
# Of the page's column. The narrow card is the higher one; the wide one is for `make test-all`.
each_width = pytest.mark.parametrize("width", [pytest.param(700, marks=pytest.mark.slow), 374])


def card_height(page: Page, width: int) -> Callable[[], float]:
    """What measures the card in a window of that width, where it fits its screen at rest."""
    page.set_viewport_size({"width": width, "height": 900})
    narrow = width < 560
    card = page.locator(".pe-root:not(.pe-wide)" if narrow else ".pe-root.pe-wide")

    def height() -> float:
        return card.bounding_box()["height"]

    assert height() <= (PHONE if narrow else LAPTOP)
    return height

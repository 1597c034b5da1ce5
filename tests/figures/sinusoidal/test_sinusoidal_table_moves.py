"""How the positions of SinusoidalTable are dragged along its side."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, SinusoidalTable
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import card_height

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]


def first(page: Page) -> int:
    return int(page.locator(".pe-slider:has([data-input=offset]) [type=number]").input_value())


def pull(page: Page, by: Callable, rows: int) -> None:
    """Drag the ruler upwards by so many of its 64 rows."""
    box = page.locator(".pe-positions").bounding_box()
    x, y = box["x"] + 20, box["y"] + box["height"] / 2
    by(page, (x, y), (x, y - rows * box["height"] / 64))
    page.mouse.up()


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_rows_are_dragged_by_their_positions(by: Callable, opened: Open) -> None:
    page = opened(SinusoidalTable())
    labels = page.locator(".pe-positions text")
    assert labels.first.text_content() == "0"
    pull(page, by, 16)
    assert first(page) == 16
    assert labels.first.text_content() == "16"
    assert page.locator(".pe-words").text_content().startswith("Position 48, column 6: sine")
    pull(page, by, -30)
    assert first(page) == 0


def test_arrow_keys_move_them_as_far_as_the_slider_reaches(opened: Open) -> None:
    page = opened(SinusoidalTable(offset=99_999))
    for place in (100_000, 100_000):
        page.locator(".pe-positions").press("ArrowDown")
        assert first(page) == place
    assert page.locator(".pe-positions text").first.text_content() == "100,000"
    page.locator(".pe-positions").press("ArrowUp")
    assert first(page) == 99_999


@pytest.mark.parametrize("width", [359, 692])
def test_the_card_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(SinusoidalTable(dim=64, length=64))
    height = card_height(page, width)
    start = height()
    counter = page.locator("[data-input=counter]")
    for key in ("End", "Home"):
        counter.press(key)
        assert height() == start

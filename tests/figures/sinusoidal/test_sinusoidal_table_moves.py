"""How the positions of SinusoidalTable are dragged along its side."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from pe_lib.figures import Figure, SinusoidalTable
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import card_height
from tests.figures.moving import arrived, count, started

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


def test_the_table_slides_and_stretches_and_fades(opened: Open) -> None:
    page = opened(SinusoidalTable())
    count(page)
    page.locator("[data-input=offset]").press("ArrowRight")
    assert started(page) == 2 + 1 + 2 + 1  # the table in and out, the ruler, the waves, the dot
    arrived(page)
    page.locator("[data-input=theta]").press("End")
    assert started(page) == 1 + 2 + 1  # the table, the wave and its dot, the slow columns' bracket
    arrived(page)
    page.locator(".pe-more > summary").click()
    page.locator("[data-input=length]").press("ArrowRight")
    assert started(page) >= 1  # the table; at another length fewer columns may turn so little
    arrived(page)
    pull(page, drag_by_mouse, 5)
    assert started(page) == 0  # what is dragged follows at once
    page.emulate_media(reduced_motion="reduce")
    page.locator("[data-input=offset]").press("End")
    assert started(page) == 0


def test_a_bracket_stands_over_the_columns_that_change_least(opened: Open) -> None:
    page = opened(SinusoidalTable())
    bracket, name = page.locator(".pe-flat"), page.locator(".pe-axis")
    words = page.locator(".pe-words").text_content()
    assert "The last 38 of 64 columns show less than a quarter of their wave." in words
    assert bracket.evaluate("(flat) => flat.style.left") == f"{100 * (1 - 38 / 64):g}%"
    assert name.text_content().endswith("under ¼ wave ↓")
    page.locator("[data-input=theta]").press("Home")
    assert bracket.is_hidden()
    assert name.text_content().endswith("columns →")


def read(page: Page) -> tuple[int, int]:
    words = page.locator(".pe-words").text_content()
    return tuple(map(int, re.match(r"Position (\d+), column (\d+)", words).groups()))


def test_a_tap_hits_a_cell_and_a_finger_leads_it_at_half_its_pace(opened: Open) -> None:
    page = opened(SinusoidalTable(dim=64, length=64))
    box = page.locator(".pe-table-map").bounding_box()
    wide, high = box["width"] / 64, box["height"] / 64
    start = (box["x"] + 40.5 * wide, box["y"] + 20.5 * high)
    page.touchscreen.tap(*start)  # first: a browser takes no tap while a fling goes on
    expect(page.locator(".pe-words")).to_contain_text("Position 20, column 40")
    drag_by_touch(page, start, (start[0] + 8 * wide, start[1] + 4 * high))
    assert read(page) == (20 + 2, 40 + 4)
    page.mouse.move(box["x"] + 3.5 * wide, box["y"] + 60.5 * high)
    assert read(page) == (60, 3)


@pytest.mark.parametrize("width", [359, 692])
def test_the_card_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(SinusoidalTable(dim=64, length=64))
    height = card_height(page, width)
    start = height()
    counter = page.locator("[data-input=counter]")
    for key in ("End", "Home"):
        counter.press(key)
        assert height() == start

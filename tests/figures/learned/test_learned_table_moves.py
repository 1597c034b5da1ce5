"""How LearnedTable's training and rows are dragged, and what fades while it plays."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, LearnedTable
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import card_height, each_width
from tests.figures.moving import arrived, count, started

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
MAPS = ".pe-marked .pe-pixels"
TABLE, COSINES = 0, 1


def middle(page: Page, selector: str, nth: int = 0) -> tuple[float, float]:
    box = page.locator(selector).nth(nth).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def pull(page: Page, by: Callable, start: tuple[float, float], right: float, down: float) -> None:
    by(page, start, (start[0] + right, start[1] + down))
    page.mouse.up()


def snapshot(page: Page) -> int:
    return int(page.locator("[data-input=snapshot]").input_value())


def pixels(page: Page) -> list[str]:
    return page.locator(MAPS).evaluate_all("maps => maps.map((map) => map.toDataURL())")


def seen(page: Page) -> list[bool]:
    """Whether the row that is read shows in the table, and the pair among the cosines."""
    return [mark.is_visible() for mark in page.locator(".pe-row-mark").all()]


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_training_is_dragged(by: Callable, opened: Open) -> None:
    page = opened(LearnedTable())
    assert page.locator(".pe-slide .pe-pill text").text_content() == "step 0"
    before = pixels(page)
    pull(page, by, middle(page, ".pe-slide .pe-pill rect"), 90, 0)
    assert 8 < snapshot(page) < 24
    assert page.locator(".pe-slide .pe-pill text").text_content() != "step 0"
    assert not set(before) & set(pixels(page))
    told = page.locator(".pe-slide").get_attribute("aria-valuetext")
    assert "neighbours have a cosine of 0." in told
    page.mouse.move(*middle(page, ".pe-slide"))  # not pressed: nothing moves
    there = snapshot(page)
    page.locator(".pe-slide").press("ArrowRight")
    assert snapshot(page) == there + 1
    assert page.evaluate("getSelection().toString()") == ""


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_row_and_the_one_to_compare_are_dragged(by: Callable, opened: Open) -> None:
    page = opened(LearnedTable(snapshot=31))
    marks, words = page.locator(".pe-row-mark"), page.locator(".pe-words")
    assert marks.all_text_contents() == ["20", "60"]
    assert "Row 20 has a cosine of 1.00 with its neighbour 21 and of −0.88" in words.text_content()
    pull(page, by, middle(page, ".pe-row-mark", TABLE), 0, 120)
    row, other = map(int, marks.all_text_contents())
    assert 72 <= row < 90
    assert other == 60
    assert f"Row {row} (never used) has a cosine of " in words.text_content()
    pull(page, by, middle(page, ".pe-row-mark", COSINES), -60, -60)
    assert int(marks.nth(0).text_content()) < row - 20
    assert int(marks.nth(1).text_content()) < other - 20


def test_no_row_is_marked_before_training_unless_the_reader_points(opened: Open) -> None:
    page = opened(LearnedTable())
    maps = page.locator(".pe-marked")
    assert seen(page) == [False, False]
    maps.nth(TABLE).hover()
    assert seen(page) == [True, False]
    maps.nth(COSINES).focus()
    assert seen(page) == [True, True]
    page.locator("[data-input=snapshot]").press("End")
    page.mouse.move(0, 0)
    assert seen(page) == [True, True]


def test_before_training_no_row_is_spoken_of(opened: Open) -> None:
    page = opened(LearnedTable())
    words = page.locator(".pe-words")
    assert "Row 20" not in words.text_content()
    page.locator("[data-input=snapshot]").press("ArrowRight")
    assert "Row 20" in words.text_content()


def test_dragging_stops_what_plays(opened: Open) -> None:
    page = opened(LearnedTable(snapshot=5))
    page.emulate_media(reduced_motion="no-preference")
    play = page.get_by_role("button", name="Play")
    play.click()
    page.locator(".pe-training button", has_text="Pause").wait_for()
    page.mouse.move(*middle(page, ".pe-slide"))
    page.mouse.down()
    page.mouse.up()
    play.wait_for()  # drawn with what the drag has set
    there = snapshot(page)
    page.wait_for_timeout(700)
    assert snapshot(page) == there
    assert play.is_visible()


def test_what_is_taken_away_fades_and_what_is_dragged_follows(opened: Open) -> None:
    page = opened(LearnedTable(snapshot=20))
    count(page)
    page.locator(".pe-slide").press("ArrowRight")
    assert started(page) == 0
    page.locator(".pe-more > summary").click()
    page.locator("[data-input=removed]").press("ArrowRight")
    assert started(page) == 2  # both maps
    arrived(page)
    page.get_by_role("button", name="Play").click()
    assert started(page) == 3  # and the training's mark
    page.emulate_media(reduced_motion="reduce")


@each_width
def test_the_card_fits_and_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(LearnedTable())
    height = card_height(page, width)
    start = height()
    for key in ("End", "ArrowLeft"):
        page.locator("[data-input=snapshot]").press(key)
        page.locator("[data-input=removed]").evaluate(
            "(input) => { input.value = 4; input.dispatchEvent(new Event('input')); }"
        )
        for _ in range(12):
            page.locator(".pe-marked").nth(COSINES).press("ArrowDown")
            page.locator(".pe-marked").nth(COSINES).press("ArrowRight")
        assert height() == start

"""In CacheOffset the newest word, and its position, are dragged by mouse and by finger."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import CacheOffset
from tests.figures import moving
from tests.figures.card import boxes

pytestmark = pytest.mark.browser


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    page = opened(CacheOffset())
    page.wait_for_selector(".pe-decoding text")
    return page


def way(page: Page, start: str, end: str) -> list[tuple[float, float]]:
    """From the first of these words, which are in the picture once, to the second."""
    words = (page.locator(".pe-decoding").get_by_text(w, exact=True) for w in (start, end))
    (x, y), (to, _) = (
        (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for box in (word.bounding_box() for word in words)
    )
    return [(x, y), ((x + to) / 2, y), (to, y)]


def step(page: Page) -> str:
    return page.input_value("label:has([data-input=step]) input[type=number]")


def test_the_newest_word_is_dragged_by_mouse(page: Page) -> None:
    before = page.inner_html(".pe-decoding")
    start, *rest = way(page, "on", "mat")
    page.mouse.move(*start)
    page.mouse.down()
    seen = set()
    for at in rest:
        page.mouse.move(*at)
        seen.add(page.inner_html(".pe-decoding"))
    page.mouse.up()
    assert len(seen - {before}) == 2
    assert step(page) == "4"
    assert page.inner_text(".pe-words").startswith("“mat” gets position 0 instead of 5.")
    page.mouse.move(*start)  # it is held no more
    assert step(page) == "4"


def test_the_newest_word_is_dragged_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    start, *rest = way(page, "on", "sat")
    for kind, points in [("touchStart", [start]), *(("touchMove", [at]) for at in rest)]:
        touches = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert step(page) == "1"


def ends(page: Page) -> list[tuple[float, float]]:
    """Where a line ends on each of the positions."""
    found = boxes(page.locator(".pe-decoding"), "text")
    numbers = [box for box in found if re.fullmatch(r"\d", box["text"])]
    return [(box["x"] + box["width"] / 2, box["y"] - 5) for box in numbers]


def rule(page: Page) -> str:
    return page.input_value("input[data-input=positions]:checked")


def test_the_newest_position_is_dragged_to_that_of_the_nearest_rule(page: Page) -> None:
    page.fill("label:has([data-input=padding]) input[type=range]", "1")
    at = ends(page)
    page.mouse.move(*at[0])
    page.mouse.down()
    seen = []
    for position in (1, 2, 4, 3, 0):
        page.mouse.move(*at[position])
        seen.append(rule(page))
    assert seen == ["forgotten", "mask", "cache", "mask", "forgotten"]
    page.mouse.up()
    page.mouse.move(*at[4])  # it is held no more
    assert rule(page) == "forgotten"


@pytest.mark.parametrize("first", ["cache", "mask"])
def test_of_two_rules_with_one_position_that_in_use_stays(page: Page, first: str) -> None:
    page.click(f"input[value={first}]")
    page.mouse.move(*ends(page)[3])
    page.mouse.down()
    page.mouse.move(*ends(page)[4])
    assert rule(page) == first
    page.mouse.move(*ends(page)[0])
    assert rule(page) == "forgotten"
    page.mouse.move(*ends(page)[3])
    assert rule(page) == "cache"


def test_arrow_keys_read_a_key_and_add_a_word(page: Page) -> None:
    page.focus(".pe-decoding")
    page.keyboard.press("ArrowLeft")
    assert "“cat” is at distance −1 instead of 2" in page.inner_text(".pe-words")
    page.keyboard.press("ArrowUp")
    assert step(page) == "3"
    page.keyboard.press("ArrowDown")
    assert step(page) == "2"


def test_the_most_different_weight_is_read_until_a_key_is_chosen(page: Page) -> None:
    """Where no weight is different, that of "sat"."""
    for press, read, seen in [
        (None, "sat", "should be 0.25"),
        ("ArrowUp", "cat", "should be 0.22"),
        ("ArrowUp", "on", "should be 0.21"),
        ("ArrowRight", "the", "should be 0.07"),
        ("ArrowDown", "the", "should be 0.22"),
    ]:
        if press:
            page.press(".pe-decoding", press)
        assert f"For it “{read}”" in page.inner_text(".pe-words")
        assert page.locator(".pe-decoding").get_by_text(seen, exact=True).count() == 1
    page.click(".pe-reset")
    page.click("input[value=cache]")
    assert "For it “sat”" in page.inner_text(".pe-words")
    assert "should be" not in page.inner_html(".pe-decoding")


def test_a_column_is_shaded_once_it_is_pointed_at(page: Page) -> None:
    shaded = page.locator(".pe-decoding rect[rx='6']:not([stroke])")
    assert shaded.count() == 0
    page.get_by_text("cat", exact=True).first.hover()
    assert shaded.count() == 1
    page.click(".pe-reset")
    assert shaded.count() == 0


def test_words_go_to_the_position_of_another_rule(page: Page) -> None:
    moving.count(page)
    page.click("input[value=cache]")
    assert moving.started(page) == 8  # two lines with their ends, and four weights
    moving.arrived(page)
    page.emulate_media(reduced_motion="reduce")
    page.click("input[value=forgotten]")
    assert moving.started(page) == 0

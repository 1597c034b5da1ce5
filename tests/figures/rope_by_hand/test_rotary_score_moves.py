"""In RotaryScore the distance that k is tuned to is dragged, by mouse and by finger."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import RotaryScore
from tests.figures import moving

pytestmark = pytest.mark.browser
REACH = 100


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    page = opened(RotaryScore(vectors="tuned", reach=REACH))
    page.wait_for_selector(".pe-slide text")
    page.click(".pe-show")
    return page


def at(page: Page, distance: int) -> tuple[float, float]:
    """A place above a distance."""
    box = page.locator(".pe-slide svg").bounding_box()
    left, right = 46, 10  # of the axis, in px
    share = distance / (1.03 * REACH)
    return box["x"] + left + share * (box["width"] - left - right), box["y"] + 60


def tuned(page: Page) -> int:
    return int(page.input_value("label:has([data-input=tuned_to]) input[type=number]"))


def test_dragged_by_mouse(page: Page) -> None:
    before = page.inner_html(".pe-slide")
    page.mouse.move(*at(page, 37))
    page.mouse.down()
    page.mouse.move(*at(page, 60), steps=3)
    page.mouse.up()
    assert tuned(page) == 60
    assert page.inner_html(".pe-slide") != before
    page.mouse.move(*at(page, 20))  # it is held no more, and 20 is read
    assert tuned(page) == 60
    assert page.inner_text(".pe-words").startswith("At distance 20 ")


def test_dragged_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    for kind, distance in (("touchStart", 37), ("touchMove", 30), ("touchMove", 12)):
        x, y = at(page, distance)
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert tuned(page) == 12


def test_other_vectors_let_the_hands_travel(page: Page) -> None:
    moving.count(page)
    page.click("input[value=equal]")
    assert moving.started(page) == 15  # the hands of seven pairs, and the curve
    moving.arrived(page)
    page.emulate_media(reduced_motion="reduce")
    page.click("input[value=random]")
    assert moving.started(page) == 0

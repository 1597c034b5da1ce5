"""The position of PrecisionLoss is moved over the strip and by the slider, one by one and far."""

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import PrecisionLoss
from tests.figures.card import resize

pytestmark = pytest.mark.browser
START, CELLS = 248, 16  # what the strip shows around position 255


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    """A page with the figure at position 255."""
    page = opened(PrecisionLoss(position=255), height=1000)
    page.wait_for_selector(".pe-slide rect")
    return page


# The positions that a slider comes to at each of so many steps: a figure draws before the script
# goes on.
DRAGGED_OVER = """(slider, steps) => [...Array(steps).keys()].map((step) => {
  slider.value = step;
  slider.dispatchEvent(new Event("input"));
  return Number(slider.closest("label").querySelector("input[type=number]").value);
})"""


# The last part of every element that travels, as it starts.
TRAVELS = """() => {
  window.travels = [];
  Element.prototype.animate = function () {
    travels.push((this.lastChild ?? this).tagName);
  };
}"""


def position(page: Page) -> int:
    return int(page.locator("label:has([data-input=position]) input[type=number]").input_value())


def cell(page: Page, number: int) -> tuple[float, float]:
    """The middle of a position's cell."""
    box = page.locator(".pe-slide svg").bounding_box()
    return box["x"] + (number - START + 0.5) / CELLS * box["width"], box["y"] + 40


def test_step_by_step_with_the_arrow_keys(page: Page) -> None:
    page.focus(".pe-slide")
    said = []
    for expected in (256, 257, 258):
        page.keyboard.press("ArrowRight")
        assert position(page) == expected
        said.append(page.inner_text(".pe-words"))
    right, frozen, jumped = said
    assert right.startswith("bfloat16 has the number 256, so the hand is right.")
    assert frozen.startswith("bfloat16 has no 257 and takes 256: the hand of pair 0 is 57.3° off.")
    assert jumped.startswith("bfloat16 has the number 258")
    page.keyboard.press("ArrowLeft")
    assert position(page) == 257


def test_dragged_by_mouse(page: Page) -> None:
    page.mouse.move(*cell(page, 255))
    page.mouse.down()
    page.mouse.move(*cell(page, 263), steps=5)
    assert position(page) == 263
    page.mouse.move(2000, cell(page, 250)[1])  # far to the right: the last position in view
    assert position(page) == START + CELLS - 1
    page.mouse.move(*cell(page, 249))
    page.mouse.up()
    page.mouse.move(*cell(page, 252))  # nothing is held any more
    assert position(page) == 249


def test_dragged_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    for kind, number in (("touchStart", 255), ("touchMove", 257), ("touchMove", 260)):
        x, y = cell(page, number)
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert position(page) == 260


def test_a_phone_shows_half_of_them_which_stay_under_a_finger(page: Page) -> None:
    resize(page, 390)
    box = page.locator(".pe-slide svg").bounding_box()

    def point(number: int) -> None:
        page.mouse.move(box["x"] + (number + 0.5) / 8 * box["width"], box["y"] + 40)

    def numbers() -> list[str]:
        return page.locator(".pe-slide text").all_text_contents()[-3:]

    assert numbers() == ["254", "256", "258"]
    point(3)
    page.mouse.down()
    for number, expected in ((0, 252), (7, 259), (20, 259)):
        point(number)
        assert position(page) == expected
        assert numbers() == ["254", "256", "258"]
    page.mouse.up()
    page.focus(".pe-slide")
    page.keyboard.press("ArrowRight")
    assert position(page) == 260
    assert numbers() == ["258", "260", "262"]


def around(page: Page, *degrees: float) -> list[tuple[float, float]]:
    """Places on the dial, counter-clockwise from 3 o'clock."""
    box = page.locator(".pe-hand-read svg").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    angles = [math.radians(each) for each in degrees]
    return [(x + 40 * math.cos(angle), y - 40 * math.sin(angle)) for angle in angles]


def test_the_hand_is_turned_by_mouse(page: Page) -> None:
    start, *way = around(page, *range(0, 801, 40))  # 800 degrees, at 57.3 a position
    page.mouse.move(*start)
    page.mouse.down()
    for at in way:
        page.mouse.move(*at)
    page.mouse.up()
    page.mouse.move(*start)
    assert position(page) == 255 + 14


def test_the_hand_is_turned_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    start, *way = around(page, 180, 90, 0, -90)  # clockwise
    for kind, points in [("touchStart", [start]), *(("touchMove", [at]) for at in way)]:
        touches = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert position(page) == 255 - 5


def test_the_exact_hand_turns_and_the_rounded_one_stands_still_or_jumps(page: Page) -> None:
    """The exact hand ends in a knob; the rounded one is a line, and between them may be a wedge."""
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(TRAVELS)
    page.focus(".pe-slide")
    for travels in (
        ["g", "line"],  # to 256: both turn
        ["g", "path"],  # to 257: the rounded one stands still
        ["g", "path"],  # to 258: it jumps
    ):
        page.keyboard.press("ArrowRight")
        assert page.evaluate("travels.splice(0)") == travels
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("travels") == []


def test_the_slider_never_sticks(page: Page) -> None:
    """Its steps are ever larger; dragged from one whole number it must always come to another."""
    slider = page.locator("[data-input=position]")
    seen = slider.evaluate(DRAGGED_OVER, 200)
    assert seen[0] == 32
    assert seen == sorted(set(seen))
    slider.press("End")
    assert position(page) == 131072


def test_arrow_keys_move_the_slider_by_one_position(page: Page) -> None:
    slider = page.locator("[data-input=position]")
    for key, expected in (
        ("ArrowRight", 256),
        ("ArrowUp", 257),
        ("ArrowLeft", 256),
        ("ArrowDown", 255),
        ("End", 131072),
        ("ArrowRight", 131072),
        ("Home", 32),
        ("ArrowLeft", 32),
    ):
        slider.press(key)
        assert position(page) == expected, key

"""How the curve of PositionSimilarity is dragged along the positions, and what travels."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, PositionSimilarity
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import card_height, each_width
from tests.figures.moving import arrived, count, started

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
CURVE = ".pe-slide svg > path"


def marks(page: Page) -> list[str]:
    return page.locator(".pe-slide .pe-pill text").all_text_contents()


def middle(page: Page, mark: int) -> tuple[float, float]:
    box = page.locator(".pe-slide .pe-pill rect").nth(mark).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def beside(place: tuple[float, float], by: float) -> tuple[float, float]:
    return place[0] + by, place[1]


def curve(page: Page) -> list[list[float]]:
    """The places of the curve's points in the picture."""
    points = page.locator(CURVE).get_attribute("d")[1:].split("L")
    return [[float(x) for x in point.split(",")] for point in points]


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_anchor_takes_its_curve_along(by: Callable, opened: Open) -> None:
    page = opened(PositionSimilarity(dim=64, anchor=20))
    assert marks(page) == ["anchor 20", "position 50"]
    before = curve(page)
    by(page, middle(page, 0), beside(middle(page, 0), 300))
    page.mouse.up()
    anchor, position = marks(page)
    moved = int(anchor.removeprefix("anchor "))
    assert 100 < moved < 140
    assert position == f"position {moved + 30}"
    assert page.locator("[data-input=anchor]").input_value() == str(moved)
    after = curve(page)[moved - 20 :]  # from the same offset on
    away = after[0][0] - before[0][0]
    assert away > 200
    assert all(
        abs(now[0] - was[0] - away) < 0.1 and abs(now[1] - was[1]) < 0.1
        for was, now in zip(before, after, strict=False)
    )
    ghost = page.locator(".pe-slide svg > polyline[stroke-dasharray]")
    stayed = [float(x) for x in ghost.get_attribute("points").split(" ")[0].split(",")]
    assert stayed == before[0]
    page.locator(".pe-reset").click()
    assert ghost.count() == 0
    assert page.evaluate("getSelection().toString()") == ""


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_position_that_is_compared_is_dragged(by: Callable, opened: Open) -> None:
    page = opened(PositionSimilarity(dim=64, anchor=20))
    page.locator(".pe-show").click()
    by(page, middle(page, 1), beside(middle(page, 1), 60))
    page.mouse.up()
    anchor, position = marks(page)
    assert anchor == "anchor 20"
    number = int(position.removeprefix("position "))
    assert 60 < number < 80
    words = page.locator(".pe-words").text_content()
    assert words.startswith(f"PE(20) · PE({number}) = ")
    assert f"here {number - 20}, and −{number - 20} gives the same." in words
    for _ in range(14):
        page.locator(".pe-slide").press("ArrowUp")
    assert marks(page) == ["anchor 20", "position 200"]  # the curve's end
    page.locator(".pe-slide").press("ArrowLeft")
    assert marks(page) == ["anchor 20", "position 199"]


def test_both_marks_can_be_taken_hold_of_where_they_meet(opened: Open) -> None:
    page = opened(PositionSimilarity(anchor=20))
    drag_by_mouse(page, middle(page, 1), (middle(page, 0)[0], middle(page, 1)[1]))
    page.mouse.up()
    assert marks(page) == ["anchor 20", "position 20"]
    drag_by_mouse(page, middle(page, 0), beside(middle(page, 0), 100))
    page.mouse.up()
    anchor, position = marks(page)
    assert anchor.removeprefix("anchor ") == position.removeprefix("position ") != "20"
    drag_by_mouse(page, middle(page, 1), beside(middle(page, 1), 60))
    page.mouse.up()
    assert marks(page)[0] == anchor
    assert marks(page)[1] != position


def test_a_switch_moves_the_curves(opened: Open) -> None:
    page = opened(PositionSimilarity())
    count(page)
    page.locator("[data-input=projected]").check()
    assert started(page) == 1 + 4 + 2  # the curve, the other anchors', two dots
    arrived(page)
    page.locator("[data-input=anchor]").press("ArrowRight")
    assert started(page) == 0  # what is dragged follows at once
    page.emulate_media(reduced_motion="reduce")
    page.locator("[data-input=projected]").uncheck()
    assert started(page) == 0


def test_with_the_answer_the_other_anchors_curves_slide_to_this_one(opened: Open) -> None:
    page = opened(PositionSimilarity())
    count(page)
    page.locator(".pe-show").click()
    assert started(page) == 4 + 1  # and together they fade
    cut_off_at = float(page.locator(".pe-slide svg svg").get_attribute("x"))
    assert cut_off_at == curve(page)[0][0]


def test_they_slide_too_when_the_first_drag_ends_the_asking(opened: Open) -> None:
    page = opened(PositionSimilarity())
    count(page)
    anchor = page.locator("[data-input=anchor]")
    anchor.evaluate(
        """(input) => {
          for (input.value of [60, 61]) input.dispatchEvent(new Event("input"));
        }"""
    )
    assert started(page) == 2 * (4 + 1)  # they go on in the second drawing
    arrived(page)
    anchor.press("ArrowRight")
    assert started(page) == 0


@each_width
def test_the_card_fits_and_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(PositionSimilarity(dim=64, anchor=20))
    height = card_height(page, width)
    start = height()
    page.locator(".pe-show").click()
    for key in ("Home", "End"):
        page.locator("[data-input=anchor]").press(key)
        page.locator("[data-input=projected]").press("Space")
        page.locator(".pe-slide").press("ArrowDown")
        assert height() == start

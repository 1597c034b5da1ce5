"""In RotaryScore a guess and the distance that k is tuned to are dragged, and vectors drawn."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import RotaryScore
from pe_lib.figures.rope_by_hand.rotary_score import SAMPLE
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
    assert moving.started(page) == 22  # hands and angles of seven pairs, and the curve
    moving.arrived(page)
    page.emulate_media(reduced_motion="reduce")
    page.click("input[value=random]")
    assert moving.started(page) == 0


def test_a_new_draw_travels_from_the_one_before(page: Page) -> None:
    moving.count(page)
    page.click("text=New draw")
    assert moving.started(page) == 22  # hands and angles of seven pairs, and the curve
    page.click("input[value=random]")
    moving.arrived(page)
    moving.started(page)
    page.click("text=New draw")
    assert moving.started(page) == 1  # the curve alone: random hands are not drawn
    assert page.input_value("label:has([data-input=draw]) input[type=number]") == "2"


def test_after_the_last_draw_comes_the_first(opened: Callable[..., Page]) -> None:
    page = opened(RotaryScore(vectors="random", draw=SAMPLE - 1))
    page.click(".pe-show")
    page.click("text=New draw")
    assert page.input_value("label:has([data-input=draw]) input[type=number]") == "0"


def test_only_what_is_tuned_has_a_handle(opened: Callable[..., Page]) -> None:
    page = opened(RotaryScore(vectors="equal", reach=REACH))
    page.mouse.move(*at(page, 37))
    page.mouse.down()
    page.mouse.move(*at(page, 60), steps=3)
    page.mouse.up()
    assert page.is_checked("input[value=equal]")
    assert tuned(page) == 37
    assert "37" not in page.text_content(".pe-slide svg")


def test_the_typical_size_is_guessed(opened: Callable[..., Page]) -> None:
    page = opened(RotaryScore(vectors="random", reach=REACH))
    picture = page.locator(".pe-slide svg")
    assert picture.text_content().endswith("as large?smaller?your guess")
    page.mouse.move(*at(page, 80))
    page.mouse.down()
    pulled = picture.inner_html()
    page.mouse.move(at(page, 80)[0], at(page, 80)[1] + 20)
    page.mouse.up()
    assert picture.inner_html() != pulled
    assert page.is_visible(".pe-show")  # a guess gives nothing away
    assert picture.text_content().endswith("your guess")
    dragged = picture.inner_html()
    page.focus(".pe-slide")
    page.keyboard.press("ArrowDown")
    assert picture.inner_html() != dragged
    page.click(".pe-show")
    assert picture.text_content().endswith("your guess")
    page.click("input[value=tuned]")
    assert picture.text_content().endswith("tuned to 37")


def test_random_vectors_show_only_what_is_near_before_the_answer(
    opened: Callable[..., Page],
) -> None:
    given = ".pe-slide svg > path[fill=none]"
    page = opened(RotaryScore(vectors="random", reach=REACH))
    [path] = page.locator(given).evaluate_all("all => all.map((e) => e.getAttribute('d'))")
    assert path.count("L") == 15
    page.click(".pe-show")
    assert not page.locator(given).count()
    assert not opened(RotaryScore(vectors="equal")).locator(given).count()


def test_the_answer_runs_over_the_guess(opened: Callable[..., Page]) -> None:
    page = opened(RotaryScore(vectors="random", reach=REACH))
    page.emulate_media(reduced_motion="no-preference")
    [[start]] = page.locator(".pe-show").evaluate(
        """(show) => {
          show.click();
          return document.getAnimations().map((one) => one.effect.getKeyframes());
        }"""
    )
    assert start["clipPath"].startswith("inset(0px ")
    moving.arrived(page)


def test_at_rest_there_is_nothing_but_the_guess_to_drag(opened: Callable[..., Page]) -> None:
    page = opened(RotaryScore(vectors="random", reach=REACH))
    height = page.locator(".pe-root").bounding_box()["height"]
    others = [
        page.locator(".pe-many-hands"),
        page.locator("[data-input=tuned_to]"),
        page.locator("text=New draw"),
    ]
    assert not any(other.is_visible() for other in others)
    page.click("input[value=tuned]")
    assert all(other.is_visible() for other in others)
    assert page.locator(".pe-root").bounding_box()["height"] == height


def test_a_guess_reads_no_distance(opened: Callable[..., Page]) -> None:
    page = opened(RotaryScore(vectors="random", reach=REACH))
    page.mouse.move(*at(page, 20))
    page.click(".pe-show")
    assert page.inner_text(".pe-words").startswith("At distance 100 ")

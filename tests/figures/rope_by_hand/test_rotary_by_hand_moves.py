"""The tokens of RotaryByHand are moved by mouse, by finger and by keyboard."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import RotaryByHand
from tests.figures import moving
from tests.figures.card import resize

pytestmark = pytest.mark.browser
SCORE = "−0.7712"  # at offset 2, wherever
INPUTS = ("position", "offset")


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    """A page with the figure, without motion: the query at position 1, the key at 3."""
    page = opened(RotaryByHand())
    page.emulate_media(reduced_motion="reduce")
    page.wait_for_selector(".pe-track text")
    return page


def middle(page: Page, name: str) -> tuple[float, float]:
    """The middle of the handle "q", "both" or "k", or of the place above a position's number."""
    box = page.locator(".pe-track").get_by_text(name, exact=True).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, name: str, positions: int) -> None:
    """Take a handle, move it so many positions, hold it."""
    x, y = middle(page, name)
    cell = (middle(page, "20")[0] - middle(page, "10")[0]) / 10
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + positions * cell, y, steps=7)


def placed(page: Page) -> tuple[float, float]:
    """The positions of query and key."""
    boxes = (page.locator(f"label:has([data-input={name}]) input[type=number]") for name in INPUTS)
    position, offset = (float(box.input_value()) for box in boxes)
    return position, position + offset


def score(page: Page) -> str:
    return page.inner_text(".pe-score b")


def dials(page: Page) -> str:
    return page.inner_html(".pe-hands")


def put_query(page: Page, position: str) -> None:
    """By the number beside the slider, which opens under More."""
    if not page.locator(".pe-more[open]").count():
        page.click(".pe-more > summary")
    box = page.locator("label:has([data-input=position]) input[type=number]")
    box.fill(position)
    box.press("Enter")


def test_both_dragged_the_score_stands_still(page: Page) -> None:
    x, y = middle(page, "both")
    before, seen = dials(page), set()
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 60):
        page.mouse.move(x + 4 * step, y)
        assert score(page) == SCORE
        seen.add(dials(page))
    page.mouse.up()
    assert len(seen - {before}) > 40
    query, key = placed(page)
    assert (query > 8, key - query) == (True, 2)
    assert query == int(query)


def test_the_key_dragged_alone_moves_the_score(page: Page) -> None:
    drag(page, "k", 5)
    page.mouse.up()
    assert placed(page) == (1, 8)
    assert score(page) != SCORE
    drag(page, "k", -4)
    page.mouse.up()
    assert placed(page) == (1, 4)
    assert score(page) == "−0.1934"
    page.mouse.move(*middle(page, "20"))  # nothing is held any more
    assert placed(page) == (1, 4)


def test_the_query_dragged_alone_leaves_the_key(page: Page) -> None:
    drag(page, "q", 4)
    page.mouse.up()
    assert placed(page) == (5, 3)
    assert score(page) == "0.1056"


def test_a_token_slides_and_stands_at_a_whole_position_when_let_go(page: Page) -> None:
    x, y = middle(page, "k")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y)
    assert placed(page)[1] % 1 != 0
    page.mouse.up()
    assert placed(page)[1] % 1 == 0


def test_tokens_stay_within_reach(page: Page) -> None:
    drag(page, "both", -9)
    page.mouse.up()
    assert placed(page) == (0, 2)
    drag(page, "k", 22)
    page.mouse.up()
    assert placed(page) == (0, 12)
    drag(page, "q", 22)
    page.mouse.up()
    assert placed(page) == (22, 12)


def test_dragged_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    x, y = middle(page, "both")
    cell = (middle(page, "20")[0] - middle(page, "10")[0]) / 10
    path = [(x + cell * n, y) for n in (0, 2, 4, 6)]
    for kind, points in [("touchStart", path[:1])] + [("touchMove", [at]) for at in path[1:]]:
        touches = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert placed(page) == (7, 9)
    assert score(page) == SCORE


def slide(page: Page, offset: int) -> list[tuple[float, float]]:
    """The way of the curve's dot to another offset."""
    dot = page.locator(".pe-slide circle[r='7']").bounding_box()
    x, y = dot["x"] + dot["width"] / 2, dot["y"] + dot["height"] / 2
    ticks = [page.locator(".pe-slide").get_by_text(name, exact=True) for name in ("0", "10")]
    zero, ten = (tick.first.bounding_box() for tick in ticks)
    cell = (ten["x"] + ten["width"] / 2 - zero["x"] - zero["width"] / 2) / 10
    way = (offset - placed(page)[1] + placed(page)[0]) * cell
    return [(x + part * way, y) for part in (0, 0.4, 0.8, 1)]


def test_the_dot_on_the_curve_is_dragged_by_mouse(page: Page) -> None:
    start, *way = slide(page, 7)
    page.mouse.move(*start)
    page.mouse.down()
    for at in way:
        page.mouse.move(*at)
    page.mouse.up()
    assert placed(page) == (1, 8)
    assert score(page) != SCORE


def test_the_dot_on_the_curve_is_dragged_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    start, *way = slide(page, -9)
    for kind, points in [("touchStart", [start]), *(("touchMove", [at]) for at in way)]:
        touches = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert placed(page) == (1, -8)
    assert score(page) != SCORE


def test_other_pairs_let_the_hands_travel(page: Page) -> None:
    page.click(".pe-more > summary")
    moving.count(page)
    page.click("input[value=permuted]")
    assert moving.started(page) == 9  # two hands and an angle in each dial
    moving.arrived(page)
    assert score(page) == "−3.3294"
    page.emulate_media(reduced_motion="reduce")
    page.click("input[value=half-split]")
    assert (moving.started(page), score(page)) == (0, SCORE)


WATCH = """() => {
  const text = (name) => document.querySelector(name).textContent;
  window.seen = [];
  new MutationObserver(() => seen.push([text(".pe-score b"), text(".pe-words")]))
    .observe(document.querySelector(".pe-hands"), { childList: true });
}"""


def test_a_click_lets_both_travel_with_one_score(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(WATCH)
    page.mouse.click(middle(page, "10")[0], middle(page, "both")[1])
    page.wait_for_function("seen.length && seen.at(-1)[1].startsWith('q is at position 9,')")
    seen = page.evaluate("seen")
    assert len({words for _, words in seen}) > 2
    assert {score for score, _ in seen} == {SCORE}
    page.mouse.click(middle(page, "5")[0], middle(page, "both")[1])
    page.focus(".pe-track")
    page.keyboard.press("ArrowLeft")  # it sets out from where the click leads
    page.wait_for_function("seen.at(-1)[1].startsWith('q is at position 3,')")
    page.keyboard.press("ArrowRight")
    page.click(".pe-reset")  # while they travel
    page.wait_for_timeout(400)
    assert placed(page) == (1, 3)


def test_moved_by_keyboard(page: Page) -> None:
    page.focus(".pe-track")
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):  # both
        page.keyboard.press(key)
    assert (placed(page), score(page)) == ((2, 4), SCORE)
    for key in ("ArrowDown", "ArrowDown", "ArrowRight"):  # the key
        page.keyboard.press(key)
    assert placed(page) == (2, 5)
    assert page.get_attribute(".pe-track", "aria-label").endswith("Now the key.")
    for key in ("ArrowUp", "ArrowUp", "ArrowRight"):  # the query
        page.keyboard.press(key)
    assert (placed(page), score(page)) == ((3, 5), SCORE)


def test_a_click_brings_the_token_of_that_height(page: Page) -> None:
    page.mouse.click(middle(page, "10")[0], middle(page, "k")[1])
    assert placed(page) == (1, 10)
    page.mouse.click(middle(page, "5")[0], middle(page, "q")[1])
    assert placed(page) == (5, 10)


def test_the_view_follows_the_tokens(page: Page) -> None:
    for position, first in (("100", "80"), ("0", "0")):
        put_query(page, position)
        assert page.locator(".pe-track").get_by_text(first, exact=True).is_visible()
        assert score(page) == SCORE


def test_a_vertical_swipe_scrolls_and_moves_nothing(page: Page) -> None:
    put_query(page, "1.5")
    resize(page, 700, 300)
    page.evaluate("scrollTo(0, 0)")
    fingers = page.context.new_cdp_session(page)
    x, y = middle(page, "15")
    for kind, up in (("touchStart", 0), *(("touchMove", 20 * n) for n in range(1, 5))):
        touches = [{"x": x, "y": y - 40 - up}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function("scrollY > 0")
    assert placed(page) == (1.5, 3.5)

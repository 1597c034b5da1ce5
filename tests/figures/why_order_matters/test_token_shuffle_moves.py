"""Words of TokenShuffle are moved by mouse, by finger and by keyboard, and refusals are said."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import TokenShuffle
from tests.figures.moving import arrived, count, started

pytestmark = pytest.mark.browser


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    """A page with the figure, its words as typed."""
    page = opened(TokenShuffle(order=""))
    page.wait_for_selector(".pe-moving .pe-grip")
    return page


def order(page: Page) -> str:
    words = page.locator(".pe-moving .pe-grip").all_inner_texts()
    return " ".join(words)


def middle(page: Page, place: int) -> tuple[float, float]:
    """Measured in one step, as the words may be drawn again between two."""
    box = page.evaluate(
        "n => document.querySelectorAll('.pe-moving .pe-grip')[n].getBoundingClientRect().toJSON()",
        place,
    )
    return box["x"] + 15, box["y"] + box["height"] / 2


def test_dragged_by_mouse(page: Page) -> None:
    page.mouse.move(*middle(page, 1))
    page.mouse.down()
    page.mouse.move(*middle(page, 5), steps=8)
    assert order(page) == "the sat on the mat cat"
    page.mouse.move(*middle(page, 0), steps=8)
    page.mouse.up()
    assert order(page) == "cat the sat on the mat"
    page.mouse.move(*middle(page, 3))  # nothing is held any more
    assert order(page) == "cat the sat on the mat"
    assert "“cat” went from place 1 to 0: its output is the same." in page.inner_text(".pe-words")


def test_dragged_by_finger(page: Page) -> None:
    fingers = page.context.new_cdp_session(page)
    path = [middle(page, place) for place in (4, 3, 2)]
    for kind, points in [("touchStart", path[:1])] + [("touchMove", [at]) for at in path[1:]]:
        touches = [{"x": x, "y": y} for x, y in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert order(page) == "the cat the sat on mat"


def test_moved_by_keyboard(page: Page) -> None:
    page.focus(".pe-moving")
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    assert order(page) == "the cat the on sat mat"


def test_words_travel_with_their_strands_and_the_one_that_is_dragged_follows(page: Page) -> None:
    count(page)
    page.mouse.move(*middle(page, 1))
    page.mouse.down()
    assert started(page) == 0
    page.mouse.move(*middle(page, 2))
    assert order(page) == "the sat cat on the mat"
    assert started(page) == 2 + 1  # two strands, and the word that makes room
    page.mouse.up()
    arrived(page)
    page.get_by_role("button", name="As typed").click()
    assert started(page) == 2 + 2
    arrived(page)
    page.locator("[data-input=causal]").click()
    assert started(page) == 6 + 6  # outputs and strands
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Shuffle", exact=True).click()
    assert started(page) == 0


def test_shuffles_are_the_same_every_time(page: Page) -> None:
    seen = []
    for _ in range(2):
        page.get_by_role("button", name="As typed").click()
        for _ in range(4):
            page.get_by_role("button", name="Shuffle", exact=True).click()
            seen.append(order(page))
    assert seen[:4] == seen[4:]
    assert len(set(seen)) == 4
    page.get_by_role("button", name="Shuffle all but the last").click()
    assert order(page).endswith("mat")
    assert order(page) not in ("the cat sat on the mat", *seen)


def test_a_shuffle_never_ends_as_typed(page: Page) -> None:
    """From the twin, where the figure starts, it once did: nothing could change in that order."""
    page.locator(".pe-more > summary").click()
    field = page.locator("[data-input=order]")
    for button in ("Shuffle", "Shuffle all but the last"):
        field.fill("0 5 2 3 4 1")
        page.get_by_role("button", name=button, exact=True).click()
        assert order(page) not in ("the cat sat on the mat", "the mat sat on the cat")


def test_two_words_change_places_and_back(page: Page) -> None:
    page.locator("[data-input=sentence]").fill("you too")
    for shuffled in ("too you", "you too", "too you"):
        page.get_by_role("button", name="Shuffle", exact=True).click()
        assert order(page) == shuffled


def test_the_readers_own_sentence(page: Page) -> None:
    field, alert = page.locator("[data-input=sentence]"), page.locator(".pe-alert")
    field.fill("")
    assert alert.inner_text() == "sentence: this figure draws 1 to 12 words, got 0"
    field.fill("no " * 40)
    assert alert.inner_text() == "sentence: this figure draws 1 to 12 words, got 40"
    field.fill("You love me, 😀!")
    assert alert.is_hidden()
    assert order(page) == "You love me 😀"
    field.fill("<b>bold</b>")
    assert order(page) == "<b>bold</b>"

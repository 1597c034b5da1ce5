"""What AlibiBias says, how it is moved, and where its sliders end."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import AlibiBias, Figure
from tests.book.test_controls import drag_by_mouse
from tests.browser_support import drag_by_touch
from tests.figures.card import card_height, each_width
from tests.figures.moving import arrived

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
RIBBON = ".pe-ribbons path:has(+ g)"
SAID = {
    "Head 3, slope 1/8: 1\u00a0% after 36.8 tokens. "
    "99.1\u00a0% of its weight lies within them.": {},
    "Head 1, slope 1/2: 1\u00a0% after 9.2 tokens. 99.3\u00a0% of its weight": {"head": 1},
    "Head 8, slope 1/256: 1\u00a0% after 1,179 tokens. This text has fewer: its first token still "
    "gets 80.7\u00a0% of the nearest token's weight.": {"head": 8},
    "gets 94.3\u00a0% of": {"head": 8, "length": 16},
    "Head 9, slope 0.707: 1\u00a0% after 6.5 tokens.": {"heads": 12, "head": 9},
    "Head 3, slope 0.184 instead of its own: 1\u00a0% after 25 tokens.": {"reach": 25},
    "But the query is taken for position 0: it sees nothing but the first token.": {
        "offset": False
    },
    "But the query is taken for position 0: it looks at the text's beginning.": {
        "offset": False,
        "causal": False,
    },
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    assert words in opened(AlibiBias(**SAID[words])).locator(".pe-words").text_content()


def value(page: Page, name: str) -> int:
    return int(page.locator(f".pe-slider:has([data-input={name}]) [type=number]").input_value())


def at(page: Page, token: float, head: int | None = None) -> tuple[float, float]:
    """Where a token is on the text, or on the ribbon of one of eight heads."""
    box = page.locator(".pe-ribbons").bounding_box()
    room = box["width"] - 152
    x = box["x"] + 86 + room * (0.24 + 0.76 * (token + 0.5) / 64)
    return x, box["y"] + (20 if head is None else 40 + (head - 0.5) * 264 / 8)


def outlines(page: Page) -> list[str]:
    """The ribbons' outlines, where they will have arrived."""
    return page.locator(RIBBON).evaluate_all("all => all.map((r) => r.getAttribute('d'))")


each_pointer = pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch], ids=["mouse", "touch"])


@each_pointer
def test_the_query_is_dragged_along_the_text(by: Callable, opened: Open) -> None:
    page = opened(AlibiBias())
    ribbons = outlines(page)
    by(page, at(page, 55), at(page, 20))
    assert value(page, "length") == 21
    assert not {*ribbons} & {*outlines(page)}
    assert "This text has fewer" in page.locator(".pe-words").text_content()
    page.mouse.up()
    by(page, at(page, 20), at(page, 90))
    assert value(page, "length") == 64
    assert page.evaluate("getSelection().toString()") == ""


@each_pointer
def test_a_ribbon_s_mark_is_dragged_to_another_slope(by: Callable, opened: Open) -> None:
    page = opened(AlibiBias())
    words = page.locator(".pe-words")
    by(page, at(page, 18, head=3), at(page, 45, head=3))
    assert value(page, "reach") == 10
    assert words.text_content().startswith(
        "Head 3, slope 0.461 instead of its own: 1\u00a0% after 10 tokens."
    )
    page.mouse.up()
    by(page, at(page, 2, head=8), at(page, 15, head=8))  # its mark was before the text
    assert (value(page, "head"), value(page, "reach")) == (8, 40)
    assert words.text_content().startswith("Head 8,")
    page.mouse.up()
    page.mouse.click(*at(page, 30, head=2))  # without dragging, it is chosen as it is
    assert (value(page, "head"), value(page, "reach")) == (2, 0)


def test_the_query_and_the_head_are_moved_by_keys(opened: Open) -> None:
    page = opened(AlibiBias())
    for key in ("ArrowLeft", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft"):
        page.locator(".pe-ribbons").press(key)
    assert (value(page, "length"), value(page, "head")) == (54, 4)


def test_a_forgotten_offset_moves_the_ribbons_to_the_beginning(opened: Open) -> None:
    page = opened(AlibiBias(offset=False))
    corners = outlines(page)[0].strip("MZ").split("L")
    places = {float(corner.split(",")[0]) for corner in corners}
    assert max(places) < 250  # the first token alone
    assert page.locator(f"{RIBBON} ~ text").all_text_contents() == [""] * 8


def test_ribbons_travel_unless_motion_is_reduced(opened: Open) -> None:
    page = opened(AlibiBias(head=8))
    page.locator(".pe-show").click()
    # Counted in the same step as the key: a moment later they may have arrived.
    left = """(all) => {
      const key = new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true });
      all[0].closest(".pe-ribbons").dispatchEvent(key);
      return all.flatMap((ribbon) => ribbon.getAnimations()).length;
    }"""
    for motion, travelling in (("no-preference", 8), ("reduce", 0)):
        arrived(page)
        page.emulate_media(reduced_motion=motion)
        assert page.locator(RIBBON).evaluate_all(left) == travelling


@each_pointer
def test_a_mark_before_the_text_has_a_handle(by: Callable, opened: Open) -> None:
    page = opened(AlibiBias(head=8))
    page.locator(".pe-show").click()
    arrived(page)
    handle = page.locator(f"{RIBBON} ~ g circle")
    box = handle.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    by(page, (x, y), (x + 30, y))
    assert 56 < value(page, "reach") < 1000
    arrived(page)
    box = handle.bounding_box()
    assert box["x"] + box["width"] / 2 == pytest.approx(x + 30, abs=1.5)


def test_show_unrolls_the_ribbons_in_turn_unless_motion_is_reduced(opened: Open) -> None:
    lasting = """(show, ribbon) => {
      show.click();
      return [...document.querySelectorAll(ribbon)]
        .flatMap((each) => each.getAnimations().map((it) => it.effect.getTiming().duration));
    }"""
    for motion in ("no-preference", "reduce"):
        page = opened(AlibiBias(head=8))
        page.emulate_media(reduced_motion=motion)
        durations = page.locator(".pe-show").evaluate(lasting, RIBBON)
        assert durations == sorted(durations)
        assert all(ms <= 900 for ms in durations)
        assert bool(durations) == (motion == "no-preference")


def test_the_head_s_slider_ends_at_the_number_of_heads(opened: Open) -> None:
    page = opened(AlibiBias(head=8))

    def head() -> list[str]:
        boxes = page.locator(".pe-control:has([data-input=head]) input")
        return boxes.evaluate_all("all => all.flatMap((box) => [box.value, box.max])")

    heads = page.locator(".pe-control:has([data-input=heads]) [type=number]")
    assert head() == ["7", "7", "8", "8"]  # the slider counts its steps from 0
    heads.fill("6")
    heads.press("Enter")
    assert head() == ["5", "5", "6", "6"]
    assert page.locator(".pe-words").inner_text().startswith("Head 6,")
    heads.fill("32")
    heads.press("Enter")
    assert head() == ["7", "31", "8", "32"]
    assert page.locator(".pe-words").inner_text().startswith("Head 8,")


@each_width
def test_the_card_fits_and_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(AlibiBias())
    height = card_height(page, width)
    start = height()
    page.locator(".pe-show").click()
    heads = page.locator(".pe-slider:has([data-input=heads]) [type=number]")
    for count in ("1", "12", "32"):
        heads.fill(count)
        heads.press("Enter")
        for _ in range(int(count)):
            page.locator(".pe-ribbons").press("ArrowDown")
            assert height() == start

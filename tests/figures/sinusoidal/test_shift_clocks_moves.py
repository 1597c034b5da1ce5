"""How the hands of ShiftClocks are dragged, and what stands below its dials."""

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, ShiftClocks
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import card_height
from tests.figures.moving import arrived, count, started

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]


def value(page: Page, name: str) -> float:
    box = page.locator(f".pe-slider:has([data-input={name}]) [type=number]")
    return float(box.input_value())


def on_dial(page: Page, pair: int, angle: float, part: float = 0.7) -> tuple[float, float]:
    """A place on a dial, by its angle in radians clockwise from 12."""
    box = page.locator(".pe-dials svg").nth(pair).locator("circle").first.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    away = part * box["width"] / 2
    return x + away * math.sin(angle), y - away * math.cos(angle)


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_second_hand_is_dragged_to_another_shift(by: Callable, opened: Open) -> None:
    page = opened(ShiftClocks(dim=8, position=3, shift=5))
    by(page, on_dial(page, 0, 8), on_dial(page, 0, 10))
    page.mouse.up()
    assert (value(page, "position"), value(page, "shift")) == (3, 7)


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_the_first_hand_is_dragged_to_another_position(by: Callable, opened: Open) -> None:
    page = opened(ShiftClocks(dim=8, position=3, shift=5))
    by(page, on_dial(page, 0, 3, 0.6), on_dial(page, 0, 4, 0.6))
    page.mouse.up()
    assert (value(page, "position"), value(page, "shift")) == (4, 5)


def test_a_hand_is_dragged_round_and_round_as_far_as_the_slider_reaches(opened: Open) -> None:
    page = opened(ShiftClocks(dim=8, position=3, shift=5))
    page.mouse.move(*on_dial(page, 0, 8))
    page.mouse.down()
    for angle in range(9, 19):
        page.mouse.move(*on_dial(page, 0, angle))
        assert value(page, "shift") == angle - 3
    for angle in range(19, 80):
        page.mouse.move(*on_dial(page, 0, angle))
    assert value(page, "shift") == 50


def test_a_slow_hand_moves_by_many_positions(opened: Open) -> None:
    page = opened(ShiftClocks(dim=8, position=3, shift=5))
    page.mouse.move(*on_dial(page, 1, 0.8))
    page.mouse.down()
    page.mouse.move(*on_dial(page, 1, 1.8))
    assert value(page, "shift") == 15
    assert page.locator(".pe-words").text_content().startswith("Pair 1 turns once in 62.8 ")


def test_neighbouring_dials_cannot_be_confused(opened: Open) -> None:
    page = opened(ShiftClocks(dim=8))
    texts = page.locator(".pe-dials text").all_text_contents()
    assert [text for text in texts if text.endswith(" positions")] == [
        "6.28 positions",
        "62.8 positions",
        "628 positions",
        "6,283 positions",
    ]


def test_hands_fall_to_their_sines_and_rise_again_and_turn_as_it_plays(opened: Open) -> None:
    page = opened(ShiftClocks(dim=8))
    cosine = page.locator("[data-input=cosine]")
    count(page)
    cosine.uncheck()
    assert started(page) == 4 * 2  # two sines in each clock
    arrived(page)
    cosine.check()
    assert started(page) == 4
    arrived(page)
    page.locator("[data-input=shift]").press("ArrowRight")
    assert started(page) == 0  # what is dragged follows at once
    page.get_by_role("button", name="Play").click()
    assert started(page) == 4
    page.get_by_role("button", name="Pause").click()
    page.emulate_media(reduced_motion="reduce")
    cosine.uncheck()
    assert started(page) == 0


def test_it_asks_in_words_until_a_hand_is_turned(opened: Open) -> None:
    page = opened(ShiftClocks(dim=8, position=3, shift=5))
    bar = page.locator(".pe-bar > :first-child")
    assert bar.text_content() == "A shift by 5: where does each hand go? Turn one."
    drag_by_mouse(page, on_dial(page, 0, 3, 0.7), on_dial(page, 0, 4, 0.7))
    page.mouse.up()
    assert bar.locator("span").all_text_contents() == [
        "hand at 4",
        "hand at 9",
        "turn by T(5), up to the ring",
    ]


@pytest.mark.parametrize("width", [359, 692])
def test_the_card_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(ShiftClocks())
    height = card_height(page, width)
    start = height()
    page.locator(".pe-show").click()
    assert height() == start
    for name, key in [("cosine", "Space"), ("shift", "Home"), ("cosine", "Space")]:
        page.locator(f"[data-input={name}]").press(key)
        assert height() == start

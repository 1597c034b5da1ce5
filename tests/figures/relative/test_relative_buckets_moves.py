"""What RelativeBuckets says, and how its keys are moved."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, RelativeBuckets
from pe_lib.figures.relative.relative_buckets import REACH
from tests.book.test_controls import drag_by_mouse
from tests.browser_support import drag_by_touch
from tests.figures.card import boxes, card_height, each_width, resize

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]

SAID = {
    "Keys 128 and 10,000 tokens back share bucket 31, which holds 113 and beyond.": {},
    "A key 90 tokens back is in bucket 29, which holds 87 to 98; one 9,000 back is in bucket 31": {
        "near": 90,
        "far": 9000,
    },
    "Keys 91 and 10,000 tokens back share bucket 15, which holds 91 and beyond.": {
        "near": 91,
        "bidirectional": True,
    },
    "A key 90 tokens back is in bucket 14, which holds 64 to 90; one": {
        "near": 90,
        "bidirectional": True,
    },
    "A key 7 tokens back is in bucket 7, which holds 7 alone; one 8": {"near": 7, "far": 8},
    "Both keys are 50 tokens back, in bucket 24, which holds 46 to 51.": {"near": 50, "far": 50},
    "Distances up to 15 have a bucket each. Keys ahead are all in bucket 0.": {},
    "Distances up to 7 have a bucket each. As far ahead, the keys are in buckets 31 and 31.": {
        "bidirectional": True
    },
    "is in bucket 32, which holds 32 to 33; one": {"near": 33, "buckets": 64},
    "Distances up to 31 have a bucket each.": {"buckets": 64},
    "told apart up to 30; 31 and all beyond are one.": {"clipped": True},
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    page = opened(RelativeBuckets(**SAID[words]))
    said = page.locator(".pe-words, .pe-note").all_text_contents()
    assert any(words in text for text in said)


def values(page: Page) -> dict[str, int]:
    sliders = page.locator(".pe-slider")
    return dict(
        sliders.evaluate_all(
            "all => all.map((row) => [row.querySelector('[data-input]').dataset.input, "
            "Number(row.querySelector('[type=number]').value)])"
        )
    )


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch], ids=["mouse", "touch"])
def test_keys_and_the_largest_distance_are_dragged(by: Callable, opened: Open) -> None:
    page = opened(RelativeBuckets())
    box = page.locator(".pe-plot").bounding_box()

    def drag(start: float, end: float, y: float) -> dict[str, int]:
        left, width = box["x"], box["width"]
        by(page, (left + start * width, box["y"] + y), (left + end * width, box["y"] + y + 4))
        page.mouse.up()
        return values(page)

    first = drag(0.55, 0.3, 100)
    assert 1 < first["near"] < 20
    assert first["far"] == REACH
    second = drag(0.9, 0.5, 100)
    assert second["near"] == first["near"]
    assert 30 < second["far"] < 200
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 100)  # not pressed: nothing moves
    assert values(page) == second
    third = drag(0.54, 0.7, 240)  # the mark on the axis
    assert (third["near"], third["far"]) == (second["near"], second["far"])
    assert 300 < third["max_distance"] < 1500
    page.locator(".pe-plot").press("ArrowRight")
    page.locator(".pe-plot").press("ArrowDown")
    assert values(page)["near"] == third["near"] + 1
    assert values(page)["far"] == third["far"] - 1
    assert page.evaluate("getSelection().toString()") == ""


def test_the_nearer_key_is_dragged_on_the_strip(opened: Open) -> None:
    page = opened(RelativeBuckets(near=40))
    box = page.locator(".pe-staircase").nth(1).bounding_box()
    y = box["y"] + box["height"] - 10

    def at(token: int) -> tuple[float, float]:
        return box["x"] + 4.8 * (token + 0.5), y

    drag_by_mouse(page, at(38), at(46))
    assert values(page)["near"] == 46
    assert values(page)["far"] == REACH


@pytest.mark.parametrize(("near", "far"), [(1, 1), (9000, REACH), (REACH, 9500), (40, REACH)])
def test_handles_stand_side_by_side_and_stay_when_they_are_taken(
    near: int, far: int, opened: Open
) -> None:
    page = opened(RelativeBuckets(near=near, far=far))
    resize(page, 390)
    before = values(page)
    plot = page.locator(".pe-plot").bounding_box()
    handles = boxes(page.locator(".pe-plot"), "rect")
    left, right = sorted(handles, key=lambda box: box["x"])
    assert plot["x"] <= left["x"]
    assert left["x"] + left["width"] <= right["x"]
    assert right["x"] + right["width"] <= plot["x"] + plot["width"]
    for box in handles:
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert values(page) == before


@each_width
def test_the_card_fits_and_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(RelativeBuckets())
    height = card_height(page, width)
    start = height()
    page.locator(".pe-show").click()
    page.locator("[data-input=bidirectional]").check()
    near = page.locator(".pe-slider:has([data-input=near]) [type=number]")
    page.locator(".pe-more > summary").click()
    opened_height = height()
    for distance in ("1", "60", "90", "100", "9999"):
        near.fill(distance)
        near.press("Enter")
        assert height() == opened_height
    page.locator("[data-input=clipped]").check()
    page.locator(".pe-more > summary").click()
    assert height() == start

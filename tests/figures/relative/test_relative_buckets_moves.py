"""What RelativeBuckets says, and how its keys are moved."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, RelativeBuckets
from pe_lib.figures.relative.relative_buckets import REACH

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
    "Distances up to 7 have a bucket each. As far ahead, they are in buckets 31 and 31.": {
        "bidirectional": True
    },
    "is in bucket 32, which holds 32 to 33; one": {"near": 33, "buckets": 64},
    "Distances up to 31 have a bucket each.": {"buckets": 64},
    "told apart up to 30; 31 and all beyond are one.": {"clipped": True},
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    assert words in opened(RelativeBuckets(**SAID[words])).locator(".pe-words").text_content()


def test_a_key_is_dragged_in_the_picture(opened: Open) -> None:
    page = opened(RelativeBuckets())
    box = page.locator(".pe-plot").bounding_box()

    def keys() -> list[int]:
        boxes = page.locator(".pe-slider:has([data-input=near], [data-input=far]) [type=number]")
        return [int(value) for value in boxes.evaluate_all("all => all.map((one) => one.value)")]

    def drag(start: float, end: float) -> None:
        page.mouse.move(box["x"] + start * box["width"], box["y"] + 100)
        page.mouse.down()
        page.mouse.move(box["x"] + end * box["width"], box["y"] + 120)
        page.mouse.up()

    drag(0.55, 0.3)
    near, far = keys()
    assert 1 < near < 20
    assert far == REACH
    drag(0.9, 0.5)
    assert keys()[0] == near
    assert 30 < keys()[1] < 200
    before = keys()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 100)  # not pressed: nothing moves
    assert keys() == before
    page.locator(".pe-plot").press("ArrowRight")
    page.locator(".pe-plot").press("ArrowDown")
    assert keys() == [before[0] + 1, before[1] - 1]

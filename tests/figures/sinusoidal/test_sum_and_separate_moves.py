"""How SumAndSeparate is dragged, and what its picture tells of misread sums."""

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, SumAndSeparate
from pe_lib.figures.sinusoidal.sum_and_separate import WORDS
from tests.browser_support import drag_by_mouse, drag_by_touch
from tests.figures.card import boxes, card_height

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]


def scale(page: Page) -> float:
    return float(page.locator(".pe-slider:has([data-input=scale]) [type=number]").input_value())


# In one step, because the picture may be drawn anew between two.
MIDDLE = """(word) => {
  const ring = document.querySelectorAll(`[data-word="${word}"] circle`)[1];
  const { x, y, width, height } = ring.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
}"""


def ring(page: Page, word: int) -> tuple[float, float]:
    x, y = page.evaluate(MIDDLE, word)
    return x, y


def middle(page: Page) -> tuple[float, float]:
    box = page.locator(".pe-cloud .pe-plot svg").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + (box["height"] + 20) / 2


def outwards(page: Page, word: int, by: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """A word's ring, and a place that lies `by` pixels farther out."""
    (x, y), (x0, y0) = ring(page, word), middle(page)
    far = math.hypot(x - x0, y - y0)
    return (x, y), (x + by * (x - x0) / far, y + by * (y - y0) / far)


def scale_by_root(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Scale √dim").click()


THREADS = ".pe-cloud g[data-pe-answer] path"


def lines(page: Page) -> int:
    return page.locator(f"{THREADS}:not([opacity='0'])").count()


@pytest.mark.parametrize("word", [0, 4])
@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch])
def test_a_word_is_dragged_outwards_and_stays_under_the_hand(
    by: Callable, word: int, opened: Open
) -> None:
    page = opened(SumAndSeparate())
    assert scale(page) == 1
    page.mouse.click(*ring(page, word))
    misread = lines(page)
    start, end = outwards(page, word, 25)
    by(page, start, end)
    assert 1.5 < scale(page) < 24
    assert lines(page) < misread
    assert math.dist(ring(page, word), end) < 2
    page.mouse.up()
    there = scale(page)
    page.mouse.move(*start)
    assert scale(page) == there


def test_it_is_dragged_no_farther_than_the_slider_reaches(opened: Open) -> None:
    page = opened(SumAndSeparate(scale=4))
    drag_by_mouse(page, *outwards(page, 1, 300))
    assert scale(page) == 24
    page.mouse.move(*middle(page))
    assert scale(page) == 1


def test_a_red_line_leads_from_each_misread_sum_of_the_word_that_is_looked_at(
    opened: Open,
) -> None:
    for settings in ({}, {"scale": 2.0}, {"scale": 4.0}, {"removed": 5}):
        page = opened(SumAndSeparate(**settings))
        found = SumAndSeparate(**settings).compute("cpu", **values(settings))["nearest_word"]
        for word, row in enumerate(found):
            page.mouse.click(*ring(page, word))
            assert lines(page) == sum(int(n) != word for n in row)


def test_pointing_reads_the_word_that_was_chosen(opened: Open) -> None:
    page = opened(SumAndSeparate(scale=4))
    title = page.locator(".pe-cloud text").first
    assert "“on” + position 25 → which word?" in title.text_content()
    page.locator(".pe-show").click()
    page.mouse.move(*ring(page, 1))
    assert title.text_content().startswith("“on”")
    page.mouse.click(*ring(page, 1))
    assert title.text_content().startswith("“cat”")
    assert title.text_content().endswith("→ “cat”")


def test_what_a_sum_is_taken_for_is_named_where_it_lies(opened: Open) -> None:
    page = opened(SumAndSeparate())
    taker = SumAndSeparate().compute("cpu", **values({}))["nearest_word"][3, 25]
    named = page.locator(".pe-cloud circle[data-pe-answer] + text")
    assert named.text_content() == WORDS[taker]
    assert not named.is_visible()
    page.locator(".pe-show").click()
    assert page.locator(".pe-cloud text").first.text_content().endswith(f"→ “{WORDS[taker]}”")


def test_the_sums_of_the_other_words_come_with_the_answer(opened: Open) -> None:
    page = opened(SumAndSeparate())
    assert page.locator(".pe-plot circle[opacity='0']").count() == 4 * 32
    page.locator(".pe-show").click()
    under_names = page.locator(".pe-plot circle[opacity='0']").count()
    assert under_names < 20


def test_the_key_says_what_the_dots_are_before_the_answer_and_after(opened: Open) -> None:
    page = opened(SumAndSeparate(length=16))
    marks = page.locator(".pe-marks")
    asked = ["“on” alone", "“on” + one of 16 positions", "59 other words"]
    assert marks.inner_text().split("\n") == asked
    page.locator(".pe-show").click()
    assert "finds its word" in marks.inner_text()
    assert "alone" not in marks.inner_text()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_no_name_covers_a_sum_of_the_word_that_is_looked_at(scale: float, opened: Open) -> None:
    page = opened(SumAndSeparate(scale=scale))
    page.wait_for_function("document.getAnimations().length === 0")  # names travel to their place
    names = boxes(page.locator(".pe-plot"), "[data-word] text, svg > path + text")
    assert len(names) == 6  # of five words, and of the position that is added
    for box in boxes(page.locator(".pe-plot"), "circle[opacity='1']"):
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for name in names:
            across = name["x"] < x < name["x"] + name["width"]
            assert not (across and name["y"] < y < name["y"] + name["height"])


def test_the_added_position_is_named_while_the_sum_is_apart_from_its_word(opened: Open) -> None:
    for settings, name in (({}, "+ position 25"), ({"removed": 32}, "")):
        page = opened(SumAndSeparate(**settings))
        assert page.locator(".pe-plot svg > path + text").text_content() == name


def test_the_shorter_distance_decides_and_stands_out(opened: Open) -> None:
    page = opened(SumAndSeparate())
    far = page.locator(".pe-far")
    assert not far.is_visible()
    page.locator(".pe-show").click()
    found = SumAndSeparate().compute("cpu", **values({}))
    own, other = (found[name][3, 25].item() for name in ("own_distance", "rival_distance"))
    rival = WORDS[found["rival"][3, 25]]
    assert far.inner_text().split(":")[1].strip() == f"{own:.2f} to “on”, {other:.2f} to “{rival}”"
    assert "650" in far.locator("span").last.get_attribute("style")
    scale_by_root(page)
    assert "650" in far.locator("span").nth(1).get_attribute("style")


def removed(page: Page) -> int:
    box = page.locator(".pe-slider:has([data-input=removed]) [type=number]")
    return int(box.input_value())


def test_positions_are_removed_one_after_another_unless_motion_is_reduced(opened: Open) -> None:
    page = opened(SumAndSeparate())
    button = page.get_by_role("button", name="Remove all positions")
    button.click()
    assert 0 < removed(page) < 16
    page.wait_for_function("document.querySelector('.pe-words').textContent.startsWith('All 16')")
    page.get_by_role("button", name="Reset").click()
    page.emulate_media(reduced_motion="reduce")
    button.click()
    assert removed(page) == 16


def test_the_scale_grows_step_by_step_unless_motion_is_reduced(opened: Open) -> None:
    page = opened(SumAndSeparate())
    page.get_by_role("button", name="Scale √dim").click()
    assert 1 < scale(page) < 5
    page.wait_for_function("document.querySelector('.pe-words').textContent.includes('√dim')")
    assert scale(page) == 11.31
    page.get_by_role("button", name="Reset").click()
    scale_by_root(page)
    assert scale(page) == 11.31


def test_whoever_moves_removed_ends_its_play(opened: Open) -> None:
    page = opened(SumAndSeparate())
    page.get_by_role("button", name="Remove all positions").click()
    page.get_by_role("button", name="Reset").click()
    page.wait_for_timeout(900)  # longer than it rests on a direction
    assert removed(page) == 0
    assert page.locator(".pe-words").get_attribute("aria-live") == "polite"


def values(changed: dict) -> dict:
    return {"dim": 128, "theta": 10000.0, "length": 32, "scale": 1.0, "removed": 0} | changed


def test_one_number_says_how_many_sums_of_the_word_are_read_rightly(opened: Open) -> None:
    page = opened(SumAndSeparate())
    number = page.locator(".pe-number b")
    assert not number.locator("span").first.is_visible()  # the reader makes a guess first
    scale_by_root(page)
    assert number.inner_text() == "32 of 32"
    assert page.locator(".pe-cloud .pe-bars b").all_inner_texts()[0] == "100\u00a0%"
    assert lines(page) == 0


@pytest.mark.parametrize("width", [359, 692])
def test_the_card_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(SumAndSeparate())
    height = card_height(page, width)
    start = height()
    for name in ("Scale √dim", "Remove all positions"):
        page.get_by_role("button", name=name).click()
        assert height() == start

"""What FrequencySpectrum says and shows, and how it is moved."""

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, FrequencySpectrum
from tests.book.test_controls import drag_by_mouse
from tests.browser_support import drag_by_touch
from tests.figures.card import card_height, each_width

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
LLAMA_3_1 = {"method": "llama3", "times": 8.0, "theta": 500_000.0, "trained": "8192"}
SMALL = {"dim": "32", "trained": "128"}  # the small model that comes with pe_lib

SAID = {
    "All 64 pairs turn as in training. Pairs 46 to 63 reach angles up to 4 times those of "
    "training.": {},
    "Pair 0 is unchanged, the last divided by 4, the others by less. Pairs 46 to 62 reach angles "
    "up to 1.45 times those of training.": {"method": "ntk"},
    "All 64 pairs are divided by 4. No angle is new, but neighbours come closer.": {
        "method": "interpolation"
    },
    "21 pairs are unchanged, 25 divided by less than 4, 18 by 4. No angle is new.": {
        "method": "yarn"
    },
    "29 pairs are unchanged, 6 divided by less than 8, 29 by 8. No angle is new.": LLAMA_3_1,
    "19 pairs are unchanged, 16 divided by less than 8, 29 by 8. No angle is new.": LLAMA_3_1
    | {"method": "yarn"},
    "At the trained length no rule changes anything. No angle is new.": {
        "method": "yarn",
        "times": 1.0,
    },
    "All 16 pairs turn as in training. Pairs 6 to 15 reach angles up to 4 times those of "
    "training.": SMALL,
    "Pair 0 is unchanged, the last divided by 4, the others by less. Pairs 6 to 14 reach angles up "
    "to 2.3 times those of training.": SMALL | {"method": "ntk"},
    "1 pair is unchanged, 5 divided by less than 4, 10 by 4. No angle is new.": SMALL
    | {"method": "yarn"},
    "All 128 pairs turn as in training. Pairs 91 to 127 reach angles": {"dim": "256"},
    "All 64 pairs turn as in training. All of them completed a turn in training: no angle is "
    "new.": {"theta": 100.0},
}
NUMBERS = [
    ({}, "18 of 64", "57.3°"),
    ({"trained": "8192"}, "14 of 64", "57.3°"),
    ({"trained": "8192", "theta": 500_000.0}, "29 of 64", "57.3°"),
    ({"method": "ntk"}, "17 of 64", "57.3°"),
    ({"method": "interpolation"}, "0 of 64", "14.3°"),
    (LLAMA_3_1, "0 of 64", "57.3°"),
    (SMALL, "10 of 16", "57.3°"),
    (SMALL | {"method": "interpolation"}, "0 of 16", "14.3°"),
]


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    assert words in opened(FrequencySpectrum(**SAID[words])).locator(".pe-words").text_content()


@pytest.mark.parametrize(("inputs", "new", "apart"), NUMBERS)
def test_the_two_numbers(inputs: dict, new: str, apart: str, opened: Open) -> None:
    page = opened(FrequencySpectrum(**inputs))
    assert page.locator(".pe-stat b").all_text_contents() == [new, apart]


def sectors(page: Page, dial: int) -> list[float]:
    """The turns of a dial: with new angles, those of training, to the next token then and now."""
    dashes = "all => all.map((one) => parseFloat(one.getAttribute('stroke-dasharray')))"
    new, seen, before, now, *_ = (
        page.locator(".pe-circles > div").nth(dial).locator("circle").evaluate_all(dashes)
    )
    return [new, seen, before, now]


@pytest.mark.parametrize("dim", ["32", "64", "128", "256"])
def test_the_dials_reach_from_the_first_pair_to_the_last(dim: str, opened: Open) -> None:
    names = opened(FrequencySpectrum(dim=dim)).locator(".pe-circles span").all_text_contents()
    pairs = [int(name.removeprefix("pair ")) for name in names]
    last = int(dim) // 2 - 1
    assert pairs == [int(n * last / 15 + 0.5) for n in range(16)]


def test_a_dial_shows_what_training_did_and_what_is_new(opened: Open) -> None:
    page = opened(FrequencySpectrum(method="ntk"))
    new, seen, *_ = sectors(page, 12)  # pair 50
    assert (360 * seen, 360 * new) == pytest.approx((176, 234), abs=0.5)
    new, seen, *_ = sectors(page, 15)
    assert new == seen  # the last pair meets nothing new
    assert sectors(page, 0)[:2] == [1, 1]


def test_a_rule_moves_the_sectors(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    page.locator(".pe-show").click()
    fastest, slowest = sectors(page, 0), sectors(page, 15)
    page.locator("[data-input=method][value=interpolation]").check()
    assert sectors(page, 0)[3] == pytest.approx(fastest[3] / 4, abs=1e-4)
    assert sectors(page, 0)[2] == fastest[2]  # what training had stays to be compared
    assert sectors(page, 15)[0] == pytest.approx(slowest[0] / 4, abs=1e-4)
    assert "pe-eased" in page.locator(".pe-root").get_attribute("class")


def test_new_angles_grow_out_of_the_trained_ones_once_they_are_shown(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    page.emulate_media(reduced_motion="no-preference")
    grown = page.locator(".pe-show").evaluate(
        """(show) => {
          show.click();
          return document.getAnimations()
            .map((one) => one.effect.getKeyframes()[0].strokeDasharray)
            .filter(Boolean);
        }"""
    )
    assert len(grown) == 16
    assert float(grown[-1].split(",")[0]) == pytest.approx(sectors(page, 15)[1], abs=1e-4)


def times(page: Page) -> float:
    return float(page.locator(".pe-slider:has([data-input=times]) [type=number]").input_value())


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch], ids=["mouse", "touch"])
def test_the_ruler_is_dragged(by: Callable, opened: Open) -> None:
    page = opened(FrequencySpectrum())
    box = page.locator(".pe-ruler").bounding_box()

    def place(octaves: float) -> tuple[float, float]:
        return box["x"] + 16 + octaves / 7 * (box["width"] - 32), box["y"] + 30

    before = page.locator(".pe-circles").inner_html()
    by(page, place(2), place(5.03))  # it catches at powers of two
    assert times(page) == 32
    assert page.locator(".pe-circles").inner_html() != before
    assert "up to 32 times" in page.locator(".pe-words").text_content()
    assert "131,072 tokens" in page.locator(".pe-ruler").text_content()
    page.mouse.up()
    by(page, place(5), place(2.5))
    assert times(page) == 5.66
    assert page.evaluate("getSelection().toString()") == ""


@pytest.mark.parametrize("by", [drag_by_mouse, drag_by_touch], ids=["mouse", "touch"])
def test_the_slowest_pair_is_turned_on_from_where_training_left_it(
    by: Callable, opened: Open
) -> None:
    page = opened(FrequencySpectrum())
    page.locator(".pe-circles").scroll_into_view_if_needed()
    box = page.locator(".pe-circles svg").last.bounding_box()
    seen = sectors(page, 15)[1]

    def place(turns: float) -> tuple[float, float]:
        angle, radius = 2 * math.pi * turns, 0.34 * box["width"]
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        return x + radius * math.cos(angle), y - radius * math.sin(angle)

    by(page, place(seen), place(0.25))
    assert times(page) == pytest.approx(0.25 / seen, rel=0.03)
    assert not page.locator(".pe-show").is_visible()
    page.mouse.up()
    for turns in (0.5, 0.75, 1, 1.25):  # the other angles, and round once more
        by(page, place(turns - 0.25), place(turns))
        page.mouse.up()
        assert times(page) == pytest.approx(turns / seen, rel=0.03)
    by(page, place(0.25), place(0))
    page.mouse.up()
    for turns in (0.75, 0.5, 0.25, 0.0):  # back, and against where training ends
        by(page, place(turns + 0.25), place(turns))
        page.mouse.up()
    assert times(page) == 1


def test_no_hand_is_turned_where_a_context_turns_none_on(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    hand = page.locator(".pe-turned")
    assert hand.is_visible()
    page.locator("[data-input=method][value=interpolation]").check()
    assert not hand.is_visible()
    assert not opened(FrequencySpectrum(theta=100.0)).locator(".pe-turned").is_visible()


def test_neighbours_are_compared_once_a_scaling_is_chosen(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    apart = page.locator(".pe-stat").last
    assert not apart.is_visible()
    page.locator("[data-input=method][value=interpolation]").check()
    assert apart.is_visible()


def test_the_ruler_is_moved_by_keys(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    ruler = page.locator(".pe-ruler")
    for key, expected in [
        ("ArrowUp", 8),
        ("ArrowRight", 9.51),
        ("ArrowLeft", 8),
        ("ArrowDown", 4),
        *[("ArrowDown", 2), ("ArrowDown", 1), ("ArrowLeft", 1)],
    ]:
        ruler.press(key)
        assert (times(page), float(ruler.get_attribute("aria-valuenow"))) == (expected, expected)


def test_a_model_sets_theta_length_and_head_together(opened: Open) -> None:
    page = opened(FrequencySpectrum(method="llama3", times=8.0))
    named = page.locator(".pe-stage button[aria-current=true]")
    assert named.all_text_contents() == ["Llama 2"]
    page.get_by_role("button", name="Llama 3.1").click()
    assert named.all_text_contents() == ["Llama 3.1"]
    assert page.locator(".pe-stat b").first.text_content() == "0 of 64"
    theta = page.locator(".pe-slider:has([data-input=theta]) [type=number]")
    assert theta.input_value() == "500000"
    assert page.locator("[data-input=trained]:checked").get_attribute("value") == "8192"
    theta.fill("100000000")
    theta.press("Enter")
    assert not named.count()
    assert theta.evaluate("box => box.scrollWidth <= box.clientWidth")  # all digits are seen


def test_a_pair_is_read_by_keys_and_by_pointing(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    dials, words = page.locator(".pe-circles"), page.locator(".pe-words")
    about_all = words.text_content()
    dials.press("ArrowLeft")
    assert words.text_content().startswith("Pair 46 turns once in ")
    dials.press("ArrowRight")
    assert words.text_content() == (
        "Pair 50 turns once in 8,379 positions. Training showed 176° of its circle; 16,384 tokens "
        "turn it by 704°."
    )
    dials.press("ArrowUp")
    assert words.text_content() == (
        "Pair 17 turns once in 72.6 positions. Training showed all its angles."
    )
    page.locator("[data-input=method][value=llama3]").check()  # that is about all pairs again
    assert words.text_content().startswith("36 pairs are unchanged")
    page.locator(".pe-more > summary").click()
    plot = page.locator(".pe-plot")
    plot.press("ArrowRight")
    assert words.text_content() == (
        "Pair 51 turns once in 9,676 positions, now in 38,703. Training showed 152° of its circle, "
        "and the context turns it no farther."
    )
    page.locator(".pe-reset").click()
    assert words.text_content() == about_all
    dials.locator("div").first.hover()
    assert words.text_content().startswith("Pair 0 turns once in 6.3 positions.")
    page.mouse.move(0, 0)
    assert words.text_content() == about_all


def test_all_rules_are_compared_under_more(opened: Open) -> None:
    page = opened(FrequencySpectrum(method="yarn"))
    page.locator(".pe-more > summary").click()
    widths = page.locator(".pe-plot polyline").evaluate_all(
        "all => all.map((line) => line.getAttribute('stroke-width'))"
    )
    assert widths == ["2", "2", "4", "2"]


@each_width
def test_the_card_fits_and_keeps_its_height(width: int, opened: Open) -> None:
    page = opened(FrequencySpectrum())
    height = card_height(page, width)
    start = height()
    page.locator(".pe-show").click()
    for model in page.locator(".pe-stage button").all():
        model.click()
        for rule in page.locator("[data-input=method]").all():
            rule.check()
            page.locator(".pe-ruler").press("ArrowRight")
            assert height() == start

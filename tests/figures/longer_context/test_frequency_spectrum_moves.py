"""What FrequencySpectrum says and lights, and how a pair is read."""

import math
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page

from pe_lib.figures import Figure, FrequencySpectrum

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
LLAMA_3_1 = {"method": "llama3", "times": 8.0, "theta": "500000", "trained": "8192"}
SMALL = {"dim": "32", "trained": "128"}  # the small model that comes with pe_lib

SAID = {
    "All 64 pairs turn as in training. 18 pairs do not complete a turn within 4,096 positions, and "
    "all of them (pairs 46 to 63) meet angles that training never showed, up to 4 times the "
    "largest of training. Neighbours are 57.3° apart in the fastest pair, as in training.": {},
    "14 pairs do not complete a turn within 8,192 positions": {"trained": "8192"},
    "29 pairs do not complete a turn within 8,192 positions": {
        "trained": "8192",
        "theta": "500000",
    },
    "Pair 0 is unchanged, the last is divided by 4, and the 62 between them by less. 18 pairs do "
    "not complete a turn within 4,096 positions, and 17 of them (pairs 46 to 62) meet angles that "
    "training never showed, up to 1.45 times the largest of training.": {"method": "ntk"},
    "All 64 pairs are divided by 4. 18 pairs do not complete a turn within 4,096 positions, but "
    "none meets an angle that training never showed. Neighbours are 14.3° apart in the fastest "
    "pair, no longer 57.3°.": {"method": "interpolation"},
    "21 pairs are unchanged, 25 blended (divided by less), 18 divided by 4.": {"method": "yarn"},
    "29 pairs are unchanged, 6 blended (divided by less), 29 divided by 8. 29 pairs do not "
    "complete a turn within 8,192 positions, but none meets": LLAMA_3_1,
    "At the trained length no method changes any of the 64 pairs.": {
        "method": "yarn",
        "times": 1.0,
    },
    "Pair 50 turns once in 8,379 positions; training showed 176° of its circle, and 16,384 "
    "positions turn it by 704°.": {"times": 4.0},
    "Pair 50 turns once in 8,379 positions, now in 33,515; training showed 176° of its circle, and "
    "the context turns it no farther.": {"method": "llama3"},
    "All 16 pairs turn as in training. 10 pairs do not complete a turn within 128 positions, and "
    "all of them (pairs 6 to 15) meet angles that training never showed, up to 4 times the "
    "largest of training. Neighbours are 57.3° apart in the fastest pair, as in training. Pair 12 "
    "turns once in 6,283 positions; training showed 7.33° of its circle, and 512 positions turn "
    "it by 29.3°.": SMALL,
    "Pair 0 is unchanged, the last is divided by 4, and the 14 between them by less. 10 pairs do "
    "not complete a turn within 128 positions, and 9 of them (pairs 6 to 14) meet angles that "
    "training never showed, up to 2.3 times the largest of training.": SMALL | {"method": "ntk"},
    "All 16 pairs are divided by 4. 10 pairs do not complete a turn within 128 positions, but none "
    "meets an angle that training never showed. Neighbours are 14.3° apart in the fastest pair, no "
    "longer 57.3°.": SMALL | {"method": "interpolation"},
    "1 pair is unchanged, 5 blended (divided by less), 10 divided by 4. 10 pairs do not complete a "
    "turn within 128 positions, but none meets": SMALL | {"method": "yarn"},
    "3 pairs are unchanged, 3 blended (divided by less), 10 divided by 4.": SMALL
    | {"method": "llama3"},
    "All 128 pairs turn as in training. 37 pairs do not complete a turn within 4,096 positions, "
    "and all of them (pairs 91 to 127) meet": {"dim": "256"},
    "All 32 pairs turn as in training.": {"dim": "64"},
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    assert words in opened(FrequencySpectrum(**SAID[words])).locator(".pe-words").text_content()


@pytest.mark.parametrize(
    ("inputs", "pairs", "count"),
    [
        ({}, 64, 18),
        ({"method": "ntk"}, 64, 17),
        ({"method": "llama3"}, 64, 0),
        (SMALL, 16, 10),
        (SMALL | {"method": "ntk"}, 16, 9),
        ({"dim": "256"}, 128, 37),
    ],
)
def test_pairs_with_new_angles_are_lit_in_both_charts(
    inputs: dict, pairs: int, count: int, opened: Open
) -> None:
    page = opened(FrequencySpectrum(**inputs))
    charts = page.locator(".pe-plot svg")
    assert [chart.locator("rect[opacity]").count() for chart in charts.all()] == [count, count]
    assert charts.last.locator("rect:not([opacity])").count() == pairs + count
    assert charts.first.locator("circle").count() == pairs


@pytest.mark.parametrize(
    ("dim", "ticks"),
    [
        ("32", ["0", "4", "8", "12", "15"]),
        ("64", ["0", "8", "16", "24", "31"]),
        ("128", ["0", "16", "32", "48", "63"]),
        ("256", ["0", "32", "64", "96", "127"]),
    ],
)
def test_the_axes_reach_from_the_first_pair_to_the_last(
    dim: str, ticks: list[str], opened: Open
) -> None:
    charts = opened(FrequencySpectrum(dim=dim)).locator(".pe-plot svg")
    for chart in charts.all():
        assert chart.locator("text").all_text_contents()[:5] == ticks
    lines = [float(charts.last.locator("line").nth(n).get_attribute("x1")) for n in (0, 4)]
    bars = [left + width / 2 for left, width in bars_of(charts.last)]
    assert (bars[0], bars[-1]) == pytest.approx(lines, abs=0.5)


def test_narrow_bars_touch(opened: Open) -> None:
    page = opened(FrequencySpectrum(dim="256", method="yarn"))
    bars = bars_of(page.locator(".pe-plot svg").last)
    assert len(bars) == 128
    for (left, width), (following, _) in pairwise(bars):
        assert left + width == pytest.approx(following)


def bars_of(chart: Locator) -> list[tuple[float, float]]:
    """Where each bar of the angles begins, and how wide it is."""
    return [
        (float(bar.get_attribute("x")), float(bar.get_attribute("width")))
        for bar in chart.locator("rect:not([opacity])").all()
    ]


def test_bars_reach_as_far_as_the_angles(opened: Open) -> None:
    page = opened(FrequencySpectrum(method="ntk"))
    heights = [
        float(bar.get_attribute("height"))
        for bar in page.locator(".pe-plot svg").last.locator("rect:not([opacity])").all()
    ]
    assert heights[:47] == [heights[0]] * 47  # whole circles, the last of them by new angles
    new, seen = (height / heights[0] for height in heights[54:56])  # from pair 46 on two for each
    assert (360 * seen, 360 * new) == pytest.approx((176, 234), abs=0.5)


@pytest.mark.parametrize(
    ("times", "texts"), [(1.0, ["trained on 4,096"]), (8.0, ["trained on 4,096", "context 32,768"])]
)
def test_the_two_lengths_are_drawn(times: float, texts: list[str], opened: Open) -> None:
    chart = opened(FrequencySpectrum(times=times)).locator(".pe-plot svg").first
    assert chart.locator("text[stroke]").all_text_contents() == texts
    assert chart.locator("polyline[stroke-dasharray]").count() == len(texts)


@pytest.mark.parametrize(("inputs", "tick"), [({}, 0), (SMALL, 2)])
def test_the_trained_length_is_named_where_no_dots_are(
    inputs: dict, tick: int, opened: Open
) -> None:
    """Below its line the dots are on the left: from the middle on if they soon rise above it."""
    chart = opened(FrequencySpectrum(**inputs)).locator(".pe-plot svg").first
    text = chart.locator("text[stroke]", has_text="trained on")
    assert text.get_attribute("x") == chart.locator("line").nth(tick).get_attribute("x1")


@pytest.mark.parametrize(("dim", "pair"), [("32", 12), ("64", 25), ("128", 50), ("256", 100)])
def test_which_pair_is_read_first(dim: str, pair: int, opened: Open) -> None:
    page = opened(FrequencySpectrum(dim=dim))
    assert f" Pair {pair} turns once in " in page.locator(".pe-words").text_content()
    assert f"circle of pair {pair}," in page.locator(".pe-note").text_content()
    for chart in page.locator(".pe-plot svg").all():
        marks = [float(chart.locator("line").nth(n).get_attribute("x1")) for n in (0, 4, -1)]
        first, last, read = marks
        assert (read - first) / (last - first) == pytest.approx(pair / (int(dim) / 2 - 1))


def test_a_smaller_head_reads_its_last_pair_in_place_of_one_that_it_lacks(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    plot, words = page.locator(".pe-plot"), page.locator(".pe-words")

    def read(dim: str) -> int:
        page.locator(f"[data-input=dim][value='{dim}']").check()
        return int(words.text_content().rsplit("Pair ", 1)[1].split()[0])

    plot.press("ArrowDown")
    plot.press("ArrowDown")  # pair 30
    assert [read(dim) for dim in ("64", "32", "256", "32")] == [30, 15, 30, 15]
    plot.press("ArrowLeft")  # from the pair that is seen
    assert [read(dim) for dim in ("32", "128")] == [14, 14]
    page.locator(".pe-reset").click()
    assert read("128") == 50


def test_a_pair_is_read_by_keys_and_by_pointing(opened: Open) -> None:
    page = opened(FrequencySpectrum())
    plot, words = page.locator(".pe-plot"), page.locator(".pe-words")

    def said() -> str:
        return words.text_content().rsplit("Pair ", 1)[1]

    plot.press("ArrowLeft")
    assert said().startswith("49 turns")
    plot.press("ArrowDown")
    assert said().startswith("39 turns")
    assert said().endswith("training showed all its angles.")
    for _ in range(5):
        plot.press("ArrowUp")
    assert said().startswith("63 turns once in 54,410 positions")
    assert "circle of pair 63" in page.locator(".pe-note").text_content()
    box = plot.bounding_box()
    page.touchscreen.tap(box["x"] + 47, box["y"] + 80)
    assert said() == "0 turns once in 6.3 positions; training showed all its angles."


@pytest.mark.parametrize(
    ("inputs", "sectors"), [({}, 2), ({"method": "yarn"}, 1)], ids=["new angles", "none"]
)
def test_the_dial_shows_what_training_did(inputs: dict, sectors: int, opened: Open) -> None:
    dial = opened(FrequencySpectrum(**inputs)).locator(".pe-dials svg")
    drawn = [path.get_attribute("d") for path in dial.locator("g path").all()]
    assert len(drawn) == sectors
    x, y = drawn[0].rsplit(" ", 1)[1].removesuffix("Z").split(",")
    assert math.degrees(math.atan2(-float(y), float(x))) == pytest.approx(176, abs=0.5)

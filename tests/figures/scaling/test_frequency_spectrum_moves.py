"""What FrequencySpectrum says and lights, and how a pair is read."""

import math
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from pe_lib.figures import Figure, FrequencySpectrum

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
LLAMA_3_1 = {"method": "llama3", "times": 8.0, "theta": "500000", "trained": "8192"}

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
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_is_computed(words: str, opened: Open) -> None:
    assert words in opened(FrequencySpectrum(**SAID[words])).locator(".pe-words").text_content()


@pytest.mark.parametrize(("method", "count"), [("none", 18), ("ntk", 17), ("llama3", 0)])
def test_pairs_with_new_angles_are_lit_in_both_charts(
    method: str, count: int, opened: Open
) -> None:
    page = opened(FrequencySpectrum(method=method))
    charts = page.locator(".pe-plot svg")
    assert [chart.locator("rect[opacity]").count() for chart in charts.all()] == [count, count]
    assert charts.last.locator("rect:not([opacity])").count() == 64 + count
    assert charts.first.locator("circle").count() == 64


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

"""What Extrapolation says, and how a guess is drawn over it."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from pe_lib.course.encodings import ENCODINGS
from pe_lib.course.palette import FAMILIES
from pe_lib.figures import Extrapolation, Figure
from pe_lib.figures.comparison.extrapolation import LENGTHS, LOSSES, MEASURED_NAMES
from tests.figures.card import boxes, resize
from tests.figures.moving import arrived, count, started

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
INK = "#1b2330"

# The names at the ends that a curve passes through.
CROSSED = """(plot) => {
  const curves = [...plot.querySelectorAll("[data-pe-answer] path")];
  const points = curves.flatMap((curve) =>
    [...Array(500).keys()].map((n) => curve.getPointAtLength((n / 499) * curve.getTotalLength())));
  const within = (box) => ({ x, y }) =>
    box.x < x && x < box.x + box.width && box.y < y && y < box.y + box.height;
  return [...plot.querySelectorAll("[data-pe-answer] text")]
    .filter((name) => points.some(within(name.getBBox())))
    .map((name) => name.textContent);
}"""


def plot(page: Page) -> Locator:
    return page.locator(".pe-plot")


def said(page: Page) -> str:
    return page.locator(".pe-words").text_content()


def detail(page: Page) -> str:
    """What is said under More."""
    return page.locator(".pe-detail").text_content()


def box(page: Page, encoding: str) -> Locator:
    return page.locator(f"[data-input=encodings][value='{encoding}']")


def guesses(page: Page) -> list[tuple[float, float]]:
    """Where the guess is drawn, in pixels of the chart."""
    points = plot(page).locator(f"polyline[stroke='{INK}']").get_attribute("points")
    return [tuple(map(float, point.split(","))) for point in points.split()]


def columns(page: Page) -> list[float]:
    """Where the lengths stand, in pixels of the chart."""
    lines = (
        plot(page)
        .locator("svg > line")
        .evaluate_all("all => all.map((line) => Number(line.getAttribute('x1')))")
    )
    return lines[: len(LENGTHS)]


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the chart, in the window."""
    found = plot(page).bounding_box()
    return found["x"] + x, found["y"] + y


def draw(page: Page, *points: tuple[float, float], steps: int = 1) -> None:
    page.mouse.move(*at(page, *points[0]))
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*at(page, *point), steps=steps)
    page.mouse.up()


SAID = {
    "The loss in nats per byte from 128 bytes, the length of training, to 2,048, with the lowest "
    "and the highest seed: RoPE grows by 2.55 (2.2 to 2.83); ALiBi grows by 0.009 (0.004 to "
    "0.014). At 2,048 bytes no bands overlap.": {},
    "ALiBi falls by 0.025 (0.023 to 0.028). ": {
        "encodings": "alibi",
        "way": "non-overlapping",
    },
    "The loss in bits a byte from 128": {"metric": "bits"},
    "The perplexity of a byte from 128": {"metric": "perplexity"},
}


@pytest.mark.parametrize("words", SAID)
def test_the_words_say_what_was_measured(words: str, opened: Open) -> None:
    assert words in detail(opened(Extrapolation(**SAID[words])))


def test_the_means_at_the_length_that_is_read(opened: Open) -> None:
    page = opened(Extrapolation(encodings="rope t5 none alibi"))
    assert said(page) == "At 2,048 bytes: RoPE 3.95, T5 3.17, no positions 2.64, ALiBi 1.45."


def test_a_stroke_sets_the_lengths_that_it_passes(opened: Open) -> None:
    page = opened(Extrapolation())
    xs = columns(page)
    draw(page, (xs[0], 200), (xs[-1], 40))
    drawn = guesses(page)
    assert [x for x, _ in drawn] == pytest.approx(xs, abs=0.1)
    straight = [200 - 160 * (x - xs[0]) / (xs[-1] - xs[0]) for x in xs]
    assert [y for _, y in drawn] == pytest.approx(straight, abs=1)
    draw(page, (xs[2], 150), (xs[2], 100), steps=5)
    assert guesses(page)[2][1] == pytest.approx(100, abs=1)
    assert guesses(page)[:2] + guesses(page)[3:] == drawn[:2] + drawn[3:]


def test_a_tap_is_a_guess_while_it_asks_and_later_reads(opened: Open) -> None:
    page = opened(Extrapolation())
    xs = columns(page)
    page.touchscreen.tap(*at(page, xs[1] + 5, 120))
    [(x, y)] = guesses(page)
    assert (x, y) == pytest.approx((xs[1], 120), abs=1)
    page.locator(".pe-show").click()
    before = guesses(page)
    page.touchscreen.tap(*at(page, xs[2], 60))
    expect(page.locator(".pe-words")).to_contain_text("At 512 bytes")
    page.mouse.click(*at(page, xs[3], 60))
    assert "At 1,024 bytes: RoPE 3.79, ALiBi 1.45." in said(page)
    assert guesses(page) == before
    draw(page, (xs[3], 60), (xs[3], 80), steps=3)
    assert len(guesses(page)) == 2


def test_a_finger_draws_while_it_asks_and_scrolls_later(opened: Open) -> None:
    page = opened(Extrapolation())
    fingers, xs = page.context.new_cdp_session(page), columns(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        within = [dict(zip("xy", at(page, *point), strict=True)) for point in points]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": within})

    assert plot(page).evaluate("e => getComputedStyle(e).touchAction") == "none"
    touch("touchStart", (xs[0], 60))
    for x in xs[1:]:
        touch("touchMove", (x, 60 + 0.2 * (x - xs[0])))
    touch("touchEnd")
    expected = [60 + 0.2 * (x - xs[0]) for x in xs]
    assert [y for _, y in guesses(page)] == pytest.approx(expected, abs=1)
    page.locator(".pe-show").click()
    assert plot(page).evaluate("e => getComputedStyle(e).touchAction") == "pan-y"


def test_keys_choose_a_length_and_move_the_guess(opened: Open) -> None:
    page = opened(Extrapolation())
    readout = page.locator(".pe-axis span").last
    assert readout.text_content() == ""
    plot(page).press("ArrowUp")
    assert readout.text_content() == "at 2,048: 1.50"  # from 1.404, where training left it
    plot(page).press("ArrowUp")
    assert readout.text_content() == "at 2,048: 1.60"
    for _ in range(9):
        plot(page).press("ArrowLeft")
    assert readout.text_content() == "at 128: –"
    plot(page).press("ArrowRight")
    plot(page).press("ArrowDown")
    lowest = min(table.min().item() for of in LOSSES.values() for table in of.values())
    assert readout.text_content() == f"at 256: {lowest:.2f}"  # no guess is lower
    assert [x for x, _ in guesses(page)] == pytest.approx(
        [columns(page)[n] for n in (1, 4)], abs=0.1
    )
    assert page.locator(".pe-show").is_visible()
    page.locator(".pe-show").click()
    plot(page).press("ArrowRight")
    assert "At 512 bytes: " in said(page)
    assert "Your guess" not in said(page)
    plot(page).press("ArrowLeft")
    off = LOSSES["last bytes"]["rope"][:, 1].mean().item() - lowest
    assert said(page).endswith(f"Your guess for RoPE: {lowest:.2f}, {off:.2f} too low.")


def test_the_guess_stays_in_other_settings_until_reset(opened: Open) -> None:
    page = opened(Extrapolation())
    xs = columns(page)
    draw(page, (xs[0], 200), (xs[-1], 40))
    drawn = guesses(page)
    box(page, "t5").check()
    page.locator("[data-input=way][value=strided]").check()
    assert guesses(page) == drawn
    page.click(".pe-more > summary")
    page.locator("[data-input=metric][value=perplexity]").check()
    assert len(guesses(page)) == len(LENGTHS)
    page.locator("[data-input=metric][value=nats]").check()
    assert guesses(page) == drawn
    box(page, "rope").uncheck()
    assert "Your guess for RoPE" in page.locator(".pe-axis").text_content()
    assert re.search(r"Your guess for RoPE: [\d.]+\.$", said(page))
    page.locator(".pe-reset").click()
    assert guesses(page) == []
    assert "Your guess" not in said(page)


def test_a_guess_within_the_band_is_said_to_be(opened: Open) -> None:
    page = opened(Extrapolation(encodings="none"))
    for _ in range(3):
        plot(page).press("ArrowUp")
    page.locator(".pe-show").click()
    assert said(page).endswith("Your guess for no positions: 2.65, within its band.")


def test_the_training_s_length_is_given_and_the_rest_held_back(opened: Open) -> None:
    page = opened(Extrapolation(encodings="rope alibi t5"))
    assert plot(page).locator("svg > circle").count() == 1
    assert plot(page).locator("[data-pe-answer] polygon").count() == 3
    assert plot(page).locator("svg > polygon").count() == 1  # where the first could go


def test_a_fifth_encoding_takes_the_place_of_the_first_and_each_keeps_its_look(
    opened: Open,
) -> None:
    page = opened(Extrapolation())

    def looks() -> list[tuple[str, str]]:
        found = page.locator(".pe-plot [data-pe-answer] path").evaluate_all(
            "all => all.map((e) => ['stroke', 'stroke-dasharray'].map((a) => e.getAttribute(a)))"
        )
        return [tuple(look) for look in found]

    def expected(*kinds: str) -> list[tuple[str, str]]:
        return [
            (
                FAMILIES["light"][ENCODINGS[kind]["family"]],
                " ".join(map(str, ENCODINGS[kind]["dash"])),
            )
            for kind in kinds
        ]

    def check(*kinds: str) -> None:
        assert looks() == expected(*kinds)
        named = plot(page).locator("[data-pe-answer] text").all_text_contents()
        assert sorted(named) == sorted(MEASURED_NAMES[kind] for kind in kinds)

    check("rope", "alibi")
    for name in ("t5", "none"):
        box(page, name).check()
    check("rope", "alibi", "t5", "none")
    box(page, "learned").check()
    assert not box(page, "rope").is_checked()
    check("alibi", "t5", "none", "learned")
    for name in ("alibi", "t5", "none"):
        box(page, name).uncheck()
    box(page, "learned").click()
    assert box(page, "learned").is_checked()
    check("learned")
    page.locator(".pe-reset").click()
    check("rope", "alibi")


def test_curves_travel_to_another_scoring_and_a_new_one_appears(opened: Open) -> None:
    page = opened(Extrapolation())
    page.locator(".pe-show").click()
    page.locator(".pe-more > summary").click()
    count(page)
    page.locator("[data-input=way][value=strided]").check()
    assert started(page) == 2 * 2  # two curves with their bands
    arrived(page)
    box(page, "t5").check()
    assert started(page) == 2
    arrived(page)
    plot(page).press("ArrowLeft")
    assert started(page) == 0
    page.emulate_media(reduced_motion="reduce")
    page.locator("[data-input=metric][value=bits]").check()
    assert started(page) == 0


def test_curves_start_level_when_the_answer_comes(opened: Open) -> None:
    page = opened(Extrapolation())
    plot(page).press("ArrowUp")
    count(page)
    page.locator(".pe-show").click()
    assert started(page) == 2 * 2  # two curves with their bands


@pytest.mark.parametrize("width", [359, 700])
def test_names_at_the_ends_keep_apart(width: int, opened: Open) -> None:
    page = opened(Extrapolation(encodings="alibi kerple fire rope3none1"))
    resize(page, width)
    names = sorted(boxes(plot(page), "[data-pe-answer] text"), key=lambda box: box["y"])
    steps = [below["y"] - above["y"] for above, below in pairwise(names)]
    assert len(names) == 4
    assert all(step >= 13 for step in steps)
    card = page.locator(".pe-root").bounding_box()
    assert max(box["x"] + box["width"] for box in names) <= card["x"] + card["width"]


@pytest.mark.parametrize(
    "encodings", ["rope t5 none alibi", "alibi kerple fire rope3none1", "none t5 rope learned"]
)
def test_on_a_phone_no_curve_passes_through_a_name(encodings: str, opened: Open) -> None:
    page = opened(Extrapolation(encodings=encodings))
    resize(page, 359)
    page.emulate_media(reduced_motion="reduce")
    page.locator(".pe-show").click()
    assert plot(page).evaluate(CROSSED) == []


def test_a_phone_has_room_for_the_whole_plot_and_the_table(opened: Open) -> None:
    page = opened(Extrapolation(encodings="sinusoidal learned xl rope3none1", metric="perplexity"))
    resize(page, 374)
    xs = columns(page)
    assert xs[-1] - xs[0] > 0.7 * plot(page).bounding_box()["width"]
    page.locator(".pe-show").click()
    page.locator(".pe-more > summary").click()
    table = page.locator(".pe-table")
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")


def test_nothing_but_the_drawing_is_the_page_s(opened: Open) -> None:
    page = opened(Extrapolation())
    assert page.locator(".pe-origin").text_content() == "Measured beforehand"


@pytest.mark.parametrize(
    ("encodings", "words"),
    [
        ("rope alibi", "At 2,048 bytes no bands overlap."),
        (
            "none learned sinusoidal rope",
            "At 2,048 bytes the bands of sinusoidal and RoPE overlap.",
        ),
    ],
)
def test_whose_bands_overlap(encodings: str, words: str, opened: Open) -> None:
    assert words in detail(opened(Extrapolation(encodings=encodings)))


def test_growth_in_every_way_of_scoring_is_told_side_by_side(opened: Open) -> None:
    table = opened(Extrapolation(encodings="alibi rope", way="strided")).locator(".pe-table")
    cells = [row.locator("th, td").all_text_contents() for row in table.locator("tr").all()]
    assert cells == [
        ["", "seeds", "non-overlapping", "strided", "last bytes"],
        ["ALiBi", "5", "−0.025", "+0.009", "+0.009"],
        ["RoPE", "5", "+2.1", "+2.47", "+2.55"],
    ]
    assert set(table.locator(".pe-chosen").all_text_contents()) == {"strided", "+0.009", "+2.47"}


@pytest.mark.parametrize("way", ["non-overlapping", "strided", "last bytes"])
def test_each_way_of_scoring_is_explained(way: str, opened: Open) -> None:
    note = opened(Extrapolation(way=way)).locator(".pe-note").last.text_content()
    assert note.startswith("Scored ")
    assert ("64 bytes" in note) == (way == "last bytes")

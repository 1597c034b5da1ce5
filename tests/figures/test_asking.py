"""A figure that asks holds its answer back until the reader has made a guess."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from book.tools.browser import ANSWERED
from pe_lib.figures import Figure, TokenShuffle
from tests.figures.every import FIGURES
from tests.figures.moving import arrived

pytestmark = pytest.mark.browser
Open = Callable[[Figure], Page]
each_that_asks = pytest.mark.parametrize(
    "figure", [one for one in FIGURES if one.asks], ids=lambda figure: figure.__name__
)
each_that_does_not = pytest.mark.parametrize(
    "figure", [one for one in FIGURES if not one.asks], ids=lambda figure: figure.__name__
)


def held_back(page: Page) -> Locator:
    """What would give the answer away."""
    return page.locator(".pe-words, .pe-panels [data-pe-answer='']")


def is_open(page: Page) -> bool:
    """Whether all of it can be seen; False where none of it can."""
    page.wait_for_selector(f".pe-root{ANSWERED}")
    arrived(page)
    shown = held_back(page).evaluate_all(
        "all => all.map((e) => getComputedStyle(e).visibility === 'visible')"
    )
    assert len(set(shown)) == 1, "some of the answer is shown and some is not"
    assert page.locator(".pe-show").is_visible() != shown[0]
    return shown[0]


@each_that_asks
def test_it_opens_on_its_question_and_show_shows_the_answer(
    figure: type[Figure], opened: Open
) -> None:
    page = opened(figure())
    assert not is_open(page)
    assert held_back(page).count() > 1  # the picture would tell it too
    height = page.locator(".pe-root").bounding_box()["height"]
    page.locator(".pe-show").press("Enter")
    assert is_open(page)
    assert page.locator(".pe-words").evaluate("words => words === document.activeElement")
    assert page.locator(".pe-words").inner_text()
    assert page.locator(".pe-root").bounding_box()["height"] == height, "something jumps"
    page.locator(".pe-reset").click()
    assert is_open(page)


@each_that_asks
def test_moving_a_control_shows_the_answer(figure: type[Figure], opened: Open) -> None:
    page = opened(figure())
    page.locator(".pe-reset").click()
    assert not is_open(page)
    page.locator(".pe-more").evaluate_all("all => all.map((more) => { more.open = true; })")
    for control in page.locator("[data-input]").all():
        kind = control.get_attribute("type")
        if kind == "range" and control.is_visible():
            control.press("Home" if control.evaluate("i => i.value === i.max") else "ArrowRight")
            break
        if kind == "checkbox":
            control.click()
            break
    assert is_open(page)
    page.locator(".pe-reset").click()
    assert is_open(page)


@each_that_asks
def test_on_paper_nothing_is_held_back(figure: type[Figure], opened: Open) -> None:
    page = opened(figure())
    page.emulate_media(media="print")
    assert is_open(page)


@each_that_does_not
def test_a_figure_that_does_not_ask_is_open(figure: type[Figure], opened: Open) -> None:
    assert is_open(opened(figure()))


def test_what_would_tell_by_its_look_looks_alike_until_then(opened: Open) -> None:
    page = opened(TokenShuffle())

    def looks() -> set[str]:
        return set(
            page.locator("[data-pe-answer=stroke]").evaluate_all(
                "all => all.map((e) => getComputedStyle(e)).map((style) => "
                "`${style.stroke} ${style.strokeDasharray} ${style.strokeWidth}`)"
            )
        )

    assert len(looks()) == 1
    page.locator(".pe-show").click()
    assert len(looks()) > 1

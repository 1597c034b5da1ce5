"""Every page of the built book from a server, in a laptop's window, in light mode.

Opening a page takes longer than looking at it: it is opened once, and what changes it comes last.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from book.tools.budgets import WINDOW, budget_of, screens
from pe_lib import figures
from tests.browser_support import (
    CHAPTERS,
    FIGURES,
    PAGES,
    PHONE,
    FigureProbe,
    Visit,
    one_of_each,
    visit,
)
from tests.page_support import (
    FAINT,
    assert_complete_and_quiet,
    assert_seen_together,
    surfaces,
    themes,
    violations,
)

pytestmark = pytest.mark.browser
pages_of_each_kind = pytest.mark.parametrize("page", one_of_each(PAGES), indirect=True)
# These rules take longer than all others: the tests of colours look at every contrast, formulas
# too, and at every link within a text, in a third of the time.
OF_COLOUR = ("color-contrast", "link-in-text-block")
LIMITS = {page: limit for page in CHAPTERS if (limit := budget_of(Path(page).name).screens)}
assert LIMITS, "no page is held to its budget"
LAPTOP = {"width": 1280, "height": 720}


@pytest.fixture(scope="module")
def server(page: str, browser: Browser, site: str) -> Iterator[Visit]:
    """The page as a server gives it."""
    with visit(browser, f"{site}/{page}.html", viewport=WINDOW, color_scheme="light") as visited:
        yield visited


def test_page_is_complete_and_asks_nobody_else(page: str, server: Visit) -> None:
    assert_complete_and_quiet(server, page)


def test_figures_ask_in_chapters_and_not_on_the_cover(page: str, server: Visit) -> None:
    roots = server.page.locator(".pe-figure .pe-root")
    asking = roots.evaluate_all("all => all.map((root) => root.matches('.pe-asking'))")
    modules = [getattr(figures, place.module) for place in FIGURES if place.page == page]
    assert asking == [module.asks and page in CHAPTERS for module in modules]


def test_a_spine_fills_no_more_screens_than_it_may(page: str, server: Visit) -> None:
    assert page not in LIMITS or screens(server.page) <= LIMITS[page]


def test_colours_in_the_light(server: Visit) -> None:
    assert min(surfaces(server)) > 0.85
    assert themes(server) <= {"light"}
    assert server.page.evaluate(FAINT) == []


def test_a_control_and_the_main_panel_are_seen_together(page: str, server: Visit) -> None:
    server.page.set_viewport_size(LAPTOP)
    assert_seen_together(server, page)
    server.page.set_viewport_size(WINDOW)


def test_page_is_as_narrow_as_a_phone(server: Visit) -> None:
    server.page.set_viewport_size(PHONE["viewport"])
    assert server.page.evaluate("document.scrollingElement.scrollWidth") <= 390
    server.page.set_viewport_size(WINDOW)


def test_page_is_light_to_load(page: str, server: Visit) -> None:
    server.page.mouse.wheel(0, 1_000_000)  # what loads only when it is seen
    server.page.wait_for_load_state("networkidle")
    weights = server.weights
    # The theme's own files, and MathJax with its fonts: the same on every page, loaded once.
    shared = ["/_static/mathjax/", "/_static/scripts/", "/_static/styles/", "/_static/vendor/"]
    shared.append("/_static/pe-weights-")  # of a trained model, once its figure is near
    own = sum(size for path, size in weights.items() if not path.startswith(tuple(shared)))
    print(f"{page}: {sum(weights.values()) / 1e6:.2f} MB, {own / 1e6:.2f} MB of them its own")
    assert sum(weights.values()) < 4e6
    assert own < 1e6
    assert server.problems == []


@pages_of_each_kind
def test_axe_finds_no_serious_violation(server: Visit) -> None:
    # It asks for style sheets in the wrong place: what a page asks for is looked at above.
    assert violations(server, rules={rule: {"enabled": False} for rule in OF_COLOUR}) == []


@pytest.mark.slow
def test_axe_finds_enough_contrast_in_the_light(server: Visit) -> None:
    assert violations(server) == []


@pages_of_each_kind
def test_page_and_figures_follow_the_theme_switch(page: str, server: Visit) -> None:
    count = server.page.locator(".pe-figure").count()
    figures = [FigureProbe.at(server.page, number) for number in range(count)]
    before = [figure.picture() for figure in figures]
    switch = server.page.locator(".theme-switch-button:visible").first
    while server.page.locator("html").get_attribute("data-theme") != "dark":
        switch.click()
    assert max(surfaces(server)) < 0.15
    assert themes(server) <= {"dark"}
    assert not set(before) & {figure.picture() for figure in figures}

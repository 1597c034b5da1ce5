"""Every page of the built book, from a server and from disk: complete, quiet and all by itself."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pe_lib import figures
from tests.browser_support import CHAPTERS, FIGURES, PAGES, Visit, visit

pytestmark = pytest.mark.browser

MATH = """() => {
  const formulas = [...document.querySelectorAll(".math")].filter((f) => !f.closest("noscript"));
  return {
    unset: formulas.filter((f) => !f.querySelector("mjx-container mjx-math")).length,
    wrong: document.querySelectorAll("mjx-merror").length,
    raw: /(^|[^\\\\])\\\\[(\\[]/.test(document.querySelector("article")?.innerText ?? ""),
    formulas: formulas.length,
    fonts: [...document.fonts].filter((f) => /MJX/.test(f.family) && f.status === "loaded").length,
  };
}"""

BROKEN = "[...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"


@pytest.fixture(scope="module")
def server(page: str, browser: Browser, site: str) -> Iterator[Visit]:
    """The page as a server gives it."""
    with visit(browser, f"{site}/{page}.html") as visited:
        yield visited


@pytest.fixture(scope="module")
def disk(page: str, browser: Browser, html: Path) -> Iterator[Visit]:
    """The page opened from disk."""
    with visit(browser, f"{html.as_uri()}/{page}.html") as visited:
        yield visited


@pytest.mark.parametrize("origin", ["server", "disk"])
def test_page_is_complete_and_asks_nobody_else(
    origin: str, page: str, request: pytest.FixtureRequest
) -> None:
    visited = request.getfixturevalue(origin)
    math = visited.page.evaluate(MATH)
    origins = visited.page.locator(".pe-figure .pe-origin").all_inner_texts()
    errors = visited.page.locator(".pe-alert:visible").all_inner_texts()
    assert visited.problems == []
    assert visited.page.evaluate(BROKEN) == []
    assert (math["unset"], math["wrong"], math["raw"]) == (0, 0, False)
    assert math["fonts"] > 0 or math["formulas"] == 0
    assert len(origins) == sum(place.page == page for place in FIGURES)
    assert set(origins) <= {"Computed by this page"}
    assert errors == []


def test_figures_ask_in_chapters_and_not_on_the_cover(page: str, server: Visit) -> None:
    roots = server.page.locator(".pe-figure .pe-root")
    asking = roots.evaluate_all("all => all.map((root) => root.matches('.pe-asking'))")
    modules = [getattr(figures, place.module) for place in FIGURES if place.page == page]
    assert asking == [module.asks and page in CHAPTERS for module in modules]


def test_page_is_light_to_load(page: str, server: Visit) -> None:
    server.page.mouse.wheel(0, 1_000_000)  # what loads only when it is seen
    server.page.wait_for_load_state("networkidle")
    weights = server.weights
    # The theme's own files, and MathJax with its fonts: the same on every page, loaded once.
    shared = ("/_static/mathjax/", "/_static/scripts/", "/_static/styles/", "/_static/vendor/")
    own = sum(size for path, size in weights.items() if not path.startswith(shared))
    print(f"{page}: {sum(weights.values()) / 1e6:.2f} MB, {own / 1e6:.2f} MB of them its own")
    assert sum(weights.values()) < 4e6
    assert own < 1e6
    assert server.problems == []


def test_no_page_is_left_out(html: Path) -> None:
    built = {path.relative_to(html).with_suffix("").as_posix() for path in html.rglob("*.html")}
    assert {page for page in built if not page.startswith("_")} == {*PAGES, "404"}


def test_no_page_shows_what_a_check_says_of_an_empty_stub(html: Path) -> None:
    pages = (page for page in PAGES if "Not yet:" in (html / f"{page}.html").read_text("utf-8"))
    assert [*pages] == []


def test_page_not_found_stands_alone(
    browser: Browser, html: Path, site: str, tmp_path: Path
) -> None:
    alone = tmp_path / "404.html"
    alone.write_bytes((html / "404.html").read_bytes())
    with visit(browser, alone.as_uri()) as visited:
        heading = visited.page.get_by_role("heading", level=1).inner_text()
    assert visited.problems == []
    wrong = f"{site}/no/such/page.html"
    with visit(browser, wrong) as visited:
        assert visited.page.get_by_role("heading", level=1).inner_text() == heading
        # Chromium itself reports the missing page; nothing else is missing.
        assert [problem for problem in visited.problems if "console" not in problem] == [
            f"404: {wrong}"
        ]
        visited.page.get_by_role("link").first.click()
        visited.page.wait_for_load_state()
        assert visited.page.locator("article h1").count() == 1


def test_search_finds_a_word(browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{CHAPTERS[0]}.html") as visited:
        visited.page.keyboard.press("Control+k")
        visited.page.keyboard.type("wavelength")
        visited.page.keyboard.press("Enter")
        first = visited.page.locator("#search-results li a").first
        first.wait_for()
        visited.page.wait_for_load_state("networkidle")
        first.click()
        visited.page.wait_for_load_state()
        assert "wavelength" in visited.page.locator("article").inner_text().lower()
    assert visited.problems == []

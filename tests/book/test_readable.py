"""Every page can be read by everybody: in light and dark, on a phone, with assistive technology,
and with no script at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser_support import PHONE, FigureProbe, Visit, visit

pytestmark = pytest.mark.browser

FAINT, CRAMPED = (Path(__file__).with_name(name).read_text() for name in ("faint.js", "cramped.js"))
LUMINANCE = """element => {
  const [r, g, b] = getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}"""


@pytest.fixture(scope="module")
def light(page: str, browser: Browser, site: str) -> Iterator[Visit]:
    """The page as it opens in light mode, for all tests that only look at it and the last."""
    with visit(browser, f"{site}/{page}.html", color_scheme="light") as visited:
        yield visited


@pytest.fixture(scope="module")
def dark(page: str, browser: Browser, site: str) -> Iterator[Visit]:
    with visit(browser, f"{site}/{page}.html", color_scheme="dark") as visited:
        yield visited


def surfaces(visited: Visit) -> list[float]:
    """The luminance of the page and of every figure in it, 0 to 1."""
    found = visited.page.locator("body, .pe-root").all()
    return [surface.evaluate(LUMINANCE) for surface in found]


def themes(visited: Visit) -> set[str]:
    """What the figures take for the theme."""
    return set(
        visited.page.locator(".pe-root").evaluate_all("all => all.map(r => r.dataset.peTheme)")
    )


def violations(visited: Visit, **options: object) -> list[str]:
    """What axe holds to be serious or critical."""
    results = Axe().run(visited.page, options={"resultTypes": ["violations"], **options})
    return [
        f"{violation['impact']} {violation['id']}: {node['html'][:200]}"
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ]


def test_colours_in_the_light(light: Visit) -> None:
    assert min(surfaces(light)) > 0.85
    assert themes(light) <= {"light"}
    assert light.page.evaluate(FAINT) == []


def test_colours_in_the_dark(dark: Visit) -> None:
    assert max(surfaces(dark)) < 0.15
    assert themes(dark) <= {"dark"}
    assert dark.page.evaluate(FAINT) == []


def test_axe_finds_no_serious_violation(light: Visit) -> None:
    # The tests above look at every contrast, formulas too, in a third of the time that axe takes.
    assert violations(light, rules={"color-contrast": {"enabled": False}}) == []


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_enough_contrast(theme: str, page: str, request: pytest.FixtureRequest) -> None:
    assert violations(request.getfixturevalue(theme)) == []


def test_page_and_figures_follow_the_theme_switch(page: str, light: Visit) -> None:
    count = light.page.locator(".pe-figure").count()
    figures = [FigureProbe.at(light.page, number) for number in range(count)]
    before = [figure.picture() for figure in figures]
    switch = light.page.locator(".theme-switch-button:visible").first
    while light.page.locator("html").get_attribute("data-theme") != "dark":
        switch.click()
    assert max(surfaces(light)) < 0.15
    assert themes(light) <= {"dark"}
    assert not set(before) & {figure.picture() for figure in figures}


def test_page_on_a_phone(page: str, browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{page}.html", **PHONE) as visited:
        width = visited.page.evaluate("document.scrollingElement.scrollWidth")
        wide = visited.page.evaluate("visualViewport.width * visualViewport.scale")
        figures = visited.page.locator(".pe-root").all()
        cramped = [problem for figure in figures for problem in figure.evaluate(CRAMPED)]
    assert width <= 390
    assert wide == 390
    assert cramped == []


def test_page_without_scripts(page: str, browser: Browser, html: Path) -> None:
    address = f"{html.as_uri()}/{page}.html"
    with visit(browser, address, java_script_enabled=False) as visited:
        assert visited.page.locator("h1").first.is_visible()
        for place in visited.page.locator(".pe-figure").all():
            assert len(place.locator("p").inner_text()) > 80
            place.scroll_into_view_if_needed()
            picture = place.locator("img")
            assert picture.get_attribute("alt")
            assert picture.evaluate("i => i.decode().then(() => i.naturalWidth)") > 600
            assert picture.bounding_box()["width"] > 300
    refused = f"failed: {html.as_uri()}/_static/scripts/"  # what was loaded early, in vain
    assert [problem for problem in visited.problems if not problem.startswith(refused)] == []

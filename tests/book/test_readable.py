"""Every page can be read by everybody: in light and dark, on a phone, with assistive technology,
and with no script at all."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.browser_support import FIGURES, PAGES, PHONE, FigureProbe, visit

pytestmark = pytest.mark.browser
WITH_FIGURES = sorted({place.page for place in FIGURES})

FAINT, CRAMPED = (Path(__file__).with_name(name).read_text() for name in ("faint.js", "cramped.js"))
LUMINANCE = """element => {
  const [r, g, b] = getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}"""


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours(theme: str, page: str, browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{page}.html", color_scheme=theme) as visited:
        surfaces = visited.page.locator("body, .pe-root").all()
        luminance = [surface.evaluate(LUMINANCE) for surface in surfaces]
        themes = visited.page.locator(".pe-root").evaluate_all(
            "all => all.map(r => r.dataset.peTheme)"
        )
        faint = visited.page.evaluate(FAINT)
    assert all(light < 0.15 if theme == "dark" else light > 0.85 for light in luminance)
    assert set(themes) <= {theme}
    assert faint == []


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_no_serious_violation(theme: str, page: str, browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{page}.html", color_scheme=theme) as visited:
        results = Axe().run(visited.page, options={"resultTypes": ["violations"]})
    assert [
        f"{violation['impact']} {violation['id']}: {node['html'][:200]}"
        for violation in results.response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
    ] == []


@pytest.mark.parametrize("page", WITH_FIGURES)
def test_figures_follow_the_theme_switch(page: str, browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{page}.html", color_scheme="light") as visited:
        count = sum(place.page == page for place in FIGURES)
        figures = [FigureProbe.at(visited.page, number) for number in range(count)]
        light = [figure.picture() for figure in figures]
        switch = visited.page.locator(".theme-switch-button:visible").first
        while visited.page.locator("html").get_attribute("data-theme") != "dark":
            switch.click()
        dark = [figure.picture() for figure in figures]
        themes = [figure.root.get_attribute("data-pe-theme") for figure in figures]
    assert set(themes) == {"dark"}
    assert not set(light) & set(dark)


@pytest.mark.parametrize("page", PAGES)
def test_page_on_a_phone(page: str, browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/{page}.html", **PHONE) as visited:
        width = visited.page.evaluate("document.scrollingElement.scrollWidth")
        wide = visited.page.evaluate("visualViewport.width * visualViewport.scale")
        figures = visited.page.locator(".pe-root").all()
        cramped = [problem for figure in figures for problem in figure.evaluate(CRAMPED)]
    assert width <= 390
    assert wide == 390
    assert cramped == []


@pytest.mark.parametrize("page", PAGES)
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

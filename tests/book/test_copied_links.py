"""A link to a figure as it is set: copied from the figure, and opened in another window."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from book.tools.browser import settle
from pe_lib import figures
from tests.browser_support import FIGURES, PHONE, PLACE, FigureProbe, Place, visit

pytestmark = pytest.mark.browser
CLIPBOARD = {"permissions": ["clipboard-read", "clipboard-write"]}
REFUSE = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
CLOCKS = next(place for place in FIGURES if place.module == "ShiftClocks")
ENTERS = next(place for place in FIGURES if place.page == "chapters/00_warm_up")
TYPED = {
    "sentence": "I love you, don’t I?",
    "order": "2 1 0",
    "text": "Two lines & a “sign”:\n\tthat is all, 사과. " * 9,
}
# Every kind of control, and a figure that asks for more than one guess; the rest in the slow suite.
QUICK = {"AlibiBias", "Extrapolation", "ShiftClocks", "TokenShuffle", "WhereItEnters"}
each_figure = pytest.mark.parametrize(
    "place",
    [
        pytest.param(place, id=str(place), marks=[] if quick else [pytest.mark.slow])
        for place in FIGURES
        for quick in [place.module in QUICK and place.page != "index"]
    ],
)


def figure_at(page: Page, number: int) -> Locator:
    return page.locator(".pe-figure").nth(number)


def link(site: str, place: Place, **inputs: object) -> str:
    return f"{site}/{place.page}.html?{urlencode({'figure': place.module, **inputs})}"


def others(place: Place) -> dict[str, str]:
    """For every input of a figure a value that it does not start from, as a link writes it."""
    start = json.loads(place.inputs)

    def other(name: str, control: dict[str, Any]) -> str:
        if control["kind"] == "text":
            return TYPED[name]
        if control["kind"] == "toggle":
            return json.dumps(not start[name])
        if control["kind"] == "slider":
            return f"{control['low'] if start[name] == control['high'] else control['high']}"
        return next(option for option in reversed(control["options"]) if option != start[name])

    controls = getattr(figures, place.module).controls()
    return {name: other(name, control) for name, control in controls.items()}


def copied(page: Page, number: int) -> str:
    """What the figure's button puts into the clipboard, which was empty before."""
    page.evaluate("navigator.clipboard.writeText('')")
    figure_at(page, number).get_by_role("button", name="Copy link").press("Enter")
    expect(figure_at(page, number).locator(".pe-copy")).to_have_text("Copied")
    return str(page.wait_for_function("navigator.clipboard.readText()").json_value())


def is_where_one_looks(figure: Locator) -> bool:
    """Whether its upper end is at the window's, below the bar."""
    return bool(
        figure.evaluate(
            """async (figure) => {
              await new Promise((r) => setTimeout(r, 300));
              await window.typesetAll?.();
              const { top } = figure.getBoundingClientRect();
              return top > 40 && top < 120;
            }"""
        )
    )


@each_figure
def test_a_link_sets_every_input_and_the_figure_gives_it_back(
    place: Place, browser: Browser, site: str
) -> None:
    wanted = others(place)
    with visit(browser, link(site, place, **wanted), **CLIPBOARD) as visited:
        figure = figure_at(visited.page, place.number)
        back = urlsplit(copied(visited.page, place.number))
        assert back.path == f"/{place.page}.html"
        given = dict(parse_qsl(back.query))
        assert given.pop("figure") == place.module
        assert given.keys() == wanted.keys()
        assert [name for name in wanted if same(given[name], wanted[name])] == [*wanted]
        assert figure.locator(".pe-alert").is_hidden()
        assert figure.locator(".pe-words").is_visible()  # the answer, at once
        assert is_where_one_looks(figure)
        # Reset leads to what the chapter speaks of.
        FigureProbe.at(visited.page, place.number).reset()
        back = urlsplit(copied(visited.page, place.number))
        start = {name: as_text(value) for name, value in json.loads(place.inputs).items()}
        given = dict(parse_qsl(back.query)) | {"figure": ""}
        assert [name for name in start if same(given[name], start[name])] == [*start]
        assert visited.problems == []


def as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, or the same number."""
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


@pytest.mark.parametrize(
    "options", [pytest.param({}, marks=pytest.mark.slow), PHONE], ids=["laptop", "phone"]
)
def test_what_is_set_by_hand_is_found_again(
    options: dict[str, Any], browser: Browser, site: str
) -> None:
    with visit(browser, f"{site}/{CLOCKS.page}.html", **CLIPBOARD, **options) as visited:
        figure = FigureProbe.at(visited.page, CLOCKS.number)
        for name, value in (("dim", "12"), ("theta", "123.5")):
            figure.box(name).fill(value)
            figure.box(name).press("Enter")
        figure.root.get_by_label("show the cosine").click()
        seen = figure.picture(), figure.values()
        address = copied(visited.page, CLOCKS.number)
    with visit(browser, address, **options) as visited:
        figure = FigureProbe(figure_at(visited.page, CLOCKS.number).locator(".pe-root"))
        assert (figure.picture(), figure.values()) == seen
        assert not figure.root.locator(".pe-show").is_visible()
        assert is_where_one_looks(figure.root)
        assert visited.problems == []


def seen(page: Page, *places: Place) -> list[tuple[object, ...]]:
    """What some figures of a page show, and whether they ask."""
    settle(page)
    roots = [figure_at(page, place.number).locator(".pe-root") for place in places]
    parts = (".pe-show", ".pe-words", ".pe-alert")
    return [
        (FigureProbe(root).values(), *(root.locator(part).is_visible() for part in parts))
        for root in roots
    ]


# Ways to name no figure, or nothing that it takes.
USELESS = [
    "figure=ShiftClocks&dim=9&theta=-1&position=1e999&shift=&cosine=maybe&nothing=1",
    "figure=ShiftClocks&dim=8.5&theta=NaN&position=1_0&shift=99999&cosine=constructor",
    "figure=ShiftClocks&dim=%zz%&__proto__=1&constructor=2&=&&&",
    "figure=ShiftClocks.2&dim=4",
    "figure=%3Cb%3E%22'&dim=4",
    "dim=4",
]


@pytest.mark.slow
def test_what_a_figure_does_not_take_is_left_out(browser: Browser, site: str) -> None:
    address = f"{site}/{CLOCKS.page}.html"
    with visit(browser, address) as visited:
        plain = seen(visited.page, CLOCKS)
        for query in USELESS:
            visited.page.goto(f"{address}?{query}")
            assert seen(visited.page, CLOCKS) == plain, query
        visited.page.wait_for_load_state("networkidle")
        assert visited.problems == []


def test_what_it_takes_of_a_bad_link_is_set(browser: Browser, site: str) -> None:
    with visit(browser, link(site, CLOCKS, dim=9, shift=-7, theta="x")) as visited:
        figure = FigureProbe(figure_at(visited.page, CLOCKS.number).locator(".pe-root"))
        wanted = {"dim": "8", "theta": "10000", "position": "8", "shift": "-7"}
        assert {name: figure.box(name).input_value() for name in wanted} == wanted
        assert not figure.root.locator(".pe-show").is_visible()
        assert figure.root.locator(".pe-alert").is_hidden()
        assert visited.problems == []


def test_a_link_with_the_pages_own_settings_shows_the_answer_too(
    browser: Browser, site: str
) -> None:
    with visit(browser, link(site, CLOCKS, dim=8)) as visited:
        assert not figure_at(visited.page, CLOCKS.number).locator(".pe-show").is_visible()


@pytest.mark.slow
def test_the_other_figures_of_the_page_stay_as_they_are(browser: Browser, site: str) -> None:
    beside = [place for place in FIGURES if place.page == CLOCKS.page and place != CLOCKS]
    assert any("dim" in json.loads(place.inputs) for place in beside)
    with visit(browser, f"{site}/{CLOCKS.page}.html") as visited:
        plain = seen(visited.page, *beside)
    with visit(browser, link(site, CLOCKS, dim=12, theta=50)) as visited:
        assert seen(visited.page, *beside) == plain
        figure = FigureProbe(figure_at(visited.page, CLOCKS.number).locator(".pe-root"))
        assert figure.box("dim").input_value() == "12"


def test_two_figures_of_one_kind_are_told_apart(browser: Browser, site: str) -> None:
    def twice(route: Route) -> None:
        answer = route.fetch()
        html = answer.text()
        start = html.index('<div class="pe-figure"')
        end = html.index("</div>", start) + len("</div>")
        assert PLACE.search(html[start:end])
        route.fulfill(response=answer, body=html[:end] + html[start:end] + html[end:])

    context = browser.new_context(**CLIPBOARD, reduced_motion="reduce")
    page = context.new_page()
    page.route(f"{site}/{ENTERS.page}.html*", twice)
    page.goto(f"{site}/{ENTERS.page}.html")
    page.locator(".pe-figure[data-ready]").nth(1).wait_for()
    figure_at(page, 1).locator("[data-input=twin]").click()
    address = copied(page, 1)
    assert "figure=WhereItEnters.2&" in address
    assert "figure=WhereItEnters&" in copied(page, 0)
    page.goto(address)
    page.locator(".pe-figure[data-ready]").nth(1).wait_for()
    twins = page.locator("[data-input=twin]")
    assert [twins.nth(number).is_checked() for number in range(2)] == [False, True]
    context.close()


@pytest.mark.parametrize(
    "options", [{}, pytest.param(PHONE, marks=pytest.mark.slow)], ids=["laptop", "phone"]
)
def test_where_copying_is_refused_the_link_is_shown(
    options: dict[str, Any], browser: Browser, html: Path
) -> None:
    with visit(browser, f"{html.as_uri()}/{CLOCKS.page}.html", **options) as visited:
        page, figure = visited.page, FigureProbe.at(visited.page, CLOCKS.number)
        page.evaluate(REFUSE)
        figure.box("shift").fill("-3")
        figure.root.get_by_role("button", name="Copy link").press("Enter")
        field = figure.root.get_by_label("Copy this:")
        address = field.input_value()
        assert field.evaluate("field => field === document.activeElement")
        assert page.evaluate("getSelection().toString()") == address
        assert field.bounding_box()["width"] > 200
        assert page.evaluate("document.scrollingElement.scrollWidth") <= page.viewport_size["width"]
        figure.root.locator("[data-input=shift]").press("ArrowRight")
        assert field.count() == 0  # it is no longer the link to what is seen
    with visit(browser, address) as visited:
        figure = FigureProbe(figure_at(visited.page, CLOCKS.number).locator(".pe-root"))
        assert figure.box("shift").input_value() == "-3"
        assert visited.problems == []

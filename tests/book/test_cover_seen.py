"""The cover as readers first see it: its figure whole and shuffling once; and what links show."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from pe_lib.figures import TokenShuffle
from tests.browser_support import CHAPTERS, visit

pytestmark = pytest.mark.browser
LAPTOP = {"viewport": {"width": 1280, "height": 720}}
WAIT = 3000  # ms, in which whatever moves by itself has moved


@pytest.fixture
def moving(browser: Browser, site: str) -> Iterator[Page]:
    """The cover of a reader who lets things move, just opened."""
    options = LAPTOP | {"reduced_motion": "no-preference"}
    with visit(browser, f"{site}/index.html", **options) as visited:
        yield visited.page
    assert visited.problems == []


def words(page: Page) -> str:
    return " ".join(page.locator(".pe-moving .pe-grip").all_inner_texts())


def shuffled() -> str:
    typed = TokenShuffle().sentence.split()
    return " ".join(typed[int(number)] for number in TokenShuffle().order.split())


def test_the_whole_figure_is_on_the_first_screen(browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/index.html", **LAPTOP) as visited:
        card = visited.page.locator(".pe-root").bounding_box()
        start = visited.page.locator(".pe-start a").bounding_box()
    assert card["y"] + card["height"] < start["y"] + start["height"] < 720


def test_the_words_change_places_once_and_never_again(moving: Page) -> None:
    assert words(moving) == TokenShuffle().sentence
    expect(moving.locator(".pe-words")).to_contain_text("No output has changed")
    assert words(moving) == shuffled()
    moving.get_by_role("button", name="As typed").click()
    moving.locator(".bd-footer-content").scroll_into_view_if_needed()
    moving.locator("h1").scroll_into_view_if_needed()
    moving.wait_for_timeout(WAIT)
    assert words(moving) == TokenShuffle().sentence
    moving.locator(".pe-reset").click()
    assert words(moving) == shuffled()


def test_a_reader_who_was_first_is_left_alone(moving: Page) -> None:
    moving.get_by_label("positions added").click()
    moving.wait_for_timeout(WAIT)
    assert words(moving) == TokenShuffle().sentence


def test_a_link_to_the_figure_shows_what_it_says(browser: Browser, site: str) -> None:
    address = f"{site}/index.html?figure=TokenShuffle&order=5+4+3+2+1+0"
    with visit(browser, address, reduced_motion="no-preference") as visited:
        visited.page.wait_for_timeout(WAIT)
        assert words(visited.page) == "mat the on sat cat the"


def test_nothing_moves_where_motion_is_reduced(browser: Browser, site: str) -> None:
    with visit(browser, f"{site}/index.html", **LAPTOP) as visited:
        assert words(visited.page) == shuffled()


def test_every_page_says_what_a_shared_link_shows(html: Path) -> None:
    for name in ("index", *CHAPTERS):
        page = html / f"{name}.html"
        parsed = BeautifulSoup(page.read_text("utf-8"), "html.parser")
        said = {tag["property"]: tag["content"] for tag in parsed.select("meta[property^=og]")}
        title = parsed.title.get_text()
        own = title.removesuffix(f" — {said['og:site_name']}")
        assert said["og:title"] == own
        assert (own == said["og:site_name"] == title) == (name == "index")
        with Image.open(page.parent / said["og:image"]) as picture:
            size = {"og:image:width": str(picture.width), "og:image:height": str(picture.height)}
        assert size.items() <= said.items()
        described = parsed.select("meta[name=description]")
        assert [tag["content"] for tag in described] == [
            said[key] for key in ("og:description",) if key in said
        ]

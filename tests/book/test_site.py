"""The built book as a whole: its pages, the one for an address that is wrong, and the search."""

import inspect
import re
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from pe_lib import RotaryEmbedding
from tests.browser_support import CHAPTERS, PAGES, visit

pytestmark = pytest.mark.browser


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


# What learners search for, and where it is taught: the page and the section that come first.
TAUGHT = {
    "slopes": "08_relative#alibi-a-straight-line",
    "KV cache": "00_warm_up#the-kv-cache-one-word-at-a-time",
    "YaRN": "06_longer_context#each-pair-by-its-wavelength",
    "RoPE": "04_rope_by_hand#rotary-position-embedding-by-hand",
    "ALiBi": "08_relative#alibi-a-straight-line",
    "wavelength": "02_sinusoidal#from-fast-hands-to-slow-hands",
    "half-split": "04_rope_by_hand#which-features-are-a-pair",
    "interleaved": "04_rope_by_hand#which-features-are-a-pair",
    "NTK": "06_longer_context#change-the-base",
    "xPos": "06_longer_context_deeper#xpos-a-score-that-fades-with-distance",
    "T5": "08_relative#buckets-exact-when-near-coarse-when-far",
    "extrapolation": "06_longer_context#trained-short-asked-to-read-on",
    "permutation": "01_why_order_matters#attention-does-not-see-the-order",
    "causal mask": "00_warm_up#the-mask-no-looking-ahead",
    "learned": "03_learned#learned-position-embeddings",
    "2D": "07_two_dimensions#two-rotations-side-by-side",
    "Llama 3": "06_longer_context#each-pair-by-its-wavelength",
    "position interpolation": "06_longer_context#squeeze-the-positions",
    "lost in the middle": "09_comparison#two-tasks-on-random-strings",
}


def test_search_finds_first_where_a_thing_is_taught(browser: Browser, site: str) -> None:
    arguments = [*inspect.signature(RotaryEmbedding).parameters]
    expected = TAUGHT | {name: f"A_rotary_embedding#{name.replace('_', '-')}" for name in arguments}
    with visit(browser, f"{site}/search.html?q=order") as visited:
        found = {words: first_found(visited.page, words) for words in expected}
        visited.page.wait_for_load_state("networkidle")
    assert found == expected
    assert visited.problems == []


def test_search_shows_a_place_once_and_names_its_section(browser: Browser, html: Path) -> None:
    with visit(browser, f"{html.as_uri()}/search.html?q=ALiBi") as visited:
        expect(visited.page.locator("#search-results .search-summary")).to_contain_text("finished")
        found = visited.page.locator("#search-results li a").all_inner_texts()
    assert re.search(r"08 · .* > .*ALiBi: a straight line", found[0])
    assert len(found) > 3
    assert len(found) == len({*found})
    assert visited.problems == []


def test_search_from_disk_shows_where_a_word_stands(browser: Browser, html: Path) -> None:
    with visit(browser, f"{html.as_uri()}/search.html?q=ALiBi") as visited:
        excerpts = visited.page.locator("#search-results li .context")
        expect(excerpts.nth(3)).to_contain_text(re.compile("alibi", re.IGNORECASE))
    assert visited.problems == []


def first_found(page: Page, words: str) -> str:
    """The page and section found first for some words, on a page that has searched before."""
    expect(page.locator("#search-results .search-summary")).to_contain_text("finished")
    page.evaluate("Search.output.parentElement.replaceChildren()")
    page.evaluate("words => Search.performSearch(words)", words)
    page.locator("#search-results li a").first.wait_for()
    expect(page.locator("#search-results .search-summary")).to_contain_text("finished")
    place = urlsplit(page.locator("#search-results li a").first.get_attribute("href"))
    return f"{PurePosixPath(place.path).stem}#{place.fragment}"

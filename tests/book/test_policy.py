"""The content security policy that README gives to people who host the book.

That the pages work under it is shown by every test that opens them from a server: the server sends
this policy.
"""

import base64
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, ConsoleMessage, TimeoutError

from book.tools.browser import served
from tests.browser_support import FIGURES, PAGES, POLICY

SCRIPT = re.compile(r"<script(?![^>]* src=)[^>]*>(.*?)</script>", re.DOTALL)
HASH = re.compile(r"'(sha256-[^']+)'")
WITH_A_FIGURE = next(place.page for place in FIGURES if place.page.startswith("chapters/"))


def test_it_names_the_scripts_within_the_pages_and_no_others(html: Path) -> None:
    found = {
        f"sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}": (page, script)
        for page in (*PAGES, "404")
        for script in SCRIPT.findall((html / f"{page}.html").read_text("utf-8"))
    }
    named = HASH.findall(POLICY)
    unnamed = {name: where for name, where in found.items() if name not in named}
    assert unnamed == {}, "README's policy lacks these"
    assert [name for name in named if name not in found] == [], "README's policy has these in vain"


@pytest.mark.parametrize("address", ["index.html", "_static/pe-figures-index.js"])
def test_the_book_is_tested_under_it(address: str, site: str) -> None:
    with urlopen(f"{site}/{address}") as answer:
        assert answer.headers["Content-Security-Policy"] == POLICY


@pytest.mark.browser
def test_what_it_permits_is_needed(browser: Browser, html: Path) -> None:
    needed = {  # and the words by which the browser refuses it
        " blob:": "Loading the script 'blob:",
        " 'unsafe-inline'": "Applying inline style",
        " data:": "Loading the image 'data:",
        " font-src 'self';": "Loading the font",
    }
    strict = POLICY
    for part in needed:
        assert part in strict
        strict = strict.replace(part, "")
    unheard = set(needed.values())

    def all_heard(said: ConsoleMessage) -> bool:
        if "Content Security Policy" in said.text:
            unheard.difference_update([words for words in unheard if words in said.text])
        return not unheard

    page = browser.new_page()
    with (
        served(html, {"Content-Security-Policy": strict}) as address,
        suppress(TimeoutError),
        page.expect_console_message(all_heard, timeout=10_000),
    ):
        page.goto(f"{address}/{WITH_A_FIGURE}.html")
    page.close()
    assert unheard == set(), "the pages do not need these"

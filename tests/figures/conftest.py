"""The figures' scripts, as a page has them and as Node runs them."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from book.tools.browser import ANSWERED
from pe_lib.figures import Figure
from pe_lib.figures.base import style_sheet
from tests.figures.card import drawn
from tests.figures.comparing import Numbers, unpacked
from tests.figures.every import FIGURES

if TYPE_CHECKING:  # and imported where it is used: what runs in Node needs no browser
    from playwright.sync_api import Browser, Page, Route

ADDRESS = "http://figures.localhost/"  # of pages with one figure; nobody answers there but we
COMPUTE_IN_NODE = Path(__file__).with_name("compute_in_node.js")


@pytest.fixture(scope="session")
def figures_script() -> str:
    """The script of a page that shows every figure."""
    from book.pe_book.figures import script

    return script(FIGURES)


@pytest.fixture(scope="session")
def in_node() -> Callable[[type[Figure], list[dict]], list[Numbers]]:
    """What a figure's script computes for each of many inputs, in plain Node."""
    node = shutil.which("node")
    if node is None:
        reason = "Node is not installed (on Debian and Ubuntu: apt install nodejs)"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}, and in CI nothing may be left out", False)
        pytest.skip(reason)

    def computed(figure: type[Figure], settings: list[dict]) -> list[Numbers]:
        asked = json.dumps({"script": figure._esm, "settings": settings})
        command = [node, "--input-type=module", "--eval", COMPUTE_IN_NODE.read_text("utf-8")]
        run = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
        return [unpacked(answer) for answer in json.loads(run.stdout)]

    return computed


def answer(route: "Route") -> None:
    """What a book answers: the weights of a trained model, and otherwise an empty page."""
    from book.pe_book.language_model import script

    if kind := re.search(r"pe-weights-(\w+)\.js", route.request.url):
        route.fulfill(body=script(kind[1]), content_type="text/javascript")
    else:
        route.fulfill(body="", content_type="text/html")


@pytest.fixture(scope="session")
def idle_pages() -> list["Page"]:
    """Empty pages to use again: a new one takes four times as long as a figure in it."""
    return []


@pytest.fixture
def opened(
    browser: "Browser", figures_script: str, idle_pages: list["Page"]
) -> Iterator[Callable[..., "Page"]]:
    """Opens a page with one figure, which can be touched too."""
    pages = []

    def page(figure: Figure, height: int = 900) -> "Page":
        pages.append(idle_pages.pop() if idle_pages else new_page())
        pages[-1].set_viewport_size({"width": 700, "height": height})
        style = f"<style>{style_sheet()}</style>"
        pages[-1].set_content(f"<html data-content_root=./>{style}{figure.static_html()}")
        pages[-1].add_script_tag(content=figures_script)
        pages[-1].wait_for_selector(f".pe-figure[data-ready] .pe-root{ANSWERED}")
        drawn(pages[-1])
        return pages[-1]

    def new_page() -> "Page":
        page = browser.new_page(has_touch=True)
        page.route(f"{ADDRESS}**", answer)
        page.goto(ADDRESS)
        return page

    yield page
    for each in pages:
        each.mouse.up()
        each.mouse.move(0, 0)
        each.emulate_media(media="null", reduced_motion="null")
        each.goto(ADDRESS)
    idle_pages.extend(pages)

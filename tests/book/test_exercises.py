"""Every exercise of every page, opened from disk and answered: once rightly and once wrongly.

`make test` does this on one page of each kind, and `make test-all` on every page.
"""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from book.tools.notebooks import ROOT, code_cells, read
from pe_lib.exercises import check
from tests.browser_support import CHAPTERS, PHONE, one_of_each, visit
from tests.exercises_support import page_of, printed
from tests.page_support import violations

pytestmark = pytest.mark.usefixtures("without_shape_checks")


def asked_on(page: str) -> list[str]:
    """The exercises that a page asks, in its order."""
    notebook = ROOT / f"{page}.ipynb"
    sources = [cell.source for cell in code_cells(read(notebook))] if notebook.exists() else []
    return [name for source in sources for name in re.findall(r"^check\.(\w+)\(", source)]


ASKED = {page: names for page in CHAPTERS if (names := asked_on(page))}


def verdict(box: Locator, answer: str) -> str:
    """What the page says of this answer, in one line."""
    box.locator("textarea").fill(answer)
    box.get_by_role("button", name="Check").click()
    return " ".join(box.get_by_role("status").inner_text().split())


@pytest.mark.browser
@pytest.mark.parametrize("page", one_of_each(ASKED))
def test_every_exercise_is_answered(page: str, browser: Browser, html: Path) -> None:
    with visit(browser, f"{html.as_uri()}/{page}.html") as visited:
        boxes = visited.page.locator(".pe-exercise").all()
        for name, box in zip(ASKED[page], boxes, strict=True):
            (asked, data), exercise = page_of(name), getattr(check, name)
            mistake = exercise.mistakes[asked.told_apart.index(True)]
            shown = box.locator(".pe-ask pre").inner_text()
            assert shown.strip() == asked.code
            right = printed(asked.code, data["function"], exercise.reference)
            assert verdict(box, right).startswith("Right: ")
            wrong = printed(asked.code, data["function"], mistake.wrong)
            expected = f"Not yet: {mistake.message} Read again: {mistake.where}."
            assert verdict(box, wrong) == expected
        assert visited.problems == []


@pytest.mark.parametrize("page", ASKED)
def test_links_lead_to_the_sections_that_explain(page: str, html: Path) -> None:
    path = html / f"{page}.html"
    found = re.findall(r"data-exercise='([^']*)'", path.read_text("utf-8"))
    mistakes = [one for data in found for one in json.loads(unescape(data))["mistakes"]]
    for section, link in {(one["section"], one["link"]) for one in mistakes}:
        file, _, anchor = link.partition("#")
        text = (path.parent / (file or path.name)).read_text("utf-8")
        [heading] = re.findall(
            rf'<section id="{anchor}">(?:\s*<span id=[^>]*></span>)*\s*<h\d>(.*?)<a ', text
        )
        assert re.sub("<[^>]*>", "", heading).replace("’", "'").endswith(section)


@pytest.mark.browser
def test_by_keyboard_on_a_phone(browser: Browser, html: Path) -> None:
    page, [name, *_] = next(iter(ASKED.items()))
    with visit(browser, f"{html.as_uri()}/{page}.html", **PHONE) as visited:
        box = visited.page.locator(".pe-exercise").first
        box.get_by_label("Then paste what it printed").focus()
        visited.page.keyboard.type("5")
        visited.page.keyboard.press("Tab")
        visited.page.keyboard.press("Enter")
        assert box.get_by_role("status").inner_text().startswith("Not yet, and it is none of")
        assert box.locator("pre").last.is_hidden()
        box.get_by_text("In a notebook").press("Enter")
        assert box.locator("pre").last.inner_text().strip().startswith(f"check.{name}(")
        assert violations(visited) == []


@pytest.mark.browser
def test_without_scripts_the_cell_is_there_alone(browser: Browser, html: Path) -> None:
    page, names = next(iter(ASKED.items()))
    address = f"{html.as_uri()}/{page}.html"
    with visit(browser, address, java_script_enabled=False) as visited:
        for name, box in zip(names, visited.page.locator(".pe-exercise").all(), strict=True):
            shown = box.locator("pre:visible").all_inner_texts()
            assert [text.strip().partition("(")[0] for text in shown] == [f"check.{name}"]
            assert not box.locator("textarea").is_visible()

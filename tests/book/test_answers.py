"""An answer waits until it is asked for: how cells are folded, and what a reader meets."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from playwright.sync_api import Browser, Locator, Page

from book.pe_book.answers import BUTTON, kept_back
from book.pe_book.cells import END
from tests.browser_support import WIDE

PAGE = "chapters/05_rope_in_code"
PRINTED = nbformat.v4.new_output("stream", text="4\n")


def text(source: str, *tags: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(source, metadata={"tags": list(tags)})


def code(kind: str) -> NotebookNode:
    tags = {"tags": [kind, "answer"]}
    return nbformat.v4.new_code_cell("2 + 2", outputs=[PRINTED], metadata=tags)


def seen(cell: NotebookNode) -> str:
    if cell.cell_type == "markdown":
        return cell.source
    hidden = "remove-input" in cell.metadata.tags
    return "output" if hidden else "code and output" if cell.outputs else "code"


def test_of_an_idea_the_output_waits_and_the_code_does_not() -> None:
    cells = [text("How many?"), code("idea"), text("Four.", "answer"), text("So.")]
    assert [seen(cell) for cell in kept_back(cells)] == [
        *("How many?", "code", BUTTON, "output", "Four.", END, "So."),
    ]


def test_of_plumbing_everything_waits() -> None:
    assert [seen(cell) for cell in kept_back([code("plumbing")])] == [
        *(BUTTON, "code and output", END),
    ]


@pytest.fixture
def opened(browser: Browser, html: Path) -> Iterator[Page]:
    """A page with answers, from disk."""
    with browser.new_context(**WIDE) as window:
        page = window.new_page()
        page.goto((html / f"{PAGE}.html").as_uri())
        yield page


def word_of_one_answer(page: Page) -> str:
    """A word that the page holds in the text of one closed answer, and shows nowhere."""
    shown = page.locator(".bd-article").inner_text().lower()
    answers = [held.lower() for held in page.locator(".pe-answer").all_text_contents()]
    texts = " ".join(page.locator(".pe-answer p").all_text_contents()).lower()
    words = re.findall(r"\b[a-z]{6,}\b", texts)
    return next(
        word for word in words if word not in shown and sum(word in held for held in answers) == 1
    )


def answer(page: Page) -> Locator:
    return page.locator(".pe-answer > :not(summary)").first


def is_open(page: Page) -> bool:
    """Playwright takes what a closed fold holds for visible, where it has a place."""
    return answer(page).evaluate("answer => answer.checkVisibility()")


@pytest.mark.browser
def test_a_button_opens_an_answer_by_keyboard_and_closes_it(opened: Page) -> None:
    button = opened.locator(".pe-answer > summary").first
    assert not is_open(opened)
    assert button.inner_text() == "Show"
    button.press("Enter")
    assert is_open(opened)
    assert button.inner_text() == "Hide"
    button.press("Space")
    assert not is_open(opened)


@pytest.mark.browser
def test_a_link_into_an_answer_opens_it(opened: Page) -> None:
    answer(opened).evaluate("answer => { answer.id = 'there' }")
    opened.evaluate("location.hash = 'there'")
    opened.wait_for_function("document.querySelector('.pe-answer').open")


@pytest.mark.browser
def test_what_was_searched_for_is_not_left_in_a_closed_answer(opened: Page) -> None:
    word = word_of_one_answer(opened)
    assert word not in opened.locator(".bd-article").inner_text()
    # Set in the new page itself: what the old one stores may reach it late.
    opened.add_init_script(f"localStorage.setItem('sphinx_highlight_terms', '{word}')")
    opened.reload()
    opened.locator(".pe-answer[open] .highlighted").wait_for()
    # Closed by its reader it stays closed, whatever changes on the page.
    opened.locator(".pe-answer[open] > summary").click()
    opened.locator(".bd-article").evaluate("article => article.append('more')")
    opened.evaluate("() => new Promise(requestAnimationFrame)")
    assert opened.locator(".pe-answer[open]").count() == 0


@pytest.mark.browser
def test_on_paper_everything_is_open(opened: Page) -> None:
    opened.emulate_media(media="print")
    folded = opened.locator(":is(.pe-answer, .pe-code) > :not(summary)")
    hidden = "parts => parts.filter((part) => !part.checkVisibility()).length"
    assert folded.count() > 10
    assert folded.evaluate_all(hidden) == 0
    assert not opened.locator(".pe-answer > summary").first.is_visible()


@pytest.mark.browser
def test_without_javascript_answers_are_open(browser: Browser, html: Path) -> None:
    with browser.new_context(**WIDE, java_script_enabled=False) as window:
        page = window.new_page()
        page.goto((html / f"{PAGE}.html").as_uri())
        assert is_open(page)
        assert not page.locator(".pe-answer > summary").first.is_visible()

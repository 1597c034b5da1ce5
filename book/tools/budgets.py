"""Count every notebook of the chapters, beside what it may have.

    .venv/bin/python -m book.tools.budgets

A chapter's own notebook, its spine, is one sitting. What is there for whoever wants more, a deeper
page or a page of the appendix, is read in parts and may be longer. Screens are of the built book.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Page

from book.tools.browser import installed_chromium, launched, settle
from book.tools.build import HTML
from book.tools.length import Length, length_of
from book.tools.notebooks import chapters, read

WINDOW = {"width": 1280, "height": 900}  # px
ROW = "{:41}{:>16}{:>12}{:>14}{:>7}{:>9}{:>9}"
HEAD = ROW.format("", "words", "cells", "screens", "lines", "figures", "minutes")


@dataclass(frozen=True)
class Budget:
    """The most that a notebook may have; any number of screens where that is None."""

    words: int
    cells: int
    screens: int | None = None

    def allows(self, length: Length) -> bool:
        return length.words <= self.words and length.cells <= self.cells


SPINE = Budget(words=2600, cells=24, screens=21)
FURTHER = Budget(words=3500, cells=36)
# Fewer things, in fuller sentences: these show less code for their words.
IN_FULL = {
    "00_warm_up": Budget(words=2100, cells=17, screens=15),
    "01_why_order_matters": Budget(words=2750, cells=12, screens=15),
    "02_sinusoidal": Budget(words=3250, cells=14, screens=17),
    "03_learned": Budget(words=2900, cells=12, screens=14),
    "04_rope_by_hand": Budget(words=3300, cells=14, screens=20),
    "05_rope_in_code": Budget(words=2700, cells=16, screens=18),
    "06_longer_context": Budget(words=3150, cells=12, screens=17),
    "07_two_dimensions": Budget(words=2500, cells=10, screens=12),
    "08_relative": Budget(words=2800, cells=18, screens=18),
    "09_comparison": Budget(words=2850, cells=8, screens=13),
    "break_its_memory": Budget(words=500, cells=0, screens=5),
}


def is_spine(stem: str) -> bool:
    """Whether a notebook is a chapter's own, by its name: `02_name`, not `02_name_deeper`."""
    return stem[0].isdigit() and not stem.endswith("_deeper")


def budget_of(stem: str) -> Budget:
    """The budget of a notebook by its name."""
    return IN_FULL.get(stem, SPINE if is_spine(stem) else FURTHER)


def screens(page: Page) -> float:
    """How many windows the article of an open page fills, its folds closed."""
    return page.locator("article").evaluate("article => article.offsetHeight") / WINDOW["height"]


def built_pages() -> Iterator[tuple[str, Page]]:
    """Each chapter of the built book, open in a window; none where it or Chromium is missing."""
    pages = sorted(HTML.glob("chapters/*.html"))
    if pages and installed_chromium() is not None:
        with launched() as browser:
            window = browser.new_page(viewport=WINDOW)
            for page in pages:
                window.goto(page.as_uri())
                settle(window)
                yield page.stem, window


def row(stem: str, length: Length, filled: float | None) -> str:
    """A line of the table; `filled` is how many screens the built page fills, if there is one."""
    budget = budget_of(stem)
    shown = "–" if filled is None else f"{filled:.1f}"
    return ROW.format(
        stem,
        f"{length.words} of {budget.words}",
        f"{length.cells} of {budget.cells}",
        shown if budget.screens is None else f"{shown} of {budget.screens}",
        length.lines,
        length.figures,
        length.minutes,
    )


def main() -> None:
    measured = {stem: screens(page) for stem, page in built_pages()}
    print(HEAD)
    for path in chapters():
        print(row(path.stem, length_of(read(path)), measured.get(path.stem)))


if __name__ == "__main__":
    main()

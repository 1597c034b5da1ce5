"""Answers wait behind a button, so that readers of the book, too, can guess before they see.

A run of cells with the tag `answer` is one answer. Where it begins with an idea, the code of that
stays in sight, and only what it gives waits. On paper and without JavaScript every answer is open.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx

from book.tools.guesses import is_answer
from book.tools.kinds import shows_code

from . import write_static
from .cells import END, code_alone, markdown, output_alone, rewrite

HERE = Path(__file__).parent
NAMES = {"answers.js": "pe-answers.js", "answers.css": "pe-answers.css"}
CLASS = "pe-answer"
BUTTON = (
    f'<details class="{CLASS}"><summary><span class="pe-show">Show</span>'
    '<span class="pe-hide">Hide</span></summary>'
)


def kept_back(cells: list[NotebookNode]) -> Iterator[NotebookNode]:
    """The cells, with every answer inside a fold."""
    for answers, run in groupby(cells, key=is_answer):
        first, *others = run
        if not answers:
            yield from (first, *others)
            continue
        if shows_code(first):
            yield code_alone(first)
            others = [*output_alone(first), *others]
        else:
            others = [first, *others]
        yield from (markdown(BUTTON), *others, markdown(END))


def keep_answers_back(app: Sphinx, page: str, source: list[str]) -> None:
    rewrite(app, page, source, lambda cells: [*kept_back(cells)])


def write_assets(app: Sphinx) -> None:
    sources = {written: (HERE / name).read_text("utf-8") for name, written in NAMES.items()}
    write_static(app, sources)


def prepare_page(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Add script and style to a page that has an answer."""
    if f'class="{CLASS}"' in context.get("body", ""):
        app.add_js_file(NAMES["answers.js"], loading_method="defer")
        app.add_css_file(NAMES["answers.css"])


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_assets)
    # Before the cells are shown by their kinds: that leaves no tag that says which are answers.
    app.connect("source-read", keep_answers_back, priority=400)
    app.connect("html-page-context", prepare_page)

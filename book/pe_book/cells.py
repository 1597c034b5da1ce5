"""What the book shows of a code cell: all of it, its output alone, or its code folded.

A notebook is rewritten when it is read, by the kinds of its cells (`book/tools/kinds.py`). The file
itself, which readers can download, stays as it is.
"""

import html
from collections.abc import Callable

import nbformat
from nbformat import NotebookNode
from sphinx.application import Sphinx

from book.tools.kinds import CHECK, FIGURE, PLUMBING, SETUP, is_kind

FOLD = '<details class="pe-code"><summary>{}</summary>'
END = "</details>"


def markdown(text: str) -> NotebookNode:
    return nbformat.v4.new_markdown_cell(text)


def code_alone(cell: NotebookNode) -> NotebookNode:
    return NotebookNode({**cell, "outputs": []})


def output_alone(cell: NotebookNode) -> list[NotebookNode]:
    """The cell without its code; nothing where it has no output."""
    metadata = NotebookNode({"tags": ["remove-input"]})
    if "mystnb" in cell.metadata:  # the text for a picture
        metadata.mystnb = cell.metadata.mystnb
    alone = NotebookNode({**cell, "id": f"{cell.id}-output", "metadata": metadata})
    return [alone] if cell.outputs else []


def shown(cell: NotebookNode) -> list[NotebookNode]:
    """What stands on the page for a cell."""
    if cell.cell_type != "code":
        return [cell]
    if is_kind(cell, SETUP):
        return []
    if is_kind(cell, CHECK):
        return [code_alone(cell)]
    if is_kind(cell, FIGURE):
        return output_alone(cell)
    if is_kind(cell, PLUMBING):
        fold = markdown(FOLD.format(html.escape(cell.metadata.summary)))
        return [fold, code_alone(cell), markdown(END), *output_alone(cell)]
    return [cell]


def rewrite(
    app: Sphinx,
    page: str,
    source: list[str],
    change: Callable[[list[NotebookNode]], list[NotebookNode]],
) -> None:
    """Change the cells of a notebook that is about to become a page."""
    if app.env.doc2path(page).endswith(".ipynb"):
        notebook = nbformat.reads(source[0], as_version=4)
        notebook.cells = change(notebook.cells)
        source[0] = nbformat.writes(notebook)


def show_cells(app: Sphinx, page: str, source: list[str]) -> None:
    rewrite(app, page, source, lambda cells: [part for cell in cells for part in shown(cell)])


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("source-read", show_cells)

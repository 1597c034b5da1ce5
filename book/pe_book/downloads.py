"""Files to download, made of a notebook's own code cells.

Cells whose metadata has the same `download`, the name of a file, are that file together, in their
order, and the page has a link to it under the last of them. So the file says what the page says.
The notebook itself has no such link: in JupyterLab and in Colab it would lead nowhere.

The role `wheel` links the wheel of pe_lib, which `book.tools.build` puts beside the cover:
{wheel}`the library`.
"""

import html
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

import pe_lib

WHEEL = f"pe_lib-{pe_lib.__version__}-py3-none-any.whl"


def files_of(page: nodes.document) -> dict[str, list[nodes.container]]:
    """The cells of each file: name -> cells."""
    files: dict[str, list[nodes.container]] = {}
    for cell in page.findall(nodes.container):
        if name := cell.get("cell_metadata", {}).get("download"):
            files.setdefault(name, []).append(cell)
    return files


def text_of(cells: list[nodes.container]) -> str:
    """The cells' code as one file, with the two empty lines that part functions."""
    sources = (next(cell.findall(nodes.literal_block)).astext() for cell in cells)
    return "\n\n\n".join(source.strip("\n") for source in sources) + "\n"


def write_files(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Write a page's files beside it, and link them."""
    if app.builder.format != "html":
        return
    for name, cells in files_of(doctree).items():
        path = Path(app.outdir, page).parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(cells), "utf-8")
        link = f'<p><a href="{html.escape(name)}" download>Download {html.escape(name)}</a></p>'
        last = cells[-1]
        last.parent.insert(last.parent.index(last) + 1, nodes.raw("", link, format="html"))


class Wheel(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        address = "../" * self.env.docname.count("/") + WHEEL
        link = f'<a href="{address}" download>{html.escape(self.text)}</a>'
        return [nodes.raw("", link, format="html")], []


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_role("wheel", Wheel())
    app.connect("doctree-resolved", write_files)

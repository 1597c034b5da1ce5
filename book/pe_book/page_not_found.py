"""The page that a web server shows for an address that does not exist: 404.html.

It is shown at whatever depth the wrong address has, so it carries its style with it and refers to
no other file. A small script finds the book's first page from the address itself.
"""

from pathlib import Path

from sphinx.application import Sphinx

TEMPLATE = "page_not_found.html"


def write(app: Sphinx, error: Exception | None) -> None:
    """Write 404.html once the pages are written."""
    if error is not None or app.builder.format != "html":
        return
    page = app.builder.templates.render(TEMPLATE, {"title": app.config.html_title})
    (Path(app.outdir) / "404.html").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("build-finished", write)

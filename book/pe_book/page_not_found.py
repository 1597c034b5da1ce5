"""The page that a web server shows for an address that does not exist: 404.html.

It is shown at whatever depth the wrong address has, so it carries its style with it and refers to
no other file of the book.
"""

from pathlib import Path

from sphinx.application import Sphinx

from pe_lib.course.palette import css_variables

TEMPLATE = "page_not_found.html"


def write(app: Sphinx, error: Exception | None) -> None:
    """Write 404.html once the book's pages are written."""
    if error is not None or app.builder.format != "html":
        return
    values = {
        "title": app.config.html_title,
        "light": css_variables("light"),
        "dark": css_variables("dark"),
    }
    page = app.builder.templates.render(TEMPLATE, values)
    (Path(app.outdir) / "404.html").write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("build-finished", write)

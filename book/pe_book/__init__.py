"""The book's own Sphinx extension: live figures, math, page-not-found page and accessibility."""

from sphinx.application import Sphinx

from pe_book import mathjax, page_not_found, theme

PARTS = (mathjax, page_not_found, theme)


def setup(app: Sphinx) -> dict[str, bool]:
    """Set up every part; each lives in a module of its own."""
    for part in PARTS:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

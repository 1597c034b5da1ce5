"""The book's own Sphinx extension: what its pages need beyond Jupyter Book, part by part."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

# The library is read from this repository, whether or not it is installed.
sys.path.insert(0, str(Path(__file__).parents[2]))

from . import (
    api,
    api_links,
    chapters,
    colours,
    downloads,
    figures,
    live,
    mathjax,
    models,
    names,
    page_not_found,
    pictures,
    terms,
    theme,
)

PARTS = (
    api,
    api_links,
    chapters,
    colours,
    downloads,
    figures,
    live,
    mathjax,
    models,
    names,
    page_not_found,
    pictures,
    terms,
    theme,
)


def setup(app: Sphinx) -> dict[str, bool]:
    """Set up every part; each is a module of its own."""
    for part in PARTS:
        part.setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The script that tidies the search's results, for the search page to load."""

from pathlib import Path

from sphinx.application import Sphinx

from . import write_static

SCRIPT = "pe-search.js"


def write_script(app: Sphinx) -> None:
    write_static(app, {SCRIPT: Path(__file__).with_name("search.js").read_text("utf-8")})


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_script)

"""The script that tidies the search's results, for the search page to load."""

import shutil
from pathlib import Path

from sphinx.application import Sphinx

SCRIPT = "pe-search.js"


def write_script(app: Sphinx) -> None:
    """Write the script beside the pages."""
    if app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(__file__).with_name("search.js"), static / SCRIPT)


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_script)

"""The book's own Sphinx extension: what its pages need beyond Jupyter Book, part by part."""

import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from sphinx.application import Sphinx

# The library is read from this repository, whether or not it is installed.
sys.path.insert(0, str(Path(__file__).parents[2]))


def write_static(app: Sphinx, texts: Mapping[str, str]) -> None:
    """Write scripts and styles, by name, before the pages, which name them with a checksum."""
    if app.builder.format == "html":
        static = Path(app.outdir) / "_static"
        static.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (static / name).write_text(text, "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Set up every part: each module of this folder is one."""
    for part in iter_modules(__path__):
        import_module(f"{__name__}.{part.name}").setup(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

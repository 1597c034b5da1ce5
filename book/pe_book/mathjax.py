"""MathJax from the book itself: no page asks another host, and math shows offline too.

The scripts and fonts come from the package sphinx-mathjax-offline. Of its 24 MB only the parts
that turn TeX into HTML are copied (1.5 MB), and a page loads only those that it uses: formulas.js,
a small script that every page with math has, loads them and says when to typeset what. They are
copied when the build ends, not through html_static_path, for jupyter-book adds every script that
it finds there to every page.
"""

import shutil
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docutils.nodes import Node, document, math, math_block
from sphinx.application import Sphinx
from sphinx.config import Config

from . import write_static

HERE = Path(__file__).parent
SCRIPT = "pe-formulas.js"

# What every page with math loads. MathML is kept beside the picture for screen readers.
COMPONENTS = ["core", "input/tex", "output/chtml", "a11y/assistive-mml"]

# The components, and what they ask for: fonts, and TeX extensions where a formula uses one.
FILES = [
    "startup.js",
    *(f"{component}.js" for component in COMPONENTS),
    "output/chtml/fonts/tex.js",
]
FOLDERS = ["output/chtml/fonts/woff-v2", "input/tex/extensions"]

NOTICE = """MathJax 3.2.2, https://www.mathjax.org
Copyright The MathJax Consortium
Licensed under the Apache License, Version 2.0, whose text is in LICENSE.txt
"""
LICENCE = HERE / "mathjax.licence.txt"


def source() -> Path:
    """The folder of the installed MathJax files. The package's name is not an importable one."""
    package = distribution("sphinx-mathjax-offline")
    return Path(str(package.locate_file("sphinx-mathjax-offline/static/mathjax")))


def copy(target: Path) -> None:
    """Copy the parts of MathJax that the book uses into the folder `target`."""
    for name in FILES:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source() / name, target / name)
    # all-packages.js holds every extension once more.
    unused = shutil.ignore_patterns("all-packages.js")
    for name in FOLDERS:
        shutil.copytree(source() / name, target / name, ignore=unused, dirs_exist_ok=True)
    (target / "NOTICE.txt").write_text(NOTICE, encoding="utf-8")
    shutil.copyfile(LICENCE, target / "LICENSE.txt")  # which asks for a copy wherever MathJax goes


def configure(app: Sphinx, config: Config) -> None:
    """Give pages with math the small script, and MathJax its settings."""
    config.mathjax_path = SCRIPT
    config.mathjax3_config = {"loader": {"load": COMPONENTS}, "startup": {"typeset": False}}


def write_script(app: Sphinx) -> None:
    write_static(app, {SCRIPT: (HERE / "formulas.js").read_text("utf-8")})


def leave_out(
    app: Sphinx, page: str, template: str, context: dict, doctree: document | None
) -> None:
    """Take MathJax from a page without math, for it is most of what such a page would load.

    Sphinx gives it also to a page whose subpages have math, as a cover's chapters do.
    """
    if doctree is not None and not any(doctree.findall(is_math)):
        context["script_files"][:] = filter(is_no_mathjax, context["script_files"])


def is_math(node: Node) -> bool:
    """True for what Sphinx writes for MathJax to read."""
    return isinstance(node, (math, math_block))


def is_no_mathjax(script: Any) -> bool:
    """False for the formulas' script and for the one that holds MathJax's settings."""
    name, text = str(script.filename or ""), script.attributes.get("body", "")
    return not (name.endswith(SCRIPT) or text.startswith("window.MathJax"))


def copy_into_book(app: Sphinx, error: Exception | None) -> None:
    """Copy MathJax beside the pages once they are written."""
    if error is None and app.builder.format == "html":
        copy(Path(app.outdir) / "_static" / "mathjax")


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    # Before MyST adds its own options to the same setting.
    app.connect("config-inited", configure, priority=100)
    app.connect("builder-inited", write_script)
    # After Sphinx has added it.
    app.connect("html-page-context", leave_out, priority=900)
    app.connect("build-finished", copy_into_book)

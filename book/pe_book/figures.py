"""Live figures in pages without a kernel.

One classic script holds the scripts of all figures as text and loads each, after those that it
imports, from a blob address: unlike a module script of its own, that also works for a page opened
straight from disk. It is added only to pages that show a figure. Where scripts do not run, a still
picture stands in.
"""

import hashlib
import html
import json
import re
import shutil
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from pe_lib import figures
from pe_lib.figures import scripts
from pe_lib.figures.base import Figure, style_sheet

HERE = Path(__file__).parent
STILLS = HERE.parent / "stills"
SCRIPT, STYLE = "pe-figures.js", "pe-figures.css"
PLACE = re.compile(
    r'<div class="pe-figure" data-module="(\w+)" data-inputs="([^"]*)">(.*?)</div>', re.S
)


def figure_classes() -> list[type[Figure]]:
    """Every live figure of pe_lib."""
    found = (getattr(figures, name) for name in figures.__all__)
    return [figure for figure in found if figure is not Figure]


def script() -> str:
    """The page's script: the figures with their scripts as text, then figures.js of this folder."""
    imported = {figure: scripts.imported(figure.script()) for figure in figure_classes()}
    sources = {
        scripts.name_of(path): scripts.as_constant(path)
        for paths in imported.values()
        for path in paths
    }
    shown = {
        figure.__name__: {
            "imports": [scripts.name_of(path) for path in paths],
            "source": scripts.resolved(figure.script()),
            "question": figure.question,
            "asks": figure.asks,
            "controls": list(figure.controls().values()),
        }
        for figure, paths in imported.items()
    }
    data = {"PE_SOURCES": sources, "PE_FIGURES": shown}
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in data.items()]
    return "".join(lines) + (HERE / "figures.js").read_text("utf-8")


def still_name(module: str, inputs: str) -> str:
    """File name of the still picture of a figure with these inputs (their JSON text)."""
    return f"{module}-{hashlib.sha256(inputs.encode()).hexdigest()[:8]}.webp"


def add_stills(body: str, to_root: str) -> str:
    """Give every figure's place its still picture, for readers without JavaScript."""

    def with_still(place: re.Match) -> str:
        module, inputs, text = place.groups()
        name = still_name(module, html.unescape(inputs))
        if not (STILLS / name).exists():
            return place.group()
        alt = getattr(figures, module).summary
        image = f'<img src="{to_root}_static/stills/{name}" alt="{html.escape(alt)}">'
        return place.group().replace(text, f"{text}<noscript>{image}</noscript>")

    return PLACE.sub(with_still, body)


def write_assets(app: Sphinx) -> None:
    """Write script, style and stills before the pages, which name them with a checksum."""
    if app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    static.mkdir(parents=True, exist_ok=True)
    (static / SCRIPT).write_text(script(), "utf-8")
    (static / STYLE).write_text(style_sheet() + (HERE / "figures.css").read_text("utf-8"), "utf-8")
    shutil.copytree(STILLS, static / "stills", dirs_exist_ok=True)


def prepare_page(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Add the script and the stills to a page that shows a figure."""
    if PLACE.search(context.get("body", "")):
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_css_file(STYLE)
        context["body"] = add_stills(context["body"], "../" * page.count("/"))


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", prepare_page)

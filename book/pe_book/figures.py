"""Live figures in pages without a kernel.

A page that shows figures gets one classic script, which holds the scripts of these figures as text
and loads each, after those that it imports, from a blob address: unlike a module script of its own,
that also works for a page opened straight from disk. Where scripts do not run, a still picture
stands in.
"""

import hashlib
import html
import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx

from pe_lib import figures
from pe_lib.figures import scripts
from pe_lib.figures.base import Figure, style_sheet

from . import write_static

HERE = Path(__file__).parent
STILLS = HERE.parent / "stills"
STYLE = "pe-figures.css"
ANCHOR = "pe-first-figure"  # where the link leads by which the keyboard skips to a figure
STILL_SCALE = 2  # pixels of a still picture for one of the page
PLACE = re.compile(
    r'<div class="pe-figure" data-module="(\w+)" data-inputs="([^"]*)">(.*?)</div>', re.S
)


def script(shown: Iterable[type[Figure]]) -> str:
    """A page's script: the figures that it shows with their scripts as text, then figures.js."""
    imported = {figure: scripts.imported(figure.script()) for figure in shown}
    sources = {
        scripts.name_of(path): scripts.as_constant(path)
        for paths in imported.values()
        for path in paths
    }
    described = {
        figure.__name__: {
            "imports": [scripts.name_of(path) for path in paths],
            "source": scripts.resolved(figure.script()),
            "question": figure.question,
            "asks": figure.asks,
            "controls": list(figure.controls().values()),
        }
        for figure, paths in imported.items()
    }
    data = {"PE_SOURCES": sources, "PE_FIGURES": described}
    lines = [f"const {name} = {json.dumps(value)};\n" for name, value in data.items()]
    return "".join(lines) + (HERE / "figures.js").read_text("utf-8")


def still_name(module: str, inputs: str) -> str:
    """File name of the still picture of a figure with these inputs (their JSON text)."""
    return f"{module}-{hashlib.sha256(inputs.encode()).hexdigest()[:8]}.webp"


def add_stills(body: str, to_root: str) -> str:
    """Give every figure's place its still picture, for readers without JavaScript.

    The place says how high the picture is, so that nothing moves when the figure comes.
    """

    def with_still(place: re.Match) -> str:
        module, inputs, text = place.groups()
        name = still_name(module, html.unescape(inputs))
        if not (STILLS / name).exists():
            return place.group()
        alt = getattr(figures, module).summary
        image = f'<img src="{to_root}_static/stills/{name}" alt="{html.escape(alt)}">'
        with Image.open(STILLS / name) as still:
            height = still.height // STILL_SCALE
        opened = place.group().partition(">")[0]
        return f'{opened} style="--pe-height: {height}px">{text}<noscript>{image}</noscript></div>'

    return PLACE.sub(with_still, body)


def write_assets(app: Sphinx) -> None:
    """Write style and stills before the pages, which name them with a checksum."""
    write_static(app, {STYLE: style_sheet() + (HERE / "figures.css").read_text("utf-8")})
    if app.builder.format == "html":
        shutil.copytree(STILLS, Path(app.outdir) / "_static" / "stills", dirs_exist_ok=True)


def prepare_page(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Add its script and the stills to a page that shows a figure."""
    if shown := dict.fromkeys(match[1] for match in PLACE.finditer(context.get("body", ""))):
        name = f"pe-figures-{PurePosixPath(page).name}.js"
        write_static(app, {name: script(getattr(figures, module) for module in shown)})
        app.add_js_file(name, loading_method="defer")
        app.add_css_file(STYLE)
        context["body"] = add_stills(context["body"], "../" * page.count("/"))
        first = '<div class="pe-figure"'
        anchor = f'<div id="{ANCHOR}"></div>'
        context["body"] = context["body"].replace(first, f"{anchor}{first}", 1)
        context["figure_anchor"] = ANCHOR


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_assets)
    app.connect("html-page-context", prepare_page)

"""The script that tidies the search's results, and the pages' texts for a search without a server.

A page opened from disk may not read other pages, so a script that it can load holds their texts.
"""

import html
import json
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

from . import write_static

SCRIPT = "pe-search.js"
TEXTS = "pe-texts.js"
TAG = re.compile(r"<[^>]*>")


def write_script(app: Sphinx) -> None:
    write_static(app, {SCRIPT: Path(__file__).with_name("search.js").read_text("utf-8")})


def write_texts(app: Sphinx, error: Exception | None) -> None:
    """Write every page's text once the pages are written."""
    if error is None:
        documents = {name: app.env.get_doctree(name) for name in sorted(app.env.found_docs)}
        texts = {name: f'<div role="main">{text(page)}</div>' for name, page in documents.items()}
        write_static(app, {TEXTS: f"const PE_TEXTS = {json.dumps(texts)};\n"})


def text(node: nodes.Element) -> str:
    """What a page or section says, as HTML without any tags but those of its sections.

    Example:
        >>> section = nodes.section("", nodes.title("", "A < B"), ids=["a-b"])
        >>> text(nodes.document(None, None, section))
        '<section id="a-b">A &lt; B</section>'
    """
    parts = []
    for child in node.children:
        if isinstance(child, nodes.section):
            parts.append(f'<section id="{child["ids"][0]}">{text(child)}</section>')
        else:
            said = child.astext()
            if isinstance(child, nodes.raw):
                said = html.unescape(TAG.sub(" ", said))
            parts.append(html.escape(" ".join(said.split())))
    return " ".join(parts)


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_script)
    app.connect("build-finished", write_texts)

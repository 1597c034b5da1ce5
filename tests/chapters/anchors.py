"""The headings of the pages in `chapters/`, as links name them."""

import re
from functools import cache

from docutils.nodes import make_id

from book.tools import notebooks

HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
CODE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\(([^()#\s]*)(?:#([^()\s]+))?\)")
FOLDER = notebooks.ROOT / "chapters"


@cache
def text_of(page: str) -> str:
    """The Markdown of a page, `02_name.ipynb` or `name.md`, without blocks of code."""
    path = FOLDER / page
    if path.suffix == ".ipynb":
        cells = notebooks.read(path).cells
        text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    else:
        text = path.read_text("utf-8")
    return CODE.sub("", text)


def anchor(heading: str) -> str:
    """What a link calls a heading (see `_config.yml`): its words, without the formulas.

    >>> anchor("3 · From $2d$ to `theta`")
    'from-to-theta'
    """
    return str(make_id(re.sub(r"\$[^$]*\$|[*`]", "", heading)))


@cache
def anchors(page: str) -> frozenset[str]:
    """The anchors of a page's headings, as links name them."""
    return frozenset(map(anchor, HEADING.findall(text_of(page))))


def links(markdown: str, page: str) -> list[tuple[str, str, str]]:
    """The text, the page and the anchor of each link on this page that stays in `chapters/`."""
    return [
        (" ".join(text.split()), target or page, anchor)
        for text, target, anchor in LINK.findall(markdown)
        if "//" not in target
    ]

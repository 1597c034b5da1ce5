"""What the search finds first for the words of the subject: where they are taught.

`terms.yml`, beside this file, lists the sections with their words. Each word becomes a main entry
of the index, as a heading does that is one name of code (`names.py`).
"""

from functools import cache
from pathlib import Path

import yaml
from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

TABLE = Path(__file__).with_suffix(".yml")
logger = logging.getLogger(__name__)


@cache
def sections() -> dict[str, dict[str, list[str]]]:
    """The words of each section that has some: page -> anchor -> words."""
    found: dict[str, dict[str, list[str]]] = {}
    for place, words in yaml.safe_load(TABLE.read_text("utf-8")).items():
        page, _, anchor = place.partition("#")
        found.setdefault(page, {})[anchor] = words
    return found


class IndexTerms(SphinxTransform):
    """Give the sections of a page their index entries; one that is missing is a warning."""

    default_priority = 880  # when the sections have their ids

    def apply(self) -> None:
        page = self.env.docname
        here = {name: node for node in self.document.findall(nodes.section) for name in node["ids"]}
        for anchor, words in sections().get(page, {}).items():
            if (section := here.get(anchor)) is None:
                logger.warning("%s: no section of this page is #%s", TABLE.name, anchor)
                continue
            entries = [("single", word, section["ids"][0], "main", None) for word in words]
            section.insert(1, addnodes.index(entries=entries))


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_transform(IndexTerms)

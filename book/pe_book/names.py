"""A heading that is one name of code, such as `theta`, is what a search for that name finds first.

It becomes a main entry of the index: the search ranks those above headings and text that hold the
name among other words.
"""

import pickle
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import ENV_PICKLE_FILENAME, Sphinx
from sphinx.transforms import SphinxTransform


class IndexNames(SphinxTransform):
    """Give each section whose heading is one name an index entry, which leads to the section."""

    default_priority = 880  # when the sections have their ids

    def apply(self) -> None:
        for section in self.document.findall(nodes.section):
            title = section.next_node(nodes.title)
            if title is not None and [type(child) for child in title] == [nodes.literal]:
                entry = ("single", title.astext(), section["ids"][0], "main", None)
                section.insert(1, addnodes.index(entries=[entry]))


def keep_search(app: Sphinx, error: Exception | None) -> None:
    """Keep what the search has learned of pages that the next build will not write again.

    Sphinx stores its environment when all pages are read, and the search index is made afterwards:
    without this, a build of one changed page forgets the entries and headings of all others.
    """
    if error is None:
        with Path(app.doctreedir, ENV_PICKLE_FILENAME).open("wb") as file:
            pickle.dump(app.env, file, pickle.HIGHEST_PROTOCOL)


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_transform(IndexNames)
    app.connect("build-finished", keep_search)

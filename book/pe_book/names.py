"""A heading that is one name of code, such as `theta`, is what a search for that name finds first.

It becomes a main entry of the index: the search ranks those above headings and text that hold the
name among other words. A word that a page's text itself gives to the index, with the role `index`,
leads to its section.
"""

import pickle
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import ENV_PICKLE_FILENAME, Sphinx
from sphinx.transforms import SphinxTransform


class IndexNames(SphinxTransform):
    """Let index entries lead to sections, and give one to each whose heading is one name."""

    default_priority = 880  # when the sections have their ids

    def apply(self) -> None:
        for word in self.document.findall(addnodes.index):
            # Otherwise it leads to an empty place before the word, of which the search has no text
            # to show, and stops with an error.
            place = section_of(word)["ids"][0]
            word["entries"] = [(kind, name, place, *key) for kind, name, _, *key in word["entries"]]
        for section in self.document.findall(nodes.section):
            title = section.next_node(nodes.title)
            if title is not None and [type(child) for child in title] == [nodes.literal]:
                entry = ("single", title.astext(), section["ids"][0], "main", None)
                section.insert(1, addnodes.index(entries=[entry]))


def section_of(node: nodes.Node) -> nodes.section:
    """The innermost section around a node."""
    while not isinstance(node, nodes.section):
        node = node.parent
    return node


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

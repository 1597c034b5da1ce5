"""Links from the chapters to the API reference.

The first time that a page's text names something public of pe_lib as inline code, and the first
time that its code uses it from there, the name is a link to its entry. A page that teaches names
which it never says ends with a line that does.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from .api import NAMES, PAGE

# What a line of code uses of pe_lib, as it is written and as it is shown: pe_lib.name, or an import
ONE = rf"({'|'.join(sorted(NAMES))})\b"
ATTRIBUTE = re.compile(rf"(?:(?<=\bpe_lib\.)|(?<=\bdiagnostics\.)){ONE}")
IMPORTED = re.compile(rf"(?<=[ ,]){ONE}")
IMPORT = re.compile(r"\bfrom\b.*\bpe_lib\b.*\bimport\b")
CODE = re.compile(
    r'<div class="highlight-i?python3?\b[^"]*"><div class="highlight"><pre>.*?</pre>', re.S
)
NO_PLACE = (nodes.reference, addnodes.pending_xref, nodes.title, addnodes.desc_signature)


class LinkNames(SphinxTransform):
    """Link inline code that is a public name, once a page (in the reference once an entry)."""

    default_priority = 880  # when the sections have their ids

    def apply(self) -> None:
        if PAGE not in self.env.found_docs:
            return
        self.env.note_dependency(f"{PAGE}.md")
        linked = set()
        for literal in [*self.document.findall(nodes.literal)]:
            name = literal.astext().removeprefix("pe_lib.")
            entry = entry_around(literal)
            if name in NAMES and (entry, name) not in linked and fits(literal, name, entry):
                linked.add((entry, name))
                target = {"refdomain": "py", "reftype": "obj", "reftarget": f"pe_lib.{name}"}
                link = addnodes.pending_xref("", refdoc=self.env.docname, **target)
                literal.replace_self(link)
                link += literal


def around(node: nodes.Node, *kinds: type[nodes.Node]) -> list[nodes.Node]:
    """The nodes of these kinds that hold a node, from the inside to the outside."""
    outside = []
    while node := node.parent:
        outside.append(node)
    return [node for node in outside if isinstance(node, kinds)]


def entry_around(node: nodes.Node) -> str:
    """The outermost name of the reference whose entry a node is in, or nothing."""
    entries = around(node, addnodes.desc)
    return entries[-1][0]["ids"][0] if entries else ""


def fits(literal: nodes.literal, name: str, entry: str) -> bool:
    """Whether a name can be a link here: not in another or in a heading, nor to where it stands."""
    return entry != f"pe_lib.{name}" and not around(literal, *NO_PLACE)


def name_what_is_taught(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """End a page with the names that it teaches and never says."""
    places = app.env.metadata[PAGE].get("places", {})
    unsaid = places.keys() - said(doctree)
    if names := sorted(name for name in unsaid if places[name].partition("#")[0] == page):
        sections = [*doctree.findall(nodes.section)]
        sections[-1] += in_the_library(app, page, names)


def in_the_library(app: Sphinx, page: str, names: list[str]) -> nodes.paragraph:
    """The line that links these names."""
    line = nodes.paragraph("", "In the library: ", classes=["pe-in-library"])
    for number, name in enumerate(names):
        address = f"{app.builder.get_relative_uri(page, PAGE)}#pe_lib.{name}"
        line += nodes.Text(", " if number else "")
        line += nodes.reference("", "", nodes.literal("", name), refuri=address, internal=True)
    line += nodes.Text(".")
    return line


def said(doctree: nodes.document) -> set[str]:
    """The names that a page links in its text, or uses in its code."""
    links = (link.get("refuri", "") for link in doctree.findall(nodes.reference))
    linked = {link.partition("#pe_lib.")[2] for link in links}
    code = (block.astext() for block in doctree.findall(nodes.literal_block))
    return linked | {
        name for text in code for line in text.splitlines() for name in uses(line).findall(line)
    }


def uses(line: str) -> re.Pattern[str]:
    """What finds the public names that a line of code, or of its HTML, takes from pe_lib."""
    return IMPORTED if IMPORT.search(line) else ATTRIBUTE


def link_code(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Link each name where the page's code first uses it."""
    if page == PAGE or PAGE not in app.env.all_docs or "body" not in context:
        return
    address = context["pathto"](PAGE)
    linked = set()

    def with_links(block: re.Match[str]) -> str:
        return "\n".join(uses(line).sub(with_link, line) for line in block.group().split("\n"))

    def with_link(use: re.Match[str]) -> str:
        if use.group() in linked:
            return use.group()
        linked.add(use.group())
        return f'<a class="pe-api" href="{address}#pe_lib.{use.group()}">{use.group()}</a>'

    context["body"] = CODE.sub(with_links, context["body"])


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_transform(LinkNames)
    app.connect("doctree-resolved", name_what_is_taught)
    app.connect("html-page-context", link_code, priority=600)  # after the theme's repairs

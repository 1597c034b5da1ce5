"""The API reference: an entry for every public name of pe_lib, made from its docstring.

The directive `api` holds a name a line, and the section that teaches it:

```{api}
wavelengths chapters/02_sinusoidal#from-fast-hands-to-slow-hands
```

Sphinx's autodoc writes the entry; under its first sentence comes the link to the section. The links
back are in `api_links`.
"""

import ast
import inspect
import textwrap
from dataclasses import is_dataclass
from pydoc import locate
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective
from sphinx.util.inspect import stringify_signature

import pe_lib

PAGE = "chapters/api"
NAMES = frozenset(pe_lib.__all__)
# Docstring sections that are one text, in which Napoleon would take a word and a colon for a type.
TEXTS = {"Returns:": ":returns:", "Source:": ":source:"}


class Api(SphinxDirective):
    has_content = True

    def run(self) -> list[nodes.Node]:
        lines = [line.split() for line in self.content]
        entries = [node for name, place in lines for node in self.entry(name, place)]
        return [jump_list([name for name, _ in lines]), *entries]

    def entry(self, name: str, place: str) -> list[nodes.Node]:
        """What autodoc writes of a name, and under the first sentence where it is taught."""
        thing = locate(f"pe_lib.{name}")
        if thing is None:
            raise ExtensionError(f"{self.env.docname}: pe_lib has no {name}")
        directive = "autoclass" if isinstance(thing, type) else "autofunction"
        members = "   :members:\n" if isinstance(thing, type) else ""
        entry = self.parse_text_to_nodes(
            f"```{{eval-rst}}\n.. {directive}:: pe_lib.{name}\n{members}```"
        )
        content = next(node for part in entry for node in part.findall(addnodes.desc_content))
        content[1:1] = self.parse_text_to_nodes(taught_in(place))
        self.env.metadata[self.env.docname].setdefault("places", {})[name] = place
        return entry


def jump_list(names: list[str]) -> nodes.paragraph:
    """Links to the entries of these names."""
    line = nodes.paragraph(classes=["pe-names"])
    for name in names:
        link = nodes.reference("", "", nodes.literal("", name), refid=f"pe_lib.{name}")
        line += [link, nodes.Text(" ")]
    return line


def taught_in(place: str) -> str:
    """The line that links a section, whose heading becomes the link's text.

    >>> taught_in("chapters/03_learned_deeper#stretching-a-table")
    'Taught in chapter 03, deeper: [](/chapters/03_learned_deeper.ipynb#stretching-a-table)'
    """
    page, _, anchor = place.partition("#")
    number, *rest = page.removeprefix("chapters/").split("_")
    if not rest:  # the cover
        return f"Said in [](/{page}.md#{anchor})"
    chapter = f"{'chapter' if number.isdigit() else 'appendix'} {number}"
    deeper = ", deeper" if rest[-1] == "deeper" else ""
    return f"Taught in {chapter}{deeper}: [](/{page}.ipynb#{anchor})"


def as_written(thing: Any) -> tuple[str, str]:
    """The arguments and the result of a function or a class, as its source has them."""
    if is_dataclass(thing):  # whose __init__ has no source
        plain = stringify_signature(
            inspect.signature(thing), show_return_annotation=False, unqualified_typehints=True
        )
        return plain, ""
    function = thing.__init__ if isinstance(thing, type) else thing
    [tree] = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    if tree.args.args and tree.args.args[0].arg == "self":
        del tree.args.args[0]
    result = ast.unparse(tree.returns) if tree.returns and function is thing else ""
    return f"({ast.unparse(tree.args)})", result


def write_signature(
    app: Sphinx, what: str, name: str, thing: Any, options: object, *given: str | None
) -> tuple[str | None, str | None] | None:
    """Called by autodoc, whose own signatures spell types as Python has them in memory."""
    if what not in ("function", "class", "method"):
        return None
    arguments, result = as_written(thing)
    # A single axis is written " pairs", which keeps linters from taking it for a name.
    return arguments.replace("' ", "'"), result.replace("' ", "'")


def write_fields(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Called by autodoc: write a docstring's sections of plain text as fields."""
    lines[:] = [TEXTS.get(line, line) for line in lines]


def written_anew(app: Sphinx, environment: BuildEnvironment) -> list[str]:
    """The reference is written whenever a page is: its links have the headings of the chapters."""
    return [PAGE] if PAGE in environment.all_docs else []


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_directive("api", Api)
    app.connect("autodoc-process-signature", write_signature)
    app.connect("autodoc-process-docstring", write_fields, priority=400)  # before Napoleon
    app.connect("env-updated", written_anew)

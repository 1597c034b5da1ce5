"""The directive `live`: a live figure in a text page, from the figure's own class.

```{live} TokenShuffle
:from: {"order": ""}
```

It is open from the start: there is no chapter around it that asks for a guess. With `from` it
arrives: it opens with these inputs, given as JSON, and when it is seen it goes to its own, which
are those of its still picture. That happens once, and not where motion is reduced.
"""

import html
import json
from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util.docutils import SphinxDirective

from pe_lib import figures


def place(name: str) -> str:
    """The HTML of a figure with the inputs it starts from; a page has no cell to run."""
    return getattr(figures, name)().static_html(advice="")


def opened(name: str, arrives_from: str | None) -> str:
    """The place of an open figure, which says where it arrives from.

    Raises ExtensionError where that is no text of the figure's.
    """
    if arrives_from is None:
        return f'<div class="pe-open">\n{place(name)}\n</div>\n'
    figure = getattr(figures, name)
    for key, value in json.loads(arrives_from).items():
        if figure.controls().get(key, {}).get("kind") != "text" or not isinstance(value, str):
            raise ExtensionError(f"live: {name} cannot arrive from {key} = {value!r}")
    quoted = html.escape(arrives_from)
    return f'<div class="pe-open" data-pe-from="{quoted}">\n{place(name)}\n</div>\n'


class Live(SphinxDirective):
    required_arguments = 1
    option_spec: ClassVar = {"from": str}

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", opened(self.arguments[0], self.options.get("from")), format="html")]


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_directive("live", Live)

"""The directive `live`: a live figure in a text page, from the figure's own class.

```{live} WhereItEnters
```

It is open from the start: there is no chapter around it that asks for a guess.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pe_lib import figures


def place(name: str) -> str:
    """The HTML of a figure with the inputs it starts from; a page has no cell to run."""
    return getattr(figures, name)().static_html(advice="")


class Live(SphinxDirective):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        opened = f'<div class="pe-open">\n{place(self.arguments[0])}\n</div>\n'
        return [nodes.raw("", opened, format="html")]


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.add_directive("live", Live)

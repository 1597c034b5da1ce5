"""The weights of the trained models, for figures that run one in the page.

A script each, with the file as base64, since a page that is opened straight from disk may load
scripts and nothing else. No page names them: a figure asks for one when it is needed (see
pe_lib/figures/page/language_model/loading.js).
"""

import base64

from sphinx.application import Sphinx

from pe_lib.experiments.extrapolation.trained import KINDS, file_of

from . import write_static


def script(kind: str) -> str:
    """A script that leaves the weights of a kind where loading.js looks for them."""
    text = base64.b64encode(file_of(kind).read_bytes()).decode()
    return f'(globalThis.PE_WEIGHTS ??= {{}}).{kind} = "{text}";\n'


def write_scripts(app: Sphinx) -> None:
    write_static(app, {f"pe-weights-{kind}.js": script(kind) for kind in KINDS})


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("builder-inited", write_scripts)

"""What other sites show where somebody shares a page's address: its title, words and a picture.

The picture is the same for all pages. Other sites want its whole address: the book knows that where
`baseurl` in `_config.yml` says at which address it is hosted.
"""

import re

from docutils.nodes import document
from sphinx.application import Sphinx

PICTURE = "_static/shared.png"
DESCRIPTION = re.compile(r'<meta content="([^"]*)" name="description" />')


def add_to_page(
    app: Sphinx, page: str, template: str, context: dict, doctree: document | None
) -> None:
    """Give the template the picture's address, and the page's description where it has one."""
    base = app.config.html_baseurl
    context["shared_picture"] = (
        f"{base.rstrip('/')}/{PICTURE}" if base else context["pathto"](PICTURE, 1)
    )
    if described := DESCRIPTION.search(context.get("metatags", "")):
        context["shared_description"] = described[1]


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("html-page-context", add_to_page)

"""Where the buttons at a page's end lead: from a chapter to the next chapter, as its last sentence
does. Sphinx would lead to the pages under it first, which are for whoever wants more."""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

CHAPTER = re.compile(r"chapters/\d\d_")


def chapters(env: BuildEnvironment) -> list[str]:
    """The numbered chapters, without the pages under them, in order."""
    listed = env.toctree_includes[env.config.root_doc]
    return [page for page in listed if CHAPTER.match(page)]


def lead_on(
    app: Sphinx, page: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Have a chapter's buttons lead to the chapters before and after it."""
    order = chapters(app.env)
    if page not in order:
        return
    place = order.index(page)
    if place > 0:
        context["prev"] = button(app, page, order[place - 1])
    if place + 1 < len(order):
        context["next"] = button(app, page, order[place + 1])


def button(app: Sphinx, page: str, other: str) -> dict[str, str]:
    """What the theme's templates take for a button that leads to another page."""
    title = app.builder.render_partial(app.env.titles[other])["title"]
    return {"link": app.builder.get_relative_uri(page, other), "title": title}


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""
    app.connect("html-page-context", lead_on)

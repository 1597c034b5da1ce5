"""Repairs of the theme's pages."""

from sphinx.application import Sphinx


def setup(app: Sphinx) -> None:
    """Called by the book's extension."""

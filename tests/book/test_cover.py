"""What the cover takes from elsewhere when the book is built: its figure."""

import io
from pathlib import Path

import pytest
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from pe_lib.figures import WhereItEnters

EXTENSIONS = ["myst_parser", "book.pe_book.live"]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    (tmp_path / "conf.py").write_text(f"extensions = {EXTENSIONS}\n")
    return tmp_path


def built(course: Path, cover: str) -> tuple[str, str]:
    """The cover's HTML, and every warning."""
    (course / "index.md").write_text(f"# Cover\n\n{cover}\n", "utf-8")
    warnings = io.StringIO()
    with patch_docutils(), docutils_namespace():
        html = course / "html"
        app = Sphinx(course, course, html, html / "trees", "html", status=None, warning=warnings)
        app.build()
    return (html / "index.html").read_text("utf-8"), warnings.getvalue()


def test_a_live_figure_stands_where_it_is_named(course: Path) -> None:
    html, warnings = built(course, "Before\n\n```{live} WhereItEnters\n```\n\nAfter")
    place = WhereItEnters().static_html(advice="")
    assert f"<p>Before</p>\n{place}\n<p>After</p>" in html
    assert "Run this cell" not in html
    assert warnings == ""


def test_a_figure_that_does_not_exist_is_named(course: Path) -> None:
    _, warnings = built(course, "```{live} WhereItLeaves\n```")
    assert "no live figure WhereItLeaves" in warnings

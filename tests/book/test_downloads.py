"""Files made of a notebook's cells: what the page links, and what stands in it."""

import re
from pathlib import Path

import nbformat
import pytest
from sphinx.application import Sphinx

from book.pe_book import downloads
from book.tools import notebooks

CELLS = [
    ("code", "x = 1\n\n\ndef f():\n    return '<x>'\n", "one.py"),
    ("markdown", "In between.", None),
    ("code", "print(f())", None),
    ("code", "y = f()", "one.py"),
    ("code", "z = 3", "two.py"),
    ("markdown", "The end.", None),
]


def built(folder: Path, builder: str) -> Path:
    """The folder into which a book of one notebook is built, with nothing but its downloads."""
    cells = []
    for kind, source, name in CELLS:
        new = nbformat.v4.new_code_cell if kind == "code" else nbformat.v4.new_markdown_cell
        cells.append(new(source, metadata={"download": name} if name else {}))
    cells.insert(0, nbformat.v4.new_markdown_cell("# Title"))
    (folder / "pages").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells), folder / "pages" / "page.ipynb")
    settings = {
        "extensions": ["myst_nb"],
        "nb_execution_mode": "off",
        "root_doc": "pages/page",
        "exclude_patterns": ["out"],
    }
    out = folder / "out"
    app = Sphinx(folder, None, out, out / "trees", builder, settings, status=None)
    downloads.setup(app)
    app.build()
    return out / "pages"


# What Sphinx and myst-nb themselves find old in each other.
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_a_file_holds_its_cells_and_is_linked_under_the_last(tmp_path: Path) -> None:
    pages = built(tmp_path, "html")
    one = "x = 1\n\n\ndef f():\n    return '<x>'\n\n\ny = f()\n"
    assert (pages / "one.py").read_text("utf-8") == one
    assert (pages / "two.py").read_text("utf-8") == "z = 3\n"
    assert {path.name for path in pages.glob("*.py")} == {"one.py", "two.py"}
    page = (pages / "page.html").read_text("utf-8")
    body = re.sub(r"<(?!a href=\"\w+\.py\")[^>]+>", "", page)
    places = [body.index(f'<a href="{name}" download>') for name in ("one.py", "two.py")]
    assert body.index("y =") < places[0] < body.index("z =") < places[1] < body.index("The end.")
    assert page.count(" download>") == 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::PendingDeprecationWarning")
def test_a_book_of_plain_text_has_no_files(tmp_path: Path) -> None:
    pages = built(tmp_path, "text")
    assert [path.name for path in pages.iterdir()] == ["page.txt"]
    assert "Download" not in (pages / "page.txt").read_text("utf-8")


def test_a_file_of_the_chapters_is_made_of_one_notebook() -> None:
    """A page writes its files beside it, where a second one of that name would replace them."""
    names = [
        (name, path.name)
        for path in notebooks.chapters()
        for name in {c.metadata.get("download") for c in notebooks.code_cells(notebooks.read(path))}
        if name
    ]
    assert len({name for name, _ in names}) == len(names)

"""The rules that make a chapter read well in the book, in JupyterLab and in Colab."""

import re
from pathlib import Path
from statistics import median

import pytest
from nbformat import NotebookNode

from book.tools import notebooks
from tests.chapters.numbers_in import unfounded

# Each shows as raw text where only CommonMark, $…$ and HTML are understood.
BOOK_ONLY = {
    "a directive": re.compile(r"^\s*(?:```+|~~~+|:::+)\s*\{[\w:-]+\}", re.MULTILINE),
    "a block of colons": re.compile(r"^\s*:::", re.MULTILINE),
    "a role": re.compile(r"\{[\w:+-]+\}`"),
    "a label": re.compile(r"^\([\w:-]+\)=\s*$|\$\$ *\([\w:-]+\)\s*$", re.MULTILINE),
    "a substitution": re.compile(r"\{\{[^{}]*\}\}"),
    "a GitHub note": re.compile(r"^> \[!\w+\]", re.MULTILINE),
    "a comment or block break": re.compile(r"^(?:%|\+\+\+)", re.MULTILINE),
    "an image attribute": re.compile(r"\)\{[^}]*\}"),
    r"math between \( \) or \[ \]": re.compile(r"\\[(\[]"),
}
CODE_OR_MATH = re.compile(
    r"^(```|~~~)(?!\s*\{).*?^\1|\$\$.*?\$\$|\$[^$\n]+\$|(?<!\})`[^`\n]+`", re.DOTALL | re.MULTILINE
)


@pytest.fixture(params=notebooks.chapters(), ids=lambda path: path.stem)
def chapter(request: pytest.FixtureRequest) -> NotebookNode:
    path: Path = request.param
    return notebooks.read(path)


def book_only(markdown: str) -> list[str]:
    """What in a markdown text only the book would show as meant."""
    text = CODE_OR_MATH.sub(" ", markdown)
    # A label of an equation stands beside the math that is taken out.
    return [
        name
        for name, pattern in BOOK_ONLY.items()
        if pattern.search(markdown if name == "a label" else text)
    ]


def test_text_needs_no_more_than_commonmark(chapter: NotebookNode) -> None:
    found = {
        cell.id: book_only(cell.source) for cell in chapter.cells if cell.cell_type == "markdown"
    }
    assert {cell: names for cell, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("```{note}\nx\n```", ["a directive"]),
        (":::{tip}\nx\n:::", ["a directive", "a block of colons"]),
        ("see {ref}`here`", ["a role"]),
        ("(label)=\n# Title", ["a label"]),
        ("$$x$$ (equation)", ["a label"]),
        ("{{ name }}", ["a substitution"]),
        ("> [!NOTE]\n> x", ["a GitHub note"]),
        ("% hidden", ["a comment or block break"]),
        ("![x](y.png){width=3}", ["an image attribute"]),
        (r"\(x\)", [r"math between \( \) or \[ \]"]),
        ("```python\nx = {{1}}\n```\n`{a}` and $x_{(i)}$ (2)\n\n$$a_{{b}}$$\n\n<details>", []),
    ],
)
def test_what_only_the_book_understands_is_recognised(markdown: str, expected: list[str]) -> None:
    assert book_only(markdown) == expected


def test_numbers_in_the_prose_stand_in_an_output(chapter: NotebookNode) -> None:
    assert unfounded(chapter) == []


def test_code_cells_are_short(chapter: NotebookNode) -> None:
    lines = {cell.id: len(cell.source.splitlines()) for cell in notebooks.code_cells(chapter)}
    assert {cell: count for cell, count in lines.items() if count > 15} == {}
    assert median(lines.values()) <= 8


def test_pictures_are_described_in_words(chapter: NotebookNode) -> None:
    described: dict[str, str] = {}
    for cell in notebooks.code_cells(chapter):
        kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
        if any(kind.startswith("image/") for kind in kinds):
            described[cell.id] = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
    assert {cell: alt for cell, alt in described.items() if len(alt.split()) < 8} == {}
    assert len(set(described.values())) == len(described), "two pictures have one description"


def test_outputs_name_no_address_and_no_path(chapter: NotebookNode) -> None:
    here = re.compile(r"0x[0-9a-f]{6,}|/(?:home|root|tmp|Users|usr|opt|work)/|[A-Z]:\\\\")
    for cell in notebooks.code_cells(chapter):
        for output in cell.outputs:
            texts = [text for kind, text in output.get("data", {}).items() if "image" not in kind]
            found = here.search(" ".join([output.get("text", ""), *map(str, texts)]))
            assert found is None, f"cell {cell.id}: {found}"

"""What a page shows of each kind of cell, on cells made for that."""

import nbformat
import pytest
from nbformat import NotebookNode

from book.pe_book.cells import END, shown

PRINTED = nbformat.v4.new_output("stream", text="4\n")


def cell(kind: str, *outputs: NotebookNode, **metadata: object) -> NotebookNode:
    metadata |= {"tags": [kind]}
    return nbformat.v4.new_code_cell("2 + 2", id="sum", outputs=list(outputs), metadata=metadata)


def seen(part: NotebookNode) -> str:
    """What of a cell's part stands on the page: its text, its code, its output."""
    if part.cell_type == "markdown":
        return part.source
    code = [] if "remove-input" in part.metadata.tags else ["code"]
    return " ".join([*code, *(["output"] if part.outputs else [])])


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        ("idea", ["code output"]),
        ("exercise", ["code output"]),
        ("check", ["code"]),
        ("figure", ["output"]),
        ("setup", []),
    ],
)
def test_a_kind_is_shown_as_it_says(kind: str, parts: list[str]) -> None:
    assert [seen(part) for part in shown(cell(kind, PRINTED))] == parts


def test_plumbing_is_folded_and_its_output_is_not() -> None:
    fold, *parts = shown(cell("plumbing", PRINTED, summary="Add <2> & 2"))
    assert fold.source.endswith("<summary>Add &lt;2&gt; &amp; 2</summary>")
    assert [seen(part) for part in parts] == ["code", END, "output"]


def test_plumbing_without_an_output_is_a_fold_alone() -> None:
    parts = shown(cell("plumbing", summary="Set-up"))
    assert [seen(part) for part in parts[1:]] == ["code", END]


def test_a_picture_keeps_its_text_and_a_notebook_no_id_twice() -> None:
    described = {"image": {"alt": "four"}}
    parts = shown(cell("plumbing", PRINTED, summary="Draw", mystnb=described))
    assert parts[-1].metadata.mystnb == described
    assert len({part.id for part in parts}) == len(parts)

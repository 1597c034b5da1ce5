"""The kinds of code cell. Each cell has exactly one of these as its tag.

The book shows an idea, an exercise and a check with their code. It folds plumbing under the
`summary` in the cell's metadata, hides the code of a figure, and leaves the set-up cell out.
"""

from nbformat import NotebookNode

IDEA = "idea"  # what the chapter teaches
PLUMBING = "plumbing"  # imports, helpers, calls that print or plot
FIGURE = "figure"  # only shows a live figure
EXERCISE = "exercise"  # a stub to be filled in
CHECK = "check"  # checks an exercise; of an empty stub it says what the book need not show
SETUP = "setup"  # finds pe_lib; written by setup_cell.py
KINDS = {IDEA, PLUMBING, FIGURE, EXERCISE, CHECK, SETUP}
SHOWN = {IDEA, EXERCISE, CHECK}  # with their code

WORDS_OF_A_SUMMARY = 6


def kinds_of(cell: NotebookNode) -> set[str]:
    """The kinds among a code cell's tags: one, where the cell is as it should be."""
    return KINDS & set(cell.metadata.get("tags", []))


def is_kind(cell: NotebookNode, kind: str) -> bool:
    return kind in kinds_of(cell)


def shows_code(cell: NotebookNode) -> bool:
    """Whether the book shows a code cell's code without being asked."""
    return bool(kinds_of(cell) & SHOWN)

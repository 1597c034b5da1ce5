"""The guesses that a notebook asks its readers for, and how many of them keep the answer back.

Cells with the tag `answer`, of code or of text, answer the question that the text before them ends
on. A live figure after a question keeps the answer back as well: it says nothing before it is used.
"""

import re
from collections import Counter

from nbformat import NotebookNode

from book.tools.kinds import FIGURE, is_kind

ANSWER = "answer"
AT_MOST = 6  # in a notebook
# Words of this kind in bold or in italics
ASKED = re.compile(
    r"\*(?=\w)[^*\n]*?\b(?:predict(?:ions)?|guess|before you (?:look|run)|think about it"
    r"|write down)\b[^*\n]*\*",
    re.IGNORECASE,
)


def is_answer(cell: NotebookNode) -> bool:
    return ANSWER in cell.metadata.get("tags", [])


def asks(cell: NotebookNode) -> bool:
    """Whether a cell's text asks for a guess in so many words."""
    return cell.cell_type == "markdown" and bool(ASKED.search(cell.source))


def guesses_of(notebook: NotebookNode) -> Counter[str]:
    """How many guesses keep the answer back ("kept"), and after how many one reads on ("open")."""
    counted: Counter[str] = Counter()
    asked = answered = False
    for cell in notebook.cells:
        if is_answer(cell) or is_kind(cell, FIGURE):
            counted["kept"] += not answered and (asked or is_answer(cell))
            asked = False
        elif cell.cell_type == "markdown":
            counted["open"] += asked
            asked = asks(cell)
        answered = is_answer(cell)
    counted["open"] += asked
    return counted

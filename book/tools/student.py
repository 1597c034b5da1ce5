"""Write the student edition, notebooks without solutions and pe_lib's wheel, into `_build/student`.

    .venv/bin/python -m book.tools.student

Every fold called Solution or Answer is replaced by a line that says so. Outputs of the cells that
teach stay, so that a notebook reads well before it is run; what a check says of an empty exercise
goes. Code and all other text are those of the chapters. The first cell of a notebook takes pe_lib
from the wheel beside it, elsewhere too, in Colab say.
"""

import re
import shutil
from copy import deepcopy
from pathlib import Path

from nbformat import NotebookNode

from book.tools import wheel
from book.tools.kinds import CHECK, is_kind
from book.tools.notebooks import ROOT, chapters, code_cells, name_of, read, text_of
from book.tools.prose import SOLUTION

FOLDER = ROOT / "_build" / "student"
SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)


def student_edition(notebook: NotebookNode) -> NotebookNode:
    """A copy without solutions, answers and verdicts."""
    copy = deepcopy(notebook)
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = SOLUTION.sub(left_out, cell.source)
    for cell in code_cells(copy):
        if is_kind(cell, CHECK):
            cell.outputs = []
            cell.execution_count = None
    return copy


def left_out(fold: re.Match[str]) -> str:
    """The line that stands in a fold's place.

    >>> left_out(SOLUTION.match("<details><summary>Answer</summary>42</details>"))
    '*Answer: left out of the student edition.*'
    """
    name = SUMMARY.search(fold[0])
    assert name is not None  # SOLUTION matches no other fold
    return f"*{name[1].strip()}: left out of the student edition.*"


def write_all(folder: Path = FOLDER) -> list[Path]:
    """Write every chapter's student edition; what lay in the folder before is removed."""
    texts = {path.name: text_of(student_edition(read(path))) for path in chapters()}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def main() -> None:
    written = write_all()
    wheel.make(FOLDER)
    print(
        f"{len(written)} notebooks without solutions, and pe_lib's wheel, are in {name_of(FOLDER)}."
    )


if __name__ == "__main__":
    main()

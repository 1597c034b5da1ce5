"""Check the notebooks of the chapters, or execute them in place.

    .venv/bin/python -m book.tools.notebooks check
    .venv/bin/python -m book.tools.notebooks run

The book is built from the outputs stored in the chapters, so these have to be true. `run` executes
the chapters that changed, each from top to bottom in a new kernel, and records two hashes in each
code cell: `executed`, of its source and of all the code before it, and `outputs`, of what it gave.
A third one, `uses`, is of all that the notebook uses of pe_lib. `check` compares them without
executing anything. Executing twice gives the same bytes, on another processor too, as a stored
picture stays where the new one shows the same. `run` also writes the minutes that a chapter takes.
"""

import argparse
import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from book.tools import pictures
from book.tools.kinds import SETUP, is_kind
from book.tools.length import state_minutes
from book.tools.uses import Library

ROOT = Path(__file__).resolve().parents[2]
ADVICE = "`make notebooks` executes the chapter."
SECONDS_PER_CELL = 300
MAGIC = re.compile(r"^(\s*)[%!].*", re.MULTILINE)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")

# A widget's view holds the number of a model that lives only as long as its kernel.
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "pygments_lexer": "ipython3"},
}


def chapters() -> list[Path]:
    return sorted((ROOT / "chapters").glob("*.ipynb"))


class NotANotebook(SystemExit):
    """Ends a command with a sentence that names the file."""


def read(path: Path) -> NotebookNode:
    """Raises NotANotebook where the file is damaged, or no notebook of this format."""
    try:
        text = path.read_text(encoding="utf-8")
        if any(line.startswith(("<<<<<<< ", ">>>>>>> ")) for line in text.splitlines()):
            raise ValueError("a conflict of git is left in it")
        content = json.loads(text or "null", parse_constant=no_number)
        if not text.strip() or not content:
            raise ValueError("it is empty")
        if not isinstance(content, dict) or content.get("nbformat") != 4:
            raise ValueError("it does not say nbformat 4")
        check_ids(content.get("cells"))
        notebook = nbformat.reads(text, as_version=4)
        nbformat.validate(notebook)
    except (OSError, RecursionError, ValueError, nbformat.ValidationError) as error:
        reason = getattr(error, "strerror", None) or str(error).splitlines()[0]
        raise NotANotebook(
            f"{name_of(path)}: not a notebook ({reason}). "
            "Take it back from git, or mend it in an editor."
        ) from None
    return notebook


def no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def check_ids(cells: object) -> None:
    """Raise where a cell has no id, or that of another one: nbformat would make up new ones."""
    ids = [cell.get("id") for cell in cells if isinstance(cell, dict)] if cells else []
    if None in ids:
        raise ValueError(f"cell {ids.index(None) + 1} has no id")
    if twice := [name for name in ids if ids.count(name) > 1]:
        raise ValueError(f"two cells have the id {twice[0]!r}")


def text_of(notebook: NotebookNode) -> str:
    """The one form in which a notebook is stored."""
    nbformat.validate(notebook)
    return nbformat.writes(notebook, version=4) + "\n"


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def is_setup(cell: NotebookNode) -> bool:
    """True for the set-up cell, which `make repository` may change without a new run."""
    return is_kind(cell, SETUP)


def chain(notebook: NotebookNode) -> Iterator[tuple[NotebookNode, str]]:
    """Each code cell but the set-up cell, with the hash of its source and of all code before it."""
    link = ""
    for cell in code_cells(notebook):
        if not is_setup(cell):
            link = short_hash(link + cell.source)
            yield cell, link


def outputs_hash(cell: NotebookNode) -> str:
    return short_hash(json.dumps(cell.outputs, sort_keys=True))


def uses_hash(notebook: NotebookNode, library: Library) -> str:
    """The hash of what the notebook's code uses of pe_lib."""
    return library.fingerprint(code_of(notebook))


def code_of(notebook: NotebookNode) -> str:
    """All of the notebook's code as Python, without its set-up cell and magics."""
    sources = (cell.source for cell in code_cells(notebook) if not is_setup(cell))
    return MAGIC.sub(r"\1pass", "\n".join(sources))


def short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


# Checking


def check(path: Path, library: Library | None = None) -> list[str]:
    """What is wrong with a chapter's stored outputs: a line each, with the cell and the remedy."""
    try:
        notebook = read(path)
    except NotANotebook as error:
        return [str(error)]
    links = {cell.id: link for cell, link in chain(notebook)}
    problems = []
    for number, cell in enumerate(code_cells(notebook), start=1):
        if problem := problem_of(cell, number, links.get(cell.id)):
            problems.append(f"{name_of(path)}: code cell {number} ({cell.id}) {problem}")
    if not problems and notebook.metadata.get("uses") != uses_hash(
        notebook, library or Library(ROOT)
    ):
        problems.append(
            f"{name_of(path)}: what it uses of pe_lib, or the version of a package, has changed "
            f"since its execution. {ADVICE}"
        )
    return problems


def problem_of(cell: NotebookNode, number: int, link: str | None) -> str | None:
    """What is wrong with one code cell, the `number`th; `link` is its hash in the chain."""
    for output in cell.outputs:
        if output.output_type == "error":
            return f"holds an error: {output.ename}: {output.evalue}. Mend it; {ADVICE}"
        if output.get("name") == "stderr":
            return f"holds a warning: {output.text.strip()[:200]}. Mend it; {ADVICE}"
    if not cell.source.strip():
        return "is empty. Delete it."
    if link is None:
        return "is the set-up cell and must not have outputs." if cell.outputs else None
    if "executed" not in cell.metadata:
        return f"was never executed. {ADVICE}"
    if cell.metadata["executed"] != link:
        return f"has stale outputs: its code, or code before it, has changed. {ADVICE}"
    if cell.metadata.get("outputs") != outputs_hash(cell):
        what = "changed" if cell.outputs else "removed"
        return f"had its outputs {what} after its execution. {ADVICE}"
    if cell.execution_count != number:
        return f"was executed as number {cell.execution_count}, out of order. {ADVICE}"
    return None


def check_all() -> list[str]:
    library = Library(ROOT)
    return [problem for path in chapters() for problem in check(path, library)]


# Executing


def run(path: Path, library: Library | None = None) -> None:
    """Execute a chapter in place. Where a cell fails, the file stays as it was.

    Raises RuntimeError naming the chapter and the cell.
    """
    notebook = read(path)
    stored = {cell.id: cell.outputs for cell in code_cells(notebook)}
    for cell in code_cells(notebook):
        cell.outputs = []
        cell.execution_count = None
    try:
        uses = uses_hash(notebook, library or Library(ROOT))
    except SyntaxError:
        uses = ""  # the cell fails when it is executed, and is named there
    execute(notebook, path)
    for cell in code_cells(notebook):
        pictures.keep(stored[cell.id], cell.outputs)
    record(notebook, uses)
    state_minutes(notebook)
    write(path, text_of(notebook))


def execute(notebook: NotebookNode, path: Path) -> None:
    """Run every cell in a new kernel of this very Python, in the chapter's folder."""
    cells = code_cells(notebook)
    number = 0

    def started(cell: NotebookNode, cell_index: int) -> None:
        nonlocal number
        number = cells.index(cell) + 1
        if sys.stdout.isatty():
            print(f"\r{name_of(path)}: code cell {number} of {len(cells)}", end="", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        # Neither a kernel registered elsewhere nor the user's own start-up files take part.
        kernel = AsyncKernelManager(
            kernel_name="python3", kernel_spec_manager=KernelSpecManager(kernel_dirs=[])
        )
        if os.name != "nt":
            kernel.transport, kernel.ip = "ipc", f"{folder}/kernel"
        client = NotebookClient(
            notebook,
            km=kernel,
            timeout=SECONDS_PER_CELL,
            resources={"metadata": {"path": str(path.parent)}},
            record_timing=False,
            store_widget_state=False,
            coalesce_streams=True,
            on_cell_execute=started,
        )
        try:
            client.execute(cleanup_kc=True, env={**os.environ, "IPYTHONDIR": folder})
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            cell = f"{name_of(path)}: code cell {number} ({cells[number - 1].id})"
            raise RuntimeError(f"{cell} fails:\n{COLOURS.sub('', str(error))}") from None


def record(notebook: NotebookNode, uses: str) -> None:
    """Keep what is the same in every run, and the hashes by which `check` knows the outputs."""
    for cell in code_cells(notebook):
        cell.metadata.pop("execution", None)
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET_VIEW, None)
    for cell, link in chain(notebook):
        cell.metadata["executed"] = link
        cell.metadata["outputs"] = outputs_hash(cell)
    notebook.metadata = nbformat.from_dict({**METADATA, "uses": uses})


def write(path: Path, text: str) -> None:
    """Write a file in one step, and only where it changes."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        draft = path.with_suffix(".draft")
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)


def run_changed() -> None:
    """Execute the chapters whose code, or what it uses of pe_lib, has changed since they ran."""
    library = Library(ROOT)
    for path in chapters():
        if check(path, library):
            run(path, library)
            print(f"\r{name_of(path)}: executed{' ' * 40}")
        else:
            notebook = read(path)
            state_minutes(notebook)
            write(path, text_of(notebook))
            print(f"{name_of(path)}: unchanged since its last execution")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=["check", "run"])
    if parser.parse_args().command == "run":
        try:
            run_changed()
        except RuntimeError as error:
            sys.exit(f"\n{error}")
    elif problems := check_all():
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()

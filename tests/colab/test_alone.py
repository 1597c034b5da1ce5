"""A chapter alone in an empty folder, as in Colab, whose first cell finds what the chapter needs.

It takes pe_lib from a wheel in the same folder or from the repository's address, and leaves the
rest to pip. What it does without them, and what it says, is in tests/tools/test_setup_cell.py.

The environment holds what Colab brings and the chapters use, and nothing else. Git takes the
address for a clone of this repository.
"""

import os
import subprocess
import sysconfig
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from book.tools import notebooks, setup_cell, wheel
from book.tools.uses import Library
from tests.helpers import ROOT

ADDRESS = "https://example.org/course/positional-encodings"
# Colab's own, which come with all that they depend on. It also has anywidget, which a JupyterLab
# elsewhere has not, and einops.
BROUGHT = (
    *("torch", "matplotlib", "ipywidgets", "transformers"),
    *("pip", "ipykernel", "nbclient", "nbformat"),
)
NOT_BROUGHT = "pe_lib jaxtyping anywidget rotary_embedding_torch einops x_transformers pytest"
# pip finds nothing but the wheels in the folder.
OFFLINE = {"PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}

# Runs in the environment, with the notebook's path.
EXECUTE = """
import sys
import nbformat
from jupyter_client import AsyncKernelManager
from jupyter_client.kernelspec import KernelSpecManager
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
kernel = AsyncKernelManager(kernel_spec_manager=KernelSpecManager(kernel_dirs=[]))
NotebookClient(notebook, km=kernel, timeout=300, coalesce_streams=True).execute(cleanup_kc=True)
nbformat.write(notebook, sys.argv[1])
"""

# One chapter in `make test`, every chapter in `make test-all`.
CHAPTERS = [
    pytest.param(path, marks=[] if path.stem == "02_sinusoidal" else [pytest.mark.slow])
    for path in notebooks.chapters()
]
APPENDIX = ROOT / "chapters" / "A_rotary_embedding_functions.ipynb"


def brought() -> Iterator[Distribution]:
    """The packages of `BROUGHT`, and all that they depend on."""
    todo, done = [*BROUGHT], set()
    while todo:
        name = canonicalize_name(todo.pop())
        if name not in done:
            done.add(name)
            package = distribution(name)
            yield package
            needs = [Requirement(text) for text in package.requires or []]
            todo += [
                need.name
                for need in needs
                if need.marker is None or need.marker.evaluate({"extra": ""})
            ]


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """The Python of a new environment that borrows from this one what Colab brings."""
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    own = Path(sysconfig.get_path("purelib", "venv", paths))
    borrowed = environment / "borrowed"
    borrowed.mkdir()
    for package in brought():
        for name in {file.parts[0] for file in package.files or []} - {"..", "__pycache__"}:
            if not (borrowed / name).exists():
                (borrowed / name).symlink_to(package.locate_file(name))
    # pip never removes what lies outside of the environment's own folder of packages.
    (own / "borrowed.pth").write_text(f"{borrowed}\n")
    return environment / "bin" / "python"


@pytest.fixture
def clone(clean_copy: Path) -> Path:
    """A git repository that holds what this one holds, with the changes not yet committed."""
    if not (clean_copy / ".git").exists():
        git = ["git", "-C", clean_copy, "-c", "user.name=test", "-c", "user.email=test@localhost"]
        for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
            subprocess.run([*git, *command], check=True)
    return clean_copy


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the notebook."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # where the cell unpacks a wheel
    folder = tmp_path / "a folder"
    folder.mkdir()
    return folder


@pytest.fixture
def renamed(folder: Path) -> Path:
    """The wheel of pe_lib in that folder, by the name that browsers give a second download."""
    path = wheel.make(folder)
    return path.rename(path.with_stem(f"{path.stem} (1)"))


def colab(clone: Path | None = None) -> dict[str, str]:
    """The variables under which git takes the address for the clone.

    pip takes the versions that the stored outputs come from.
    """
    variables = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
    variables["PIP_CONSTRAINT"] = str(ROOT / "requirements.txt")
    if clone is not None:
        variables["GIT_CONFIG_COUNT"] = "1"
        variables["GIT_CONFIG_KEY_0"] = f"url.{clone.as_uri()}.insteadOf"
        variables["GIT_CONFIG_VALUE_0"] = ADDRESS
    return variables


def said(notebook: NotebookNode) -> dict[str, list[dict[str, object]]]:
    """What each cell gave, without pictures and what belongs to one kernel."""
    return {
        cell.id: [
            {
                kind: text
                for kind, text in {"text": output.get("text"), **output.get("data", {})}.items()
                if "image/" not in kind and kind != notebooks.WIDGET_VIEW
            }
            for output in cell.outputs
        ]
        for cell in notebooks.code_cells(notebook)
    }


def test_the_environment_lends_nothing_that_colab_lacks(python: Path) -> None:
    look = (
        "import sys; from importlib.util import find_spec; print(*filter(find_spec, sys.argv[1:]))"
    )
    names = [*NOT_BROUGHT.split(), "torch", "matplotlib"]
    found = subprocess.run([python, "-c", look, *names], capture_output=True, text=True, cwd="/")
    assert found.stdout.split() == ["torch", "matplotlib"]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_runs_alone(path: Path, python: Path, clone: Path, folder: Path) -> None:
    assert_runs(path, ADDRESS, python, folder, colab(clone))


@pytest.mark.slow
def test_an_appendix_runs_beside_a_renamed_wheel(python: Path, renamed: Path, folder: Path) -> None:
    assert_runs(APPENDIX, "", python, folder, colab())
    assert sorted(folder.iterdir()) == sorted([folder / APPENDIX.name, renamed])


def assert_runs(
    path: Path, address: str, python: Path, folder: Path, variables: dict[str, str]
) -> None:
    """Run a copy of the notebook in the folder: all cells give what is stored."""
    notebook = notebooks.read(path)
    expected = said(notebook)
    setup_cell.write_cell(notebook, address, Library(ROOT))
    alone = folder / path.name
    nbformat.write(notebook, alone)
    subprocess.run([python, "-c", EXECUTE, alone], env=variables, cwd=folder, check=True)
    assert said(notebooks.read(alone)) == expected


def first_cell(path: Path, python: Path, folder: Path, variables: dict[str, str]) -> str:
    """The error that the chapter's first cell ends with, "" for none."""
    cell = notebooks.read(path).cells[1].source
    run = subprocess.run(
        [python, "-c", cell], env=variables, cwd=folder, capture_output=True, text=True
    )
    return run.stderr.splitlines()[-1] if run.returncode else ""


def test_offline_the_missing_packages_are_named_and_their_wheels_taken(
    python: Path, renamed: Path, folder: Path
) -> None:
    path = ROOT / "chapters" / "A_rotary_embedding_methods.ipynb"
    offline = colab() | OFFLINE
    assert first_cell(path, python, folder, offline) == (
        "ModuleNotFoundError: missing: jaxtyping, rotary_embedding_torch. Put into this folder the "
        "wheel of pe_lib (on the book's cover), offline the others' too, or run `make setup` in "
        "the course."
    )
    needed = ["jaxtyping", "wadler_lindig", "rotary_embedding_torch", "einops"]
    download = [python, "-m", "pip", "download", "--quiet", "--no-deps", *needed]
    subprocess.run(download, env=colab(), cwd=folder, check=True)
    assert first_cell(path, python, folder, offline) == ""

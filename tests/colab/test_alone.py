"""A chapter alone in an empty folder, as in Colab, whose first cell installs pe_lib.

It does so from a wheel in the same folder, or from the repository's address.

The environment holds what Colab brings (torch, matplotlib, ipywidgets and a kernel), but neither
pe_lib nor anywidget. Git takes the address for a clone of this repository.
"""

import os
import subprocess
import sysconfig
import venv
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from book.tools import notebooks, repository, wheel

ADDRESS = "https://example.org/course/positional-encodings"
# Colab has none of these.
LEFT_OUT = ("pe_lib", "__editable__", "anywidget")

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


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """The Python of a new environment that borrows this one's packages, but for `LEFT_OUT`."""
    environment = tmp_path / "environment"
    venv.create(environment, symlinks=True)
    paths = {"base": str(environment), "platbase": str(environment)}
    own = Path(sysconfig.get_path("purelib", "venv", paths))
    borrowed = environment / "borrowed"
    borrowed.mkdir()
    for source in Path(sysconfig.get_path("purelib")).iterdir():
        if not source.name.startswith(LEFT_OUT):
            (borrowed / source.name).symlink_to(source)
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


def colab(clone: Path) -> dict[str, str]:
    """The variables under which git takes the address for the clone."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{clone.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": ADDRESS,
    }


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


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_runs_alone(path: Path, python: Path, clone: Path, tmp_path: Path) -> None:
    notebook = notebooks.read(path)
    expected = said(notebook)
    repository.write_setup(notebook, ADDRESS)
    alone = tmp_path / "empty" / path.name
    alone.parent.mkdir()
    nbformat.write(notebook, alone)
    subprocess.run([python, "-c", EXECUTE, alone], env=colab(clone), cwd=alone.parent, check=True)
    assert said(notebooks.read(alone)) == expected
    assert installed(python, alone.parent)


def installed(python: Path, folder: Path) -> bool:
    """Whether pe_lib, with what its figures need, is found in the environment."""
    where = [python, "-c", "import anywidget, pe_lib; print(anywidget.__file__, pe_lib.__file__)"]
    found = subprocess.run(where, capture_output=True, text=True, check=True, cwd=folder)
    return found.stdout.count(f"{python.parents[1]}{os.sep}lib") == 2


def test_the_first_cell_installs_from_a_wheel_in_its_folder(python: Path, tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    wheel.make(folder)
    program = [python, "-c", repository.setup_source("")]
    subprocess.run(program, cwd=folder, check=True)
    assert installed(python, folder)


def test_without_both_the_first_cell_says_what_to_do(python: Path, tmp_path: Path) -> None:
    program = [python, "-c", repository.setup_source("")]
    run = subprocess.run(program, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 1
    assert "ModuleNotFoundError: pe_lib is not installed" in run.stderr
    assert "put its wheel" in run.stderr
    assert "run `make setup`" in run.stderr

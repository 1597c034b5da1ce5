"""The set-up cell, the second of each chapter: it finds what the notebook needs, or explains.

Where a chapter stands alone, as in Colab, its folder has the wheel of pe_lib, or the cell has the
repository's address. A wheel is a zip file: the cell unpacks it, for this kernel alone. That needs
no network, and takes any name that a browser gives the file; an older pe_lib stays installed for
whoever else uses it. The other packages, read off the notebook's imports and pe_lib's, are left to
pip, which finds their wheels in the same folder too.

Names are added between two versions, so the version does not tell whether a pe_lib is too old.
Therefore pe_lib has a list of the notebooks that it serves, a line for each: its edition, which is
the version and a hash of the names of pe_lib in its code. The cell looks for its own edition there.
Lines are only added, as names are, so that a newer library serves older notebooks.
"""

import re
import sys
import textwrap
import tomllib
from pathlib import Path

import nbformat
from nbformat import NotebookNode

import pe_lib
from book.tools.kinds import SETUP
from book.tools.notebooks import ROOT, code_of, is_setup, short_hash, write
from book.tools.uses import Library, Surface, is_ours

SERVED = ROOT / "pe_lib" / "notebooks.lst"
CELL = """\
# Take pe_lib from its wheel in this folder, and install what else is missing, as in Colab.
import glob, importlib.resources, importlib.util, os, subprocess, sys, tempfile, zipfile
{needed}
for wheel in sorted(glob.glob("pe_lib-*.whl"), key=os.path.getmtime)[-1:]:  # the latest one
    sys.path.insert(0, tempfile.mkdtemp())
    zipfile.ZipFile(wheel).extractall(sys.path[0])
missing = [name for name in needed if not importlib.util.find_spec(name.split("@")[0])]
pip = [sys.executable, "-m", "pip", "install", "-qq", "--retries=0", "--find-links=.", *missing]
if "pe_lib" in missing or (missing and subprocess.run(pip).returncode):
    raise ModuleNotFoundError(f"missing: {{', '.join(missing)}}. Put into this folder the wheel of "
        "pe_lib (on the book's cover), offline the others' too, or run `make setup` in the course.")
library = importlib.resources.files("pe_lib")
if not any("{edition}" in file.read_text() for file in library.glob("notebooks.lst")):
    raise ImportError(f"{{library}} is too old: put its newest wheel here, and restart the kernel.")
"""


def write_cell(notebook: NotebookNode, address: str, library: Library) -> None:
    """Write the set-up cell, which is made where it is missing.

    Raises ValueError where the notebook imports a package that requirements.txt does not name.
    """
    cell = next((cell for cell in notebook.cells if is_setup(cell)), None)
    if cell is None:
        cell = nbformat.v4.new_code_cell(id="setup", metadata={"tags": [SETUP]})
        notebook.cells.insert(1, cell)
    code = code_of(notebook)
    cell.source = source(edition_of(code), packages_of(code, library), address)


def source(edition: str, packages: list[str], address: str) -> str:
    """The cell's source.

    Args:
        edition: the notebook's, for which the cell looks in pe_lib's list.
        packages: what is needed besides pe_lib, by the names under which it is imported.
        address: of the repository; "" for none.
    """
    # pip never looks for a bare "pe_lib", which would be somebody else's: see the cell.
    ours = f"pe_lib@git+{address}" if address else "pe_lib"
    needed = "needed = [" + ", ".join(f'"{name}"' for name in [ours, *packages]) + "]"
    whole = {"break_long_words": False, "break_on_hyphens": False}
    needed = textwrap.fill(needed, 100, subsequent_indent=" " * 4, **whole)
    return CELL.format(needed=needed, edition=edition).rstrip()


def packages_of(code: str, library: Library) -> list[str]:
    """The packages besides pe_lib that a notebook's code needs, as they are imported.

    They are those that it imports, those that pe_lib depends on, and of pe_lib's extras those that
    the code makes pe_lib import.
    """
    always, extras = dependencies()
    _, used = library.used_by(code)
    imported = {name.partition(".")[0] for name in Surface(code).names if not is_ours(name)}
    needed = always | (extras & used) | (imported - sys.stdlib_module_names)
    if unknown := sorted(needed - library.pins.keys()):
        raise ValueError(f"imports {unknown[0]}, but requirements.txt has no package of that name")
    return sorted(needed)


def dependencies() -> tuple[set[str], set[str]]:
    """What pyproject.toml says that pe_lib always needs, and what it needs for its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    return named(project["dependencies"]), set().union(*map(named, extras))


def named(requirements: list[str]) -> set[str]:
    """The packages of lines such as "torch>=2.5"."""
    return {re.split(r"[=<>\s]", line)[0].replace("-", "_") for line in requirements}


def edition_of(code: str) -> str:
    """What a pe_lib has to have: the version, and a hash of the names that the code uses."""
    names = sorted(name for name in Surface(code).names if is_ours(name))
    return f"{pe_lib.__version__}-{short_hash(' '.join(names))[:8]}"


def list_served(notebooks: dict[Path, NotebookNode], served: Path) -> None:
    """Add the notebooks' editions to pe_lib's list, where they are not in it yet."""
    lines = set(served.read_text("utf-8").splitlines())
    lines |= {
        f"{path.stem} {edition_of(code_of(notebook))}" for path, notebook in notebooks.items()
    }
    write(served, "".join(f"{line}\n" for line in sorted(lines)))

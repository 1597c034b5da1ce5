"""The set-up cell: what it takes, what it asks pip for, and how it explains what it does not find.

It runs here in a Python without packages, beside wheels that are all but empty. A file pip.py in
its folder takes pip's place: it notes what it is asked for. What pip itself does is tried in
tests/colab.
"""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import nbformat
import pytest

import pe_lib
from book.tools import notebooks, setup_cell
from book.tools.uses import Library
from tests.helpers import ROOT

LIBRARY = Library(ROOT)
FIGURE = "from pe_lib.figures import ShiftClocks\nShiftClocks()"
ADDRESS = "https://github.com/owner/name"
NAME = "pe_lib-0.1.0-py3-none-any"
EDITION = "0.1.0-1234abcd"
WHICH = "import pe_lib; print(pe_lib.WHICH)"
# Each module that it is asked for is there from then on.
PIP = """
import sys
packages = [word for word in sys.argv[2:] if not word.startswith("-")]
open("asked", "w").write(" ".join(packages))
if {offline}:
    sys.exit("ERROR: No matching distribution found for " + packages[-1])
for package in packages:
    open(package.split("@")[0] + ".py", "w")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The notebook's folder."""
    folder = tmp_path / "a folder"
    folder.mkdir()
    return folder


def put_pip(folder: Path, *, offline: bool = False) -> None:
    (folder / "pip.py").write_text(PIP.format(offline=offline))


def put_wheel(folder: Path, name: str = NAME, editions: str = EDITION) -> Path:
    """A wheel of a pe_lib that serves these editions, and whose WHICH is the wheel's name."""
    path = folder / f"{name}.whl"
    with ZipFile(path, "w") as wheel:
        wheel.writestr("pe_lib/__init__.py", f"WHICH = {name!r}\n")
        wheel.writestr("pe_lib/notebooks.lst", f"some_chapter {editions}\n")
    return path


def put_installed(folder: Path, files: dict[str, str]) -> Path:
    """An installed pe_lib."""
    library = folder.parent / "installed" / "pe_lib"
    library.mkdir(parents=True)
    for name, text in {"__init__.py": "WHICH = 'installed'\n", **files}.items():
        (library / name).write_text(text)
    return library


def run(folder: Path, *packages: str, address: str = "", before: str = "", after: str = "") -> str:
    """What a kernel prints that runs the cell, or the error that it ends with.

    Args:
        before, after: code around the cell, in the same kernel.
    """
    cell = setup_cell.source(EDITION, [*packages], address)
    ran = subprocess.run(
        [sys.executable, "-S", "-c", f"{before}\n{cell}\n{after}"],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(folder.parent / "installed"),
            "TMPDIR": str(folder.parent),
        },
        capture_output=True,
        text=True,
    )
    return ran.stderr.splitlines()[-1] if ran.returncode else ran.stdout.strip()


@pytest.mark.parametrize("added", ["", " (1)", "(2)", "-3"])
def test_a_wheel_is_taken_by_any_name_that_a_browser_gives_it(folder: Path, added: str) -> None:
    put_wheel(folder, NAME + added)
    assert run(folder, after=WHICH) == NAME + added
    assert [path.name for path in folder.iterdir()] == [f"{NAME}{added}.whl"]


def test_of_several_wheels_the_one_that_came_last_is_taken(folder: Path) -> None:
    for age, name in enumerate([f"{NAME} (1)", NAME, "pe_lib-0.0.9-py3-none-any"]):
        os.utime(put_wheel(folder, name), (2e9 - age, 2e9 - age))
    assert run(folder, after=WHICH) == f"{NAME} (1)"


def test_a_wheel_goes_before_an_older_pe_lib_which_stays_installed(folder: Path) -> None:
    library = put_installed(folder, {})
    put_wheel(folder)
    assert run(folder, after=WHICH) == NAME
    assert "installed" in (library / "__init__.py").read_text()


@pytest.mark.parametrize(
    "files",
    [{}, {"notebooks.lst": "some_chapter 0.1.0-00000000\n"}],
    ids=["without list", "listed"],
)
def test_an_older_pe_lib_of_the_same_version_is_named(folder: Path, files: dict[str, str]) -> None:
    library = put_installed(folder, {"__init__.py": "__version__ = '0.1.0'", **files})
    problem = (
        f"ImportError: {library} is too old: put its newest wheel here, and restart the kernel."
    )
    assert run(folder) == problem


def test_an_older_wheel_is_named_too(folder: Path) -> None:
    put_wheel(folder, editions="0.1.0-00000000")
    assert "pe_lib is too old: put its newest wheel here" in run(folder)


def test_a_pe_lib_that_lists_the_notebook_is_left_alone(folder: Path) -> None:
    lines = f"some_chapter 0.1.0-00000000\nsome_chapter {EDITION}\nsome_chapter 0.2.0-5678abcd\n"
    put_installed(folder, {"notebooks.lst": lines})
    assert run(folder, after=WHICH) == "installed"


def test_beside_a_new_wheel_a_kernel_that_has_the_old_pe_lib_is_to_be_restarted(
    folder: Path,
) -> None:
    library = put_installed(folder, {})
    put_wheel(folder)
    said = run(folder, before="import pe_lib")
    assert said.startswith(f"ImportError: {library} is too old")
    assert said.endswith("restart the kernel.")


def test_without_wheel_and_address_it_says_what_to_do_and_asks_pip_for_nothing(
    folder: Path,
) -> None:
    put_pip(folder)
    assert run(folder, "no_such_package") == (
        "ModuleNotFoundError: missing: pe_lib, no_such_package. Put into this folder the wheel of "
        "pe_lib (on the book's cover), offline the others' too, or run `make setup` in the course."
    )
    assert not (folder / "asked").exists(), "a pe_lib on an index would be somebody else's"


def test_what_is_missing_beside_a_wheel_is_left_to_pip(folder: Path) -> None:
    put_wheel(folder)
    put_pip(folder)
    assert run(folder, "json", "rotary_embedding_torch", after=WHICH) == NAME
    assert (folder / "asked").read_text() == "rotary_embedding_torch"


def test_without_a_network_it_says_which_wheels_are_missing(folder: Path) -> None:
    put_wheel(folder)
    put_pip(folder, offline=True)
    said = run(folder, "json", "anywidget", "rotary_embedding_torch")
    assert said.startswith("ModuleNotFoundError: missing: anywidget, rotary_embedding_torch. Put ")
    assert "offline the others' too" in said


def test_pip_is_asked_for_the_repository(folder: Path) -> None:
    put_pip(folder)
    run(folder, "json", address=ADDRESS)
    assert (folder / "asked").read_text() == f"pe_lib@git+{ADDRESS}"


def test_without_a_network_it_names_the_repository(folder: Path) -> None:
    put_pip(folder, offline=True)
    said = run(folder, address=ADDRESS)
    assert said.startswith(f"ModuleNotFoundError: missing: pe_lib@git+{ADDRESS}. Put into this")


def test_a_wheel_goes_before_the_repository(folder: Path) -> None:
    put_wheel(folder)
    put_pip(folder)
    assert run(folder, address=ADDRESS, after=WHICH) == NAME
    assert not (folder / "asked").exists()


# What is written into the cell


@pytest.mark.parametrize("address", ["", "https://github.com/somebody/positional-encodings-live"])
@pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)
def test_the_cell_is_short(path: Path, address: str) -> None:
    notebook = notebooks.read(path)
    setup_cell.write_cell(notebook, address, LIBRARY)
    lines = notebook.cells[1].source.splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("code", "packages"),
    [
        ("import json", ""),
        ("import pe_lib\npe_lib.rotate_half", ""),
        ("from pe_lib import plots\nplots.attention_maps", "matplotlib"),
        (FIGURE, "anywidget matplotlib"),
        ("def f():\n    from rotary_embedding_torch import a as b", "rotary_embedding_torch"),
        ("import numpy as np\nfrom transformers.models import llama", "numpy transformers"),
    ],
)
def test_packages_are_those_that_code_imports_or_makes_pe_lib_import(
    code: str, packages: str
) -> None:
    always = ["jaxtyping", "safetensors", "torch"]
    assert setup_cell.packages_of(code, LIBRARY) == sorted([*always, *packages.split()])


def test_a_package_that_nothing_pins_is_named() -> None:
    with pytest.raises(ValueError, match=r"imports no_such, but requirements\.txt has no"):
        setup_cell.packages_of("import no_such.part", LIBRARY)


def test_the_edition_is_that_of_the_names(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = setup_cell.edition_of(FIGURE)
    assert edition == setup_cell.edition_of(f"import torch\n{FIGURE}\nprint('more')")
    assert edition.startswith(f"{pe_lib.__version__}-")
    assert edition != setup_cell.edition_of(f"{FIGURE}\nimport pe_lib\npe_lib.wavelengths")
    monkeypatch.setattr(pe_lib, "__version__", "9.0.0")
    assert edition != setup_cell.edition_of(FIGURE)


def test_a_library_goes_on_serving_the_notebooks_that_it_has_served(tmp_path: Path) -> None:
    path = tmp_path / "01_small.ipynb"
    served = tmp_path / "notebooks.lst"
    served.write_text("01_small 0.0.9-00000000\n")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(FIGURE)])
    for _ in range(2):
        setup_cell.list_served({path: notebook}, served)
        assert served.read_text().splitlines() == [
            "01_small 0.0.9-00000000",
            f"01_small {setup_cell.edition_of(FIGURE)}",
        ]

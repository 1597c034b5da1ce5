"""pe_lib as others install it: the wheel's contents, its ranges, and the pins beside them."""

import re
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import pe_lib

ROOT = Path(__file__).resolve().parents[2]
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
LIGHT_IMPORT = """
import sys
sys.path.insert(0, {folder!r})
import pe_lib
print(pe_lib.__file__)
print(pe_lib.sinusoidal_encoding(2, dim=2).tolist()[0])
print(sorted({{"anywidget", "ipywidgets", "matplotlib"}} & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def wheel(clean_copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, clean_copy]
    subprocess.run([*PIP, *build], check=True)
    (path,) = folder.glob("*.whl")
    return path


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(archive.read(name).decode())


def test_the_wheel_holds_the_library_and_nothing_else(wheel: Path, clean_copy: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for path in (clean_copy / "pe_lib").rglob("*") if path.is_file())
    assert held == {path.relative_to(clean_copy).as_posix() for path in files}
    assert "pe_lib/py.typed" in held
    assert "pe_lib/figures/sinusoidal/sinusoidal_table.js" in held


def test_the_installed_wheel_works_without_pictures(wheel: Path, tmp_path: Path) -> None:
    subprocess.run([*PIP, "install", "--no-deps", "--target", tmp_path, wheel], check=True)
    program = [sys.executable, "-I", "-c", LIGHT_IMPORT.format(folder=str(tmp_path))]
    run = subprocess.run(program, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert run.stdout.splitlines() == [str(tmp_path / "pe_lib/__init__.py"), "[0.0, 1.0]", "[]"]


def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    about = metadata(wheel)
    assert about["Version"] == pe_lib.__version__
    assert f"name: {about['Author']}" in (ROOT / "CITATION.cff").read_text()
    assert about["Requires-Python"] == ">=3.11"
    assert about["License-Expression"] == "MIT AND PSF-2.0"
    assert set(about.get_all("Provides-Extra")) == {"figures", "plots"}
    assert f"version: {pe_lib.__version__}" in (ROOT / "CITATION.cff").read_text()


def pins() -> dict[str, str]:
    """Each package of requirements.txt and its version."""
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    entries = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): version for name, version in entries}


def test_pins_are_in_the_ranges_of_the_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    for text in [*project["dependencies"], *(line for extra in extras for line in extra)]:
        wanted = Requirement(text)
        assert pins()[canonicalize_name(wanted.name)] in wanted.specifier, text
        assert not any(part.operator == "==" for part in wanted.specifier), f"{text} is a pin"


def test_what_the_pinned_packages_need_is_pinned_too() -> None:
    here_only = re.compile("nvidia-|cuda-|triton")  # parts of a CUDA build of torch
    for name in pins():
        for text in requires(name) or []:
            wanted = Requirement(text)
            needed = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
            if needed and not here_only.match(wanted.name):
                assert canonicalize_name(wanted.name) in pins(), f"{name} needs {text}"


def test_requirements_name_no_index_and_no_build_of_torch() -> None:
    text = (ROOT / "requirements.txt").read_text()
    assert not re.search(r"://|^-|\+", text, re.MULTILINE)

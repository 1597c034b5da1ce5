"""pe_lib as others install it: what the wheel holds and what it says about itself."""

import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

import pe_lib
from tests.helpers import ROOT

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
    licences = "MIT AND PSF-2.0 AND CC-BY-4.0 AND BSD-3-Clause AND Bitstream-Vera"
    assert about["License-Expression"] == licences
    assert set(about.get_all("Provides-Extra")) == {"figures", "plots"}
    assert f"version: {pe_lib.__version__}" in (ROOT / "CITATION.cff").read_text()

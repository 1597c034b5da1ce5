"""What is taken away: the book as one file, and the wheel of pe_lib."""

import os
from pathlib import Path
from zipfile import ZipFile

import pytest
import yaml

import pe_lib
from book.pe_book.downloads import WHEEL
from book.tools import archive, wheel
from book.tools.notebooks import ROOT

RELEASE = (ROOT / ".github/workflows/release.yml").read_text()


@pytest.fixture
def html(tmp_path: Path) -> Path:
    """A folder such as that of a built book."""
    folder = tmp_path / "html"
    for name, text in {
        "index.html": "cover",
        "chapters/00.html": "é" * 999,
        ".buildinfo": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def test_it_unpacks_into_one_folder_that_holds_the_book(html: Path, tmp_path: Path) -> None:
    (tmp_path / "positional-encodings-live-0.0.zip").touch()
    path = archive.make(tmp_path, html)
    assert [*tmp_path.glob("*.zip")] == [path]
    with ZipFile(path) as packed:
        assert packed.testzip() is None
        packed.extractall(tmp_path / "elsewhere")
    [folder] = (tmp_path / "elsewhere").iterdir()
    assert folder.name == path.stem == f"positional-encodings-live-{pe_lib.__version__}"
    for file in html.rglob("*"):
        unpacked = folder / file.relative_to(html)
        assert unpacked.is_dir() if file.is_dir() else unpacked.read_bytes() == file.read_bytes()
    assert len([*folder.rglob("*")]) == len([*html.rglob("*")])


def test_the_same_book_gives_the_same_file(html: Path, tmp_path: Path) -> None:
    first = archive.make(tmp_path, html).read_bytes()
    (html / "index.html").touch()
    assert archive.make(tmp_path, html).read_bytes() == first


def test_on_a_full_disk_the_old_file_stays(html: Path, tmp_path: Path) -> None:
    old = archive.make(tmp_path, html)
    before = old.read_bytes()
    # What Linux keeps for this: a file on a disk that is always full.
    Path(f"{old}.{os.getpid()}").symlink_to("/dev/full")
    with pytest.raises(OSError, match="the disk is full"):
        archive.make(tmp_path, html)
    assert [*tmp_path.glob("*.zip*")] == [old] and old.read_bytes() == before


def test_a_book_that_is_not_built_is_not_packed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "HTML", tmp_path)
    with pytest.raises(SystemExit, match="not built yet: `make book` builds it"):
        archive.main()
    assert [*tmp_path.iterdir()] == []


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of pe_lib."""
    return wheel.make(tmp_path_factory.mktemp("wheel"))


def test_the_same_library_gives_the_same_wheel(library: Path, tmp_path: Path) -> None:
    (tmp_path / "pe_lib-0.0-py3-none-any.whl").touch()
    again = wheel.make(tmp_path)
    assert [*tmp_path.iterdir()] == [again]
    assert again.name == library.name == WHEEL
    assert again.read_bytes() == library.read_bytes()


def test_the_wheel_holds_the_whole_library_and_nothing_else(library: Path) -> None:
    with ZipFile(library) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    files = [path for path in (ROOT / "pe_lib").rglob("*.*") if path.suffix != ".pyc"]
    assert names == {path.relative_to(ROOT).as_posix() for path in files if path.is_file()}


def test_a_release_has_both(html: Path, tmp_path: Path) -> None:
    [*_, make, release] = yaml.safe_load(RELEASE)["jobs"]["release"]["steps"]
    assert make["run"] == "make zip"
    command = release["run"].replace("${TAG#v}", pe_lib.__version__)
    assert f'"_build/{archive.make(tmp_path, html).name}"' in command
    assert f'"_build/html/{WHEEL}"' in command

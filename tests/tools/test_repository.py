"""The repository's address: one place, written into the chapters by one command."""

import shutil
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

import pe_lib
from book.tools import notebooks, repository, setup_cell
from book.tools.uses import Library
from tests.helpers import ROOT

ADDRESS = "https://github.com/owner/name"
LIBRARY = Library(ROOT)


@pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)
def test_chapters_hold_the_set_up_cell_of_their_imports_and_of_the_address(path: Path) -> None:
    notebook = notebooks.read(path)
    cell = notebook.cells[1]
    assert cell.id == "setup"
    assert cell.metadata["tags"] == ["setup"]
    stored = cell.source
    setup_cell.write_cell(notebook, repository.configured(repository.CONFIG), LIBRARY)
    assert stored == cell.source, "`make repository` writes it anew"
    line = f"{path.stem} {setup_cell.edition_of(notebooks.code_of(notebook))}"
    assert line in setup_cell.SERVED.read_text().splitlines(), "`make repository` adds it"


def test_the_configuration_is_read_as_yaml_reads_it() -> None:
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    assert repository.configured(repository.CONFIG) == config["repository"]["url"]


def test_writing_the_address_keeps_the_rest_of_the_configuration(tmp_path: Path) -> None:
    config = Path(shutil.copy(ROOT / "_config.yml", tmp_path))
    repository.configure("", config)
    before = config.read_text()
    repository.configure(ADDRESS, config)
    assert yaml.safe_load(config.read_text())["repository"]["url"] == ADDRESS
    assert repository.configured(config) == ADDRESS
    repository.configure("", config)
    assert config.read_text() == before


def urls(project: Path) -> dict[str, str]:
    return tomllib.loads(project.read_text())["project"]["urls"]


def test_the_project_has_the_urls_of_the_configured_address(tmp_path: Path) -> None:
    project = Path(shutil.copy(ROOT / "pyproject.toml", tmp_path))
    before = project.read_text()
    repository.write_urls(repository.configured(repository.CONFIG), project)
    assert project.read_text() == before


def test_the_urls_of_the_project_come_and_go_with_the_address(tmp_path: Path) -> None:
    project = Path(shutil.copy(ROOT / "pyproject.toml", tmp_path))
    repository.write_urls("", project)
    without = project.read_text()
    assert urls(project) == {}
    for _ in range(2):
        repository.write_urls(ADDRESS, project)
        assert urls(project) == {
            "Homepage": ADDRESS,
            "Source": ADDRESS,
            "Issues": f"{ADDRESS}/issues",
            "Changelog": f"{ADDRESS}/blob/HEAD/CHANGELOG.md",
        }
    repository.write_urls("", project)
    assert project.read_text() == without


@pytest.mark.parametrize(
    "line", ['  url: ""', "  url:", "  url: # none yet", "  branch: main\n  url: '' # here"]
)
def test_the_address_may_stand_in_any_style(tmp_path: Path, line: str) -> None:
    config = tmp_path / "_config.yml"
    config.write_text(f"title: url\nrepository:\n{line}\nhtml:\n  url: other\n")
    repository.configure(ADDRESS, config)
    assert yaml.safe_load(config.read_text()) == {
        "title": "url",
        "repository": {**({"branch": "main"} if "branch" in line else {}), "url": ADDRESS},
        "html": {"url": "other"},
    }
    assert config.read_text().count("#") == line.count("#")


@pytest.mark.parametrize("written", [ADDRESS, f"{ADDRESS}/", f"{ADDRESS}.git", f" {ADDRESS}.git/ "])
def test_one_address_has_one_form(written: str) -> None:
    assert repository.normalised(written) == ADDRESS


@pytest.mark.parametrize(
    "wrong",
    [
        "github.com/owner/name",
        "http://github.com/owner/name",
        "git@github.com:owner/name",
        "https://github.com/owner",
        "https://github.com/owner/name/tree/main",
        'https://github.com/owner/"+name',
        "https://github.com/owner/na me",
        "https://github.com/owner/name\nother",
    ],
)
def test_what_is_no_address_is_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match="must look like https://host/owner/name"):
        repository.normalised(wrong)


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of one executed chapter that has no set-up cell yet; gives the chapter's path."""
    (tmp_path / "chapters").mkdir()
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    config = Path(shutil.copy(ROOT / "_config.yml", tmp_path))
    repository.configure("", config)
    monkeypatch.setattr(repository, "CONFIG", config)
    monkeypatch.setattr(repository, "PROJECT", Path(shutil.copy(ROOT / "pyproject.toml", tmp_path)))
    monkeypatch.setattr(notebooks, "ROOT", tmp_path)
    monkeypatch.setattr(setup_cell, "SERVED", tmp_path / "notebooks.lst")
    setup_cell.SERVED.touch()
    # The pe_lib that the chapter's kernel finds does not list this chapter, but lists its version.
    monkeypatch.setattr(setup_cell, "edition_of", lambda code: pe_lib.__version__)
    path = tmp_path / "chapters" / "01_small.ipynb"
    cells = [
        nbformat.v4.new_markdown_cell("# Small", id="title"),
        nbformat.v4.new_code_cell("1 + 1", id="sum"),
    ]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def set_address(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["repository", *arguments])
    repository.main()


def test_chapters_stay_valid_when_the_address_changes(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_address(monkeypatch)
    notebooks.run(course)
    without_address = course.read_text()
    set_address(monkeypatch, ADDRESS)
    assert f'["pe_lib@git+{ADDRESS}"' in notebooks.read(course).cells[1].source
    assert notebooks.check(course) == []
    assert urls(repository.PROJECT)["Source"] == ADDRESS
    with_address = course.read_text()
    set_address(monkeypatch)
    set_address(monkeypatch, ADDRESS)
    assert course.read_text() == with_address
    set_address(monkeypatch, "")
    assert course.read_text() == without_address


def test_pe_lib_lists_the_chapters_that_it_serves(
    course: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_address(monkeypatch)
    assert setup_cell.SERVED.read_text() == f"01_small {pe_lib.__version__}\n"


@pytest.mark.parametrize(
    ("code", "problem"),
    [("import no_such", "imports no_such, but"), ("def", "invalid syntax")],
)
def test_a_chapter_whose_imports_cannot_be_read_is_named(
    course: Path, monkeypatch: pytest.MonkeyPatch, code: str, problem: str
) -> None:
    notebook = notebooks.read(course)
    notebook.cells.append(nbformat.v4.new_code_cell(code, id="bad"))
    nbformat.write(notebook, course)
    with pytest.raises(SystemExit, match=f"^chapters/01_small.ipynb: {problem}"):
        set_address(monkeypatch)


def test_a_wrong_address_changes_nothing(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = course.read_bytes()
    with pytest.raises(SystemExit, match="must look like"):
        set_address(monkeypatch, "github.com/owner/name")
    assert course.read_bytes() == before

"""The repository's address: one place, written into the chapters by one command."""

import shutil
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml

from book.tools import notebooks, repository
from tests.helpers import ROOT

ADDRESS = "https://github.com/owner/name"


@pytest.mark.parametrize("path", notebooks.chapters(), ids=lambda path: path.stem)
def test_chapters_hold_the_address_of_the_configuration(path: Path) -> None:
    cell = notebooks.read(path).cells[1]
    assert cell.id == "setup"
    assert cell.metadata["tags"] == repository.TAGS
    assert cell.source == repository.setup_source(repository.configured(repository.CONFIG))


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


def test_the_set_up_cell_is_short_and_silent_here() -> None:
    source = repository.setup_source(ADDRESS)
    assert len(source.splitlines()) <= 15
    names: dict[str, object] = {}
    exec(source, names)
    assert names["repository"] == ADDRESS


def test_without_address_and_library_the_set_up_cell_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(ModuleNotFoundError, match="run `make setup`"):
        exec(repository.setup_source(""), {})


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
    assert f'repository = "{ADDRESS}"' in notebooks.read(course).cells[1].source
    assert notebooks.check(course) == []
    assert urls(repository.PROJECT)["Source"] == ADDRESS
    with_address = course.read_text()
    set_address(monkeypatch)
    set_address(monkeypatch, ADDRESS)
    assert course.read_text() == with_address
    set_address(monkeypatch, "")
    assert course.read_text() == without_address


def test_a_wrong_address_changes_nothing(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = course.read_bytes()
    with pytest.raises(SystemExit, match="must look like"):
        set_address(monkeypatch, "github.com/owner/name")
    assert course.read_bytes() == before

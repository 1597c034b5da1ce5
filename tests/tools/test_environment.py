"""Setting up `.venv`: nothing is done twice, and an interruption does no harm."""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from book.tools import environment
from tests.helpers import ROOT


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository without anything to install."""
    (tmp_path / "requirements.txt").write_text("# nothing\n")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working environment, made once: ensurepip takes a while."""
    folder = tmp_path_factory.mktemp("environment") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder


@pytest.fixture
def ready(root: Path, working: Path) -> Path:
    """The repository with a working environment."""
    (root / ".venv").symlink_to(working)
    return root


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The Pythons for which something was installed, instead of installing it."""
    pythons: list[Path] = []
    monkeypatch.setattr(environment, "install", pythons.append)
    return pythons


def test_it_makes_a_working_environment_once(root: Path, installed: list[Path]) -> None:
    environment.main()
    assert len(installed) == 1
    pip = installed[0].with_name("pip")
    subprocess.run([pip, "--version"], check=True, capture_output=True)
    environment.main()
    assert len(installed) == 1


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_it_installs_again_when_the_requirements_change(
    ready: Path, installed: list[Path], name: str
) -> None:
    environment.main()
    with (ready / name).open("a") as file:
        file.write("# a change\n")
    environment.main()
    assert len(installed) == 2


def test_it_goes_on_after_an_interruption(ready: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environment, "install", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environment.main()
    pythons: list[Path] = []
    monkeypatch.setattr(environment, "install", pythons.append)
    environment.main()
    assert len(pythons) == 1


@pytest.mark.slow
def test_it_mends_an_environment_without_pip(root: Path, installed: list[Path]) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / ".venv"], check=True)
    environment.main()
    subprocess.run([installed[0], "-m", "pip", "--version"], check=True, capture_output=True)


@pytest.mark.slow
def test_it_replaces_an_environment_whose_python_is_gone(root: Path, installed: list[Path]) -> None:
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(root / "uninstalled")
    environment.main()
    subprocess.run([python, "-m", "pip", "--version"], check=True, capture_output=True)


def test_half_installed_packages_are_forgotten(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "site-packages"
    for name, files in {"whole": ["METADATA", "RECORD"], "half": ["METADATA"]}.items():
        folder = packages / f"{name}-1.0.dist-info"
        folder.mkdir(parents=True)
        for file in files:
            (folder / file).touch()
    environment.remove_half_installed(tmp_path)
    assert [folder.name for folder in packages.iterdir()] == ["whole-1.0.dist-info"]


def test_the_torch_that_is_there_is_kept_where_it_fits(root: Path) -> None:
    assert environment.fitting_torch(Path(sys.executable)) == version("torch")


def test_a_torch_out_of_range_is_not_kept(root: Path) -> None:
    project = root / "pyproject.toml"
    project.write_text(project.read_text().replace('"torch>=2.5"', '"torch>=99"'))
    assert environment.fitting_torch(Path(sys.executable)) == ""


def test_a_kept_torch_replaces_the_pin(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "requirements.txt").write_text("mpmath==1.3.0\ntorch==2.13.0\n")
    asked: list[str] = []

    def run(command: list[str | Path], advice: str = "") -> None:
        if "-r" in command:
            asked.extend(Path(command[-1]).read_text().splitlines())

    monkeypatch.setattr(environment, "run", run)
    monkeypatch.setattr(environment, "fitting_torch", lambda _: "2.5.1+cu121")
    environment.install(Path(sys.executable))
    assert asked == ["mpmath==1.3.0", "torch==2.5.1+cu121"]


def test_a_failing_installation_says_how_to_go_on(root: Path) -> None:
    (root / "requirements.txt").write_text("no package has such a name\n")
    with pytest.raises(SystemExit, match=r"exit code 1\. The same command goes on"):
        environment.install(Path(sys.executable))

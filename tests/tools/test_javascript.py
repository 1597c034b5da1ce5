"""The figures' scripts are checked where there is Node, and what is left out is said."""

import subprocess
import sys

import pytest

from book.tools import javascript


@pytest.fixture(autouse=True)
def command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["javascript"])


def test_without_node_it_says_what_was_left_out(monkeypatch, capsys) -> None:
    monkeypatch.setattr(javascript.shutil, "which", lambda name: None)
    monkeypatch.delenv("CI", raising=False)
    javascript.main()
    assert capsys.readouterr().out.startswith("The figures' scripts were not checked: Node is not")


def test_without_node_ci_fails(monkeypatch) -> None:
    monkeypatch.setattr(javascript.shutil, "which", lambda name: None)
    monkeypatch.setenv("CI", "true")
    with pytest.raises(SystemExit, match="were not checked: Node is not installed"):
        javascript.main()


@pytest.mark.parametrize("found", [0, 1])
def test_it_ends_as_the_linter_does(monkeypatch, tmp_path, found: int) -> None:
    """The pinned linter is installed once, then only run."""
    ran = []

    def run(command: list[str], **options: object) -> subprocess.CompletedProcess:
        ran.append(command[1])
        javascript.INSTALLED.touch()
        return subprocess.CompletedProcess(command, found if command[1] == "exec" else 0)

    monkeypatch.setattr(javascript.shutil, "which", lambda name: name)
    monkeypatch.setattr(javascript, "INSTALLED", tmp_path / "installed")
    monkeypatch.setattr(javascript.subprocess, "run", run)
    for _ in range(2):
        with pytest.raises(SystemExit) as end:
            javascript.main()
        assert end.value.code == found
    assert ran == ["install", "exec", "exec"]

"""What a record says of the code that it comes from."""

import subprocess
from pathlib import Path

import pytest

import pe_lib
from pe_lib.experiments.machine import commit, machine


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A commit of one module with one table."""
    (tmp_path / "records").mkdir()
    (tmp_path / "module.py").write_text("one = 1")
    (tmp_path / "records" / "runs.csv").write_text("run")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@x.x"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "all"]):
        subprocess.run([*git, *words], check=True)
    return tmp_path


def test_a_commit_is_named(checkout):
    assert len(commit(checkout)) == 12


def test_changed_code_is_said_to_be_changed(checkout):
    (checkout / "module.py").write_text("one = 2")
    assert commit(checkout).endswith(", changed")


def test_new_code_is_said_to_be_changed(checkout):
    (checkout / "other.py").write_text("two = 2")
    assert commit(checkout).endswith(", changed")


@pytest.mark.parametrize(
    "written", ["records/runs.csv", "records/new.csv", "a/rope.safetensors", "a/record.json"]
)
def test_what_experiments_write_is_no_change(checkout, written):
    path = checkout / written
    path.parent.mkdir(exist_ok=True)
    path.write_text("other")
    assert len(commit(checkout)) == 12


def test_no_checkout_has_no_commit(tmp_path):
    assert commit(tmp_path) == "not in git"


def test_a_machine_has_a_name_and_no_number_of_the_device():
    about = machine("cpu")
    assert about["device"] == "cpu" and about["processor"]
    assert about["pe_lib"] == pe_lib.__version__

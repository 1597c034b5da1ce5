"""The command as its users give it: in one process, in several, and broken off."""

import argparse
import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.extrapolation import command, records
from pe_lib.experiments.extrapolation.setting import SMOKE_BAND, SMOKE_RUN
from pe_lib.experiments.extrapolation.work import Share
from tests.experiments.extrapolation.test_work import results
from tests.helpers import ROOT

PYTHON = (sys.executable,)
TORCHRUN = (*PYTHON, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2")
PROGRAM = Path(__file__).with_name("tiny_command.py")
TABLES = ("tuning", "runs", "losses", "by_position")


def environment() -> dict[str, str]:
    rest = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
    return rest | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


def give(tables: Path, what: str, *options: str, start: tuple[str, ...] = PYTHON) -> str:
    """Give a command to tiny runs in a process of its own. Returns what it says."""
    line = [*start, str(PROGRAM), str(tables), what, *options]
    done = subprocess.run(line, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def everything(folder: Path, tables: Path, start: tuple[str, ...] = PYTHON) -> dict[str, list]:
    """All tables, made from nothing, but for what depends on when that was."""
    options = ("--folder", str(folder))
    for stage in ("tuning", "seeds"):
        give(tables, stage, *options, start=start)
        give(tables, "tables", *options)
    found = {name: records.read(name, tables) for name in TABLES}
    for row in itertools.chain(*found.values()):
        for column in {"seconds", "date"} & row.keys():
            del row[column]
    return found


def test_two_processes_give_the_tables_of_one(tmp_path):
    one = everything(tmp_path / "one", tmp_path / "one_tables")
    two = everything(tmp_path / "two", tmp_path / "two_tables", start=TORCHRUN)
    assert one == two
    assert len(one["tuning"]) == 3 * 4
    assert len(one["runs"]) == 2 * 3


def test_a_process_that_is_killed_has_lost_nothing(tmp_path):
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    give(tmp_path, "tuning", "--folder", str(whole), "--only", "rope")
    options = ("--folder", str(killed), "--only", "rope")
    line = [*PYTHON, str(PROGRAM), str(tmp_path), "tuning", *options]
    with subprocess.Popen(line, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        while "step 2 " not in process.stdout.readline():
            pass
        process.kill()
    assert results(killed).keys() < results(whole).keys(), "it was killed before its end"
    assert "all done" in give(tmp_path, "tuning", *options)
    assert results(killed) == results(whole)


def test_the_plan_is_said_before_anything_is_done(tmp_path):
    said = give(tmp_path, "plan", "--folder", str(tmp_path / "runs"))
    assert "tuning: 12 runs, 0 of them done; cpu" in said
    assert "seeds: 6 runs, 0 of them done; cpu" in said
    assert "the tuning has yet to choose" in said
    assert not (tmp_path / "runs").exists()


def test_seeds_wait_for_the_tuning(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(records, "read", lambda table, folder=None: [])
    monkeypatch.setattr("sys.argv", ["x", "extrapolation", "seeds", "--folder", str(tmp_path)])
    assert experiments.main() == 1
    assert "first comes the tuning, and then tables" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "a/b", "1/0", "-1/2", "1/2/3"])
def test_a_share_that_is_none_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected K/N with 1 <= K <= N"):
        command.share(text)


def test_the_share_comes_from_the_environment(monkeypatch):
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    assert command.share_of_environment() == Share(0, 1)
    monkeypatch.setenv("RANK", "2")
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert command.share_of_environment() == Share(2, 4) == command.share("3/4")


def test_the_smoke_run_comes_out_as_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", "extrapolation", "smoke", "--folder", str(tmp_path)])
    assert experiments.main() == 0
    (found,) = results(tmp_path).values()
    (row,) = (row for row in records.read("runs") if row["run"] == SMOKE_RUN.name)
    assert found["validation_loss"] == pytest.approx(float(row["validation_loss"]), abs=SMOKE_BAND)
    rows = [row for row in records.read("losses") if row["run"] == SMOKE_RUN.name]
    assert len(rows) == 9
    for row in rows:
        own = found["losses"][row["way"]][row["length"]]
        assert own == pytest.approx(float(row["loss"]), abs=SMOKE_BAND), row

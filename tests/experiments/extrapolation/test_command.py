"""The command as its users give it: in one process, in several, and broken off."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.engine.training import Training
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.setting import (
    SMOKE_BAND,
    SMOKE_RUN,
    Run,
    tuning_runs,
)
from pe_lib.experiments.loss import Diverged
from tests.experiments.extrapolation.conftest import EXPERIMENT
from tests.experiments.extrapolation.test_records import a_result, put
from tests.experiments.extrapolation.test_work import results
from tests.helpers import ROOT

PYTHON = (sys.executable,)
TORCHRUN = (*PYTHON, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2")
PROGRAM = Path(__file__).with_name("tiny_command.py")


def environment() -> dict[str, str]:
    rest = {name: value for name, value in os.environ.items() if name not in ("RANK", "WORLD_SIZE")}
    return rest | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}


@pytest.fixture
def chosen(tiny, tmp_path) -> Path:
    """Tables that hold a tuning of tiny runs, and nothing else."""
    losses = ((run, 1.0 + n / 100) for n, run in enumerate(tuning_runs(tiny)))
    put(tmp_path / "tuned", "tuning", *(a_result(run, loss) for run, loss in losses))
    Extrapolation(tmp_path / "tables").merge(tmp_path / "tuned")
    return tmp_path / "tables"


@pytest.fixture
def give(monkeypatch, capsys, tiny, tmp_path, short_text) -> Callable[..., str]:
    """Gives a command to tiny runs, in this process. Returns what it says."""
    here = Extrapolation(tmp_path / "tables", tiny)
    monkeypatch.setattr(experiments, "EXPERIMENTS", (here,))
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)

    def given(*words: str, status: int = 0) -> str:
        line = ["experiments", "extrapolation", *words, "--folder", str(tmp_path / "runs")]
        monkeypatch.setattr("sys.argv", line)
        assert experiments.main() == status
        return capsys.readouterr().out

    return given


@pytest.mark.slow
def test_two_processes_give_the_tables_of_one(chosen, tmp_path):
    tables = []
    for start, processes in ((PYTHON, 1), (TORCHRUN, 2)):
        folder, own = tmp_path / str(processes), tmp_path / f"{processes}_tables"
        options = ("--folder", str(folder), "--only", "ope")  # RoPE, CoPE and the mixture
        line = [*start, str(PROGRAM), str(chosen), "seeds", *options]
        done = subprocess.run(line, env=environment(), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        begun = re.findall(r"^(\[.*\] )?\d+ of \d+: (.*)", done.stdout, re.MULTILINE)
        assert len({name for _, name in begun}) == len(begun) == 2 * 3, "each run once"
        assert len({process for process, _ in begun}) == processes
        Extrapolation(own).merge(folder)
        names = ("runs", "losses", "by_position", "stretched")
        found = [records.read(name, own) for name in names]
        assert all(found)
        for row in found[0]:
            del row["seconds"], row["date"]
        tables.append(found)
    one, two = tables
    assert one == two


def test_a_process_that_is_killed_has_lost_nothing(tiny, tmp_path, short_text):
    runs = [run for run in tuning_runs(tiny) if run.position == "rope"]
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    Work(EXPERIMENT, "tuning", runs, whole).do()
    options = ("--folder", str(killed), "--only", "rope")
    line = [*PYTHON, str(PROGRAM), str(tmp_path), "tuning", *options]
    with subprocess.Popen(line, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        for said in process.stdout:
            if "step 2 " in said:
                break
        process.kill()
    assert results(killed).keys() < results(whole).keys(), "it was killed before its end"
    lines: list[str] = []
    Work(EXPERIMENT, "tuning", runs, killed, say=lines.append).do()
    first_steps = sum(line.startswith("1 of") for line in lines)
    assert first_steps == 1 and not lines[1].startswith("  step 1 "), "it goes on, not begins anew"
    assert lines[-1] == "all done"
    assert results(killed) == results(whole)


def test_the_plan_is_said_before_anything_is_done(give, tmp_path):
    said = give("plan")
    assert "tuning: 42 runs, 0 of them done; cpu" in said
    assert "seeds: 51 runs, 0 of them done; cpu" in said
    assert "the tuning has yet to choose: none, sinusoidal, learned, rope, alibi" in said
    assert list(tmp_path.iterdir()) == []


def test_tuning_and_seeds_become_tables(give, tmp_path):
    assert "all done" in give("tuning")
    assert "42 results" in give("tables")
    said = give("seeds", "--only", "rope-lr")
    assert "seeds: 5 runs, 0 of them done; cpu" in said and "all done" in said
    assert "47 results" in give("tables")
    lengths, losses = records.curves("strided", "tiny", tmp_path / "tables")
    assert lengths == [16, 32, 64]
    assert losses["rope"].shape == (5, 3)
    assert "done; cpu" in give("plan") and "5 of them done" in give("plan", "--only", "rope-lr")


def test_what_the_tables_hold_is_neither_planned_nor_done(give, tmp_path):
    give("tuning", "--only", "rope-lr")
    give("tables")
    shutil.rmtree(tmp_path / "runs")
    said = give("plan")
    assert "tuning: 42 runs, 3 of them done; cpu" in said
    assert "yet to choose: none, sinusoidal, learned, alibi, t5, xpos" in said
    (chosen,) = (row["run"] for row in records.read("tuning", tmp_path / "tables") if row["chosen"])
    assert f"{chosen}\n" in said.partition("seeds:")[2], "with what was chosen for it"
    assert "tuning: 3 runs, 0 of them done; cpu" in give("plan", "--only", "rope-lr", "--again")
    assert not (tmp_path / "runs").exists()
    assert "1 of 3" not in give("tuning", "--only", "rope-lr")
    assert "1 of 3" in give("tuning", "--only", "rope-lr", "--again")


def test_seeds_wait_for_the_tuning(give):
    assert "first comes the tuning, and then tables" in give("seeds", status=1)
    give("tuning", "--only", "rope-lr")
    give("tables")
    assert "there is no choice for none, sinusoidal, learned, alibi" in give("seeds", status=1)


def test_time_that_is_over_is_no_failure(give):
    assert "the time is over" in give("tuning", "--only", "rope", "--minutes", "0")


def test_only_the_first_of_several_processes_writes_tables(give, monkeypatch, tmp_path):
    give("tuning", "--only", "rope-lr0.002")
    assert give("tables", "--share", "2/2") == ""
    assert not (tmp_path / "tables").exists()
    assert "[1/2] 1 results" in give("tables", "--share", "1/2")


def test_diagnostics_are_of_all_trained_models_or_not_written(give, tiny, monkeypatch, tmp_path):
    runs = [Run(tiny, "rope", None, 4e-3, seed) for seed in (0, 1)]
    monkeypatch.setattr(Extrapolation, "seeds", lambda self, choices: iter(runs))
    for run, missing in ((runs[0], "2 that are not"), (runs[1], f"1 that are not: {runs[1].name}")):
        assert f"got {missing}" in give("diagnostics", status=1)
        assert not (tmp_path / "tables").exists()
        Work(EXPERIMENT, "tuning", [run], tmp_path / "runs").do()
    give("diagnostics")
    rows = records.read("diagnostics", tmp_path / "tables")
    assert [row["run"] for row in rows] == [run.name for run in runs]


@pytest.mark.slow
def test_the_smoke_run_comes_out_as_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", "extrapolation", "smoke", "--folder", str(tmp_path)])
    assert experiments.main() == 0
    (found,) = results(tmp_path).values()
    (row,) = (row for row in records.read("runs") if row["run"] == SMOKE_RUN.name)
    assert found["validation_loss"] == pytest.approx(float(row["validation_loss"]), abs=SMOKE_BAND)
    plain, stretched = (
        [row for row in records.read(table) if row["run"] == SMOKE_RUN.name]
        for table in ("losses", "stretched")
    )
    assert (len(plain), len(stretched)) == (3 * 3, 5 * 3 * 2)
    for row in plain:
        own = found["losses"][row["way"]][row["length"]]
        assert own == pytest.approx(float(row["loss"]), abs=SMOKE_BAND), row
    for row in stretched:
        own = found["stretched"][row["method"]][row["length"]][row["way"]]
        assert own == pytest.approx(float(row["loss"]), abs=SMOKE_BAND), row


@pytest.mark.parametrize("what", ["plan", "tuning"])
def test_a_part_of_a_name_that_no_run_has_is_not_called_done(give, what):
    said = give(what, "--only", "zzz", status=1)
    assert "--only: expected a part of the name of a run, as tiny-" in said
    assert "got 'zzz'" in said and "all done" not in said


def test_damaged_files_are_named_by_every_command_that_reads_them(give, tmp_path):
    give("tuning", "--only", "rope-lr0.002")
    (result,) = (tmp_path / "runs" / "tuning").iterdir()
    (saved,) = (tmp_path / "runs" / "trained").iterdir()
    for path, commands in ((result, ("plan", "tuning", "tables")), (saved, ("plan", "tuning"))):
        whole = path.read_bytes()
        path.write_bytes(whole[:-100])
        for what in commands:
            only = () if what == "tables" else ("--only", "rope-lr0.002")
            said = give(what, *only, status=1)
            assert f"{path}: expected " in said and "(remove it, and " in said
        path.unlink()  # the checkpoint is looked at where there is no result


def test_a_full_disk_ends_a_command_with_a_sentence(give, tiny, tmp_path):
    trained = tmp_path / "runs" / "trained"
    trained.mkdir(parents=True)
    (name,) = (r.name for r in tuning_runs(tiny) if "rope-lr0.002" in r.name)
    Path(f"{trained / name}.pt.{os.getpid()}").symlink_to("/dev/full")
    said = give("tuning", "--only", "rope-lr0.002", status=1)
    assert "the disk is full" in said and name in said
    assert list(trained.iterdir()) == []


def test_a_learning_rate_at_which_a_run_diverges_is_not_chosen(give, tmp_path, monkeypatch):
    advance = Training.advance

    def broken(training):
        if training.run.learning_rate == 0.008:
            raise Diverged("the loss is nan in step 1")
        return advance(training)

    monkeypatch.setattr(Training, "advance", broken)
    assert "diverged: the loss is nan in step 1" in give("tuning", "--only", "rope-lr")
    give("tables")
    rows = {row["learning_rate"]: row for row in records.read("tuning", tmp_path / "tables")}
    assert rows["0.008"]["validation_loss"] == "" and rows["0.008"]["diverged"]
    assert rows["0.008"]["chosen"] == ""
    assert sorted(row["chosen"] for row in rows.values()) == ["", "", "yes"]


@pytest.mark.parametrize("minutes", ["nan", "-1", "soon"])
def test_a_time_that_is_none_is_refused(give, minutes, capsys):
    with pytest.raises(SystemExit):
        give("tuning", "--minutes", minutes)
    assert f"expected a number of minutes >= 0, got '{minutes}'" in capsys.readouterr().err

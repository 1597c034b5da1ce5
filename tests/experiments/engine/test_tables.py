"""The tables that all experiments have: what becomes of results that are not all alike."""

from pathlib import Path

import pytest
import torch

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.kept import write_result
from pe_lib.experiments.engine.runs import Run, Setting, at_seeds

TINY = Setting("tiny", 8, 1, 2, batch=2, steps=6)


def put(folder: Path, run: Run, found: dict[int, float]) -> None:
    put_result(folder, "seeds", run, seed=run.seed, found=found)


def put_result(folder: Path, stage: str, run: Run, **values: object) -> None:
    about = {"run": run.name, "setting": "tiny", "position": run.position, "identity": {}}
    write_result(folder / stage / f"{run.name}.json", about | values)


def rows_of(result: tables.Row) -> list[tables.Row]:
    name = result["run"]
    return [{"run": name, "place": p, "value": v} for p, v in result["found"].items()]


def test_a_kind_that_was_not_measured_in_this_way_has_no_curve(tmp_path):
    choices = {kind: Run(TINY, kind, None, 4e-3, 0) for kind in ("a", "b")}
    for run in at_seeds(choices, (1, 0)):
        put(tmp_path, run, {} if run.position == "a" else {24: 10.0 + run.seed, 8: run.seed})
    assert len(tables.merge(tmp_path, tmp_path, lambda result: {"found": rows_of(result)})) == 4
    rows = tables.read("found", tmp_path)
    places, curves = tables.by_kind(rows, "place", "value", "tiny", tmp_path)
    assert places == [8, 24]
    assert set(curves) == {"b"}
    assert torch.equal(curves["b"], torch.tensor([[0.0, 10], [1, 11]], dtype=torch.float64))
    assert len(tables.read("runs", tmp_path)) == 4, "though it was trained"


def test_each_experiment_has_the_tables_that_it_names(tmp_path):
    put(tmp_path, Run(TINY, "a", None, 4e-3, 0), {8: 1.0})
    tables.merge(tmp_path, tmp_path, lambda result: {"one": rows_of(result), "other": []})
    assert len(tables.read("one", tmp_path)) == 1
    assert tables.read("other", tmp_path) == []


def test_each_stage_has_its_own_records_and_a_kind_its_choice_once_it_is_whole(tmp_path):
    runs = [Run(TINY, kind, None, rate, 0) for rate in (4e-3, 8e-3) for kind in ("a", "b")]
    for loss, run in enumerate(runs[:3]):  # of b, one is missing
        put_result(tmp_path, "tuning", run, validation_loss=5.0 - loss)
    put(tmp_path, runs[1], {})
    tables.merge(tmp_path, tmp_path, lambda result: {})
    assert tables.recorded("tuning", tmp_path) == {run.name for run in runs[:3]}
    assert tables.recorded("seeds", tmp_path) == {runs[1].name}
    assert tables.choices(runs, tmp_path) == {"a": runs[2]}


def test_an_unknown_setting_is_refused(tmp_path):
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'huge'"):
        tables.by_kind([], "place", "value", "huge", tmp_path)


def test_a_setting_whose_runs_were_not_measured_in_this_way_is_refused(tmp_path):
    put(tmp_path, Run(TINY, "a", None, 4e-3, 0), {})
    tables.merge(tmp_path, tmp_path, lambda result: {"found": rows_of(result)})
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'tiny'"):
        tables.by_kind(tables.read("found", tmp_path), "place", "value", "tiny", tmp_path)


def test_choices_are_trained_with_all_that_they_have_but_the_seed():
    choice = Run(TINY, "learned", 1.0, 8e-3, 0)
    runs = list(at_seeds({"learned": choice}, (3, 5)))
    assert runs == [Run(TINY, "learned", 1.0, 8e-3, seed) for seed in (3, 5)]


@pytest.mark.parametrize("lost", [None, float("nan"), float("inf")])
def test_a_run_without_a_finite_loss_is_never_chosen(tmp_path, lost):
    runs = [Run(TINY, "a", None, rate, 0) for rate in (16e-3, 8e-3, 4e-3)]
    about = {"setting": "tiny", "position": "a"}
    losses = (lost, 5.0, 4.0)
    rows = [
        about | {"run": run.name, "validation_loss": "" if loss is None else str(loss)}
        for run, loss in zip(runs, losses, strict=True)
    ]
    tables.write("tuning", tables.with_choice(rows), tmp_path)
    assert tables.choices(runs, tmp_path) == {"a": runs[2]}
    tables.write("tuning", tables.with_choice([row | rows[0] for row in rows]), tmp_path)
    assert [row["chosen"] for row in tables.read("tuning", tmp_path)] == ["", "", ""]


def test_a_folder_without_results_is_not_called_done(tmp_path):
    with pytest.raises(ValueError, match=r"folder: expected results in .*, got none"):
        tables.merge(tmp_path, tmp_path, lambda result: {})
    with pytest.raises(ValueError, match=r"folder: expected results in .*, got no such folder"):
        tables.merge(tmp_path / "typo", tmp_path, lambda result: {})


def test_a_table_that_was_cut_off_is_named(tmp_path):
    tables.write("found", [{"run": "a", "value": "1"}, {"run": "b", "value": "2"}], tmp_path)
    path = tmp_path / "found.csv"
    whole = path.read_text()
    path.write_text(whole[:-3] + "\n")
    with pytest.raises(ValueError, match=r"found\.csv: expected 2 values in line 3, got 1 \(it is"):
        tables.read("found", tmp_path)
    path.write_text(whole[:-1])
    with pytest.raises(ValueError, match=r"found\.csv: expected a table, got one that is cut off"):
        tables.read("found", tmp_path)
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(ValueError, match=r"found\.csv: expected a table, got no text"):
        tables.read("found", tmp_path)
    tables.write("tuning", [{"run": "a"}], tmp_path)
    with pytest.raises(ValueError, match=r"tuning\.csv: expected a column 'chosen', got none"):
        tables.read("tuning", tmp_path)
    path.write_text("")
    with pytest.raises(ValueError, match=r"found\.csv: expected a table, got an empty file"):
        tables.read("found", tmp_path)


def test_a_result_of_another_experiment_is_refused_before_anything_is_written(tmp_path):
    put(tmp_path, Run(TINY, "a", None, 4e-3, 0), {8: 1.0})
    with pytest.raises(
        ValueError, match=r"a-lr0\.004-seed0\.json: expected the result of a run of"
    ):
        tables.merge(tmp_path, tmp_path / "tables", lambda result: {"losses": result["losses"]})
    assert not (tmp_path / "tables").exists()

"""The tables that all experiments have: what becomes of results that are not all alike."""

import json
from pathlib import Path

import pytest
import torch

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.runs import Run, Setting, at_seeds

TINY = Setting("tiny", 8, 1, 2, batch=2, steps=6)


def put(folder: Path, run: Run, found: dict[int, float]) -> None:
    result = {"run": run.name, "setting": "tiny", "position": run.position, "seed": run.seed}
    path = folder / "seeds" / f"{run.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(result | {"found": found}), "utf-8")


def rows_of(result: tables.Row) -> list[tables.Row]:
    name = result["run"]
    return [{"run": name, "place": p, "value": v} for p, v in result["found"].items()]


def test_a_kind_that_was_not_measured_in_this_way_has_no_curve(tmp_path):
    choices = {kind: Run(TINY, kind, None, 4e-3, 0) for kind in ("a", "b")}
    for run in at_seeds(choices, (1, 0)):
        put(tmp_path, run, {} if run.position == "a" else {24: 10.0 + run.seed, 8: run.seed})
    assert len(tables.merge(tmp_path, tmp_path, {"found": rows_of})) == 4
    rows = tables.read("found", tmp_path)
    places, curves = tables.by_kind(rows, "place", "value", "tiny", tmp_path)
    assert places == [8, 24]
    assert set(curves) == {"b"}
    assert torch.equal(curves["b"], torch.tensor([[0.0, 10], [1, 11]], dtype=torch.float64))
    assert len(tables.read("runs", tmp_path)) == 4, "though it was trained"


def test_each_experiment_has_the_tables_that_it_names(tmp_path):
    put(tmp_path, Run(TINY, "a", None, 4e-3, 0), {8: 1.0})
    tables.merge(tmp_path, tmp_path, {"one": rows_of, "other": lambda result: []})
    assert len(tables.read("one", tmp_path)) == 1
    assert tables.read("other", tmp_path) == []


def test_each_stage_has_its_own_records_and_a_kind_its_choice_once_it_is_whole(tmp_path):
    runs = [Run(TINY, kind, None, rate, 0) for rate in (4e-3, 8e-3) for kind in ("a", "b")]
    for loss, run in enumerate(runs[:3]):  # of b, one is missing
        row = {"run": run.name, "setting": "tiny", "position": run.position}
        path = tmp_path / "tuning" / f"{run.name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(row | {"validation_loss": 5.0 - loss}), "utf-8")
    put(tmp_path, runs[1], {})
    tables.merge(tmp_path, tmp_path, {})
    assert tables.recorded("tuning", tmp_path) == {run.name for run in runs[:3]}
    assert tables.recorded("seeds", tmp_path) == {runs[1].name}
    assert tables.choices(runs, tmp_path) == {"a": runs[2]}


def test_an_unknown_setting_is_refused(tmp_path):
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'huge'"):
        tables.by_kind([], "place", "value", "huge", tmp_path)


def test_a_setting_whose_runs_were_not_measured_in_this_way_is_refused(tmp_path):
    put(tmp_path, Run(TINY, "a", None, 4e-3, 0), {})
    tables.merge(tmp_path, tmp_path, {"found": rows_of})
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'tiny'"):
        tables.by_kind(tables.read("found", tmp_path), "place", "value", "tiny", tmp_path)


def test_choices_are_trained_with_all_that_they_have_but_the_seed():
    choice = Run(TINY, "learned", 1.0, 8e-3, 0)
    runs = list(at_seeds({"learned": choice}, (3, 5)))
    assert runs == [Run(TINY, "learned", 1.0, 8e-3, seed) for seed in (3, 5)]

"""Doing runs of this experiment: what a result says, and that both stages agree."""

import time

import pytest

from pe_lib.experiments.digits import pictures_hash
from pe_lib.experiments.engine.kept import read_result
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.resolutions.setting import POSITIONS, SIZES
from tests.experiments.resolutions.conftest import EXPERIMENT

pytestmark = pytest.mark.usefixtures("few_pictures")


def result(run, stage, folder) -> dict:
    return read_result(folder / stage / f"{run.name}.json")


def test_the_seeds_go_on_from_what_the_tuning_has_trained(run_of, tmp_path):
    run, lines = run_of(), []
    Work(EXPERIMENT, "tuning", [run], tmp_path).do()
    Work(EXPERIMENT, "seeds", [run], tmp_path, say=lines.append).do()
    assert not any(line.startswith("  step") for line in lines), "no step was done again"
    tuning, seeds = (result(run, stage, tmp_path) for stage in ("tuning", "seeds"))
    assert tuning.items() <= seeds.items()
    assert seeds.keys() - tuning.keys() == {"results", "measured_with"}


def test_a_result_says_what_it_is_of(run_of, tmp_path):
    runs = [run_of(position) for position in POSITIONS]
    Work(EXPERIMENT, "tuning", runs, tmp_path).do()
    about = {run.position: result(run, "tuning", tmp_path) for run in runs}
    own = {position: result["of_positions"] for position, result in about.items()}
    assert own.pop("learned") == SIZES[0] ** 2 * 8
    assert own.pop("mixed") == 2 * 2 * 2, "fx and fy of two pairs in each of two heads"
    assert set(own.values()) == {0}
    shared = {result["parameters"] - result["of_positions"] for result in about.values()}
    assert len(shared) == 1, "all else is alike"
    for result_ in about.values():
        assert result_["pictures"] == pictures_hash()
        assert 0 <= result_["validation_accuracy"] <= 1 < result_["validation_loss"]


def test_a_plan_counts_training_and_measuring(run_of, tmp_path, monkeypatch):
    monkeypatch.setattr("pe_lib.experiments.engine.work.step_seconds", lambda *_: 60.0)
    monkeypatch.setattr("pe_lib.experiments.engine.work.measuring_seconds", lambda *_: 120.0)
    run = run_of()
    assert Work(EXPERIMENT, "seeds", [run], tmp_path).plan() == 6 + 2
    assert Work(EXPERIMENT, "tuning", [run], tmp_path).plan() == 6
    assert not Work(EXPERIMENT, "seeds", [run], tmp_path).do(until=time.monotonic())
    assert Work(EXPERIMENT, "seeds", [run], tmp_path).plan() == 5 + 2


def test_measuring_is_timed(run_of):
    for position in ("rope2d", "learned"):
        assert EXPERIMENT.measuring_seconds(run_of(position), "cpu") > 0

"""Doing runs of this experiment: what a result says."""

import pytest

from pe_lib.experiments.engine.kept import read_result
from pe_lib.experiments.engine.training import resumed
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.tasks import experiment
from pe_lib.experiments.tasks.examples import examples_hash, unseen
from pe_lib.experiments.tasks.measuring import copied_right, loss_of
from tests.experiments.tasks.conftest import EXPERIMENT

pytestmark = pytest.mark.usefixtures("few_strings")


def test_a_result_says_what_it_is_of(run_of, tmp_path):
    runs = [run_of(task=task) for task in ("copying", "retrieval")]
    assert Work(EXPERIMENT, "seeds", runs, tmp_path).do()
    copied, retrieved = (read_result(tmp_path / "seeds" / f"{run.name}.json") for run in runs)
    assert (copied["task"], retrieved["task"]) == ("copying", "retrieval")
    assert copied["examples"] == retrieved["examples"] == examples_hash()
    model = resumed(EXPERIMENT, runs[0], tmp_path / "trained" / f"{runs[0].name}.pt").model
    assert copied["right"] == {str(n): list(pair) for n, pair in copied_right(model).items()}
    assert set(retrieved["right"]["128"]) == {"1", "2", "4", "8", "16"}


def test_validation_is_on_the_longest_strings_of_the_training(run_of):
    model = EXPERIMENT.new_model(run_of())
    expected = loss_of(model, unseen("copying", 18, 50)).item()
    found = EXPERIMENT.validated(model, run_of())
    assert found == {"validation_loss": pytest.approx(expected)}


def test_measuring_is_timed(run_of, monkeypatch):
    clock = iter(range(100))
    monkeypatch.setattr(experiment.time, "perf_counter", lambda: float(next(clock)))
    monkeypatch.setattr(experiment, "COUNT", 500)
    assert EXPERIMENT.measuring_seconds(run_of(), "cpu") == 500 / 50

"""Doing runs: planned, shared out, stopped and gone on with."""

import itertools
import time

import pytest

from pe_lib.experiments.engine import training as engine_training
from pe_lib.experiments.engine import work as engine
from pe_lib.experiments.engine.kept import read_result
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.extrapolation import measuring
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from tests.experiments.extrapolation.conftest import EXPERIMENT

pytestmark = pytest.mark.usefixtures("short_text")


@pytest.fixture
def lines() -> list[str]:
    return []


def results(folder) -> dict[str, dict]:
    """All results but for what depends on when they were computed."""
    return {
        f"{path.parent.name}/{path.name}": {
            name: value
            for name, value in read_result(path).items()
            if name not in ("seconds", "date")
        }
        for path in folder.glob("*/*.json")
    }


def test_a_plan_says_what_is_missing_and_for_how_long(run_of, tmp_path, lines):
    runs = [run_of("none"), run_of("rope")]
    Work(EXPERIMENT, "seeds", runs[:1], tmp_path).do()
    minutes = Work(EXPERIMENT, "seeds", runs, tmp_path, say=lines.append).plan()
    assert minutes > 0
    assert lines[0] == "seeds: 2 runs, 1 of them done; cpu"
    assert [line.split()[-1] for line in lines[1:-1]] == ["tiny-rope-lr0.004-seed0"]
    assert lines[-1].endswith("min in all: 1 x 30 minutes at most")


def test_a_plan_counts_only_the_steps_that_are_left(run_of, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "step_seconds", lambda *_: 60.0)
    monkeypatch.setattr(engine, "measuring_seconds", lambda *_: 120.0)
    run = run_of()
    assert Work(EXPERIMENT, "seeds", [run], tmp_path).plan() == 6 + 2
    assert Work(EXPERIMENT, "tuning", [run], tmp_path).plan() == 6
    assert not Work(EXPERIMENT, "seeds", [run], tmp_path).do(until=time.monotonic())
    assert Work(EXPERIMENT, "seeds", [run], tmp_path).plan() == 5 + 2


def test_work_in_parts_of_no_time_ends_with_the_same_numbers(run_of, tmp_path, lines, monkeypatch):
    monkeypatch.setattr(engine, "measuring_seconds", lambda *_: 0.0)
    runs = [run_of("none"), run_of("rope", seed=1)]
    assert Work(EXPERIMENT, "seeds", runs, tmp_path / "whole").do()
    in_parts = Work(EXPERIMENT, "seeds", runs, tmp_path / "parts", say=lines.append)
    late = iter(itertools.count())
    parts = 0
    with monkeypatch.context() as patch:
        # every look at the clock is a minute later
        patch.setattr(time, "monotonic", lambda: 60.0 * next(late))
        while not in_parts.do(until=time.monotonic() + 180):
            parts += 1
            assert parts < 50
    assert parts >= 3
    assert results(tmp_path / "whole") == results(tmp_path / "parts")
    assert sum(line.endswith("the same command goes on from here") for line in lines) == parts


def test_nothing_is_measured_that_would_take_longer_than_there_is_time(
    run_of, tmp_path, monkeypatch, lines
):
    run = run_of()
    monkeypatch.setattr(engine, "measuring_seconds", lambda *_: 3600.0)
    until = time.monotonic() + 1800
    assert not Work(EXPERIMENT, "seeds", [run], tmp_path, say=lines.append).do(until)
    assert results(tmp_path) == {}
    assert "not enough time to measure it, which takes 3600 s" in lines[-1]
    assert Work(EXPERIMENT, "tuning", [run], tmp_path).do(until), "which measures next to nothing"


def test_what_is_done_is_not_done_again(run_of, tmp_path, monkeypatch):
    here = Work(EXPERIMENT, "seeds", [run_of()], tmp_path)
    here.do()
    monkeypatch.setattr(Work, "finish", None)
    assert here.do()


def test_what_stands_in_the_tables_is_done(run_of, tmp_path, lines):
    runs = [run_of("none"), run_of("rope")]
    recorded = {runs[0].name}
    here = Work(EXPERIMENT, "tuning", runs, tmp_path, say=lines.append, recorded=recorded)
    assert here.missing() == runs[1:]
    assert here.do()
    assert results(tmp_path).keys() == {"tuning/tiny-rope-lr0.004-seed0.json"}


def test_every_method_is_one_more_reading_of_all_but_the_trained_length(
    run_of, tmp_path, monkeypatch
):
    clock = itertools.count()  # every look at the clock is a second later
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    none, learned, rope = (
        EXPERIMENT.measuring_seconds(run_of(p), "cpu") for p in ("none", "learned", "rope")
    )
    trained = none - (learned - none)
    windows = measuring.windows_of(run_of().setting, 16)
    assert trained == pytest.approx(windows / (measuring.AT_ONCE // 16))
    assert rope - none == pytest.approx(5 * (learned - none))


def test_the_seeds_go_on_from_what_the_tuning_has_trained(run_of, tmp_path, lines):
    run = run_of()
    Work(EXPERIMENT, "tuning", [run], tmp_path).do()
    Work(EXPERIMENT, "seeds", [run], tmp_path, say=lines.append).do()
    assert not any(line.startswith("  step") for line in lines), "no step was done again"
    found = results(tmp_path)
    tuning, seeds = (found[f"{stage}/{run.name}.json"] for stage in ("tuning", "seeds"))
    assert tuning.items() <= seeds.items()
    assert seeds.keys() - tuning.keys() == {"losses", "by_position", "stretched", "measured_with"}


def test_a_result_says_what_it_is_of(run_of, tmp_path):
    Work(EXPERIMENT, "tuning", [run_of("learned"), run_of("t5"), run_of("rope")], tmp_path).do()
    about = {result["position"]: result for result in results(tmp_path).values()}
    assert about["learned"]["of_positions"] == 64 * 16
    assert about["t5"]["of_positions"] == 4 * 32 * 2, "in each layer"
    assert about["rope"]["of_positions"] == 0
    shared = {result["parameters"] - result["of_positions"] for result in about.values()}
    assert len(shared) == 1, "all else is alike"
    needed = ("commit", "pe_lib", "torch", "python", "processor", "threads", "device", "text")
    assert all(about["rope"][name] for name in needed)


def test_the_progress_is_said(run_of, tmp_path, lines):
    Work(EXPERIMENT, "tuning", [run_of("none"), run_of("rope")], tmp_path, say=lines.append).do()
    assert [line for line in lines if not line.startswith(" ")] == [
        "1 of 2: tiny-none-lr0.004-seed0",
        "2 of 2: tiny-rope-lr0.004-seed0",
        "all done",
    ]
    assert sum(line.startswith("  step 6 of 6, loss ") for line in lines) == 2


def test_results_of_other_settings_are_not_taken_for_these(run_of, tmp_path):
    Work(EXPERIMENT, "tuning", [run_of()], tmp_path).do()
    longer = Work(EXPERIMENT, "tuning", [run_of(steps=7)], tmp_path)
    assert longer.runs[0].name == run_of().name
    for attempt in (longer.plan, longer.do):
        with pytest.raises(ValueError, match=r"folder: expected results of .*: 7.*, got .*: 6"):
            attempt()
    longer.result(run_of()).unlink()
    with pytest.raises(ValueError, match=r"expected a training of .*: 7.*, got one of .*: 6"):
        longer.do()


def test_a_result_names_the_code_that_trained_and_the_code_that_measured(
    run_of, tmp_path, monkeypatch
):
    run = run_of()
    Work(EXPERIMENT, "tuning", [run], tmp_path).do()
    monkeypatch.setattr(engine, "machine", lambda device: {"commit": "later"})
    later = {"commit": "later", "device": "cpu"}
    monkeypatch.setattr(engine_training, "machine", lambda device: later)
    Work(EXPERIMENT, "seeds", [run], tmp_path).do()
    trained, measured = (results(tmp_path)[f"{s}/{run.name}.json"] for s in ("tuning", "seeds"))
    assert measured["commit"] == trained["commit"] != "later"
    assert measured["measured_with"] == "later"


@pytest.fixture
def rope_diverges(monkeypatch):
    """RoPE's loss is NaN from the fourth step on."""
    examples, loss = Extrapolation.examples, Extrapolation.loss

    def examples_with_step(self, run, device):
        own = examples(self, run, device)
        return lambda step: (own(step), run.position == "rope" and step == 3)

    def broken(self, model, examples):
        windows, bad = examples
        return loss(self, model, windows) * (float("nan") if bad else 1.0)

    monkeypatch.setattr(Extrapolation, "examples", examples_with_step)
    monkeypatch.setattr(Extrapolation, "loss", broken)


@pytest.mark.usefixtures("rope_diverges")
def test_a_run_that_diverges_in_the_tuning_stops_and_says_so_in_its_result(run_of, tmp_path, lines):
    runs = [run_of("rope"), run_of("none")]
    assert Work(EXPERIMENT, "tuning", runs, tmp_path, say=lines.append).do()
    assert "  diverged: the loss is nan in step 4" in lines
    found = results(tmp_path)
    rope, none = (found[f"tuning/{run.name}.json"] for run in runs)
    assert rope["validation_loss"] is None and rope["steps"] == 3
    assert rope["diverged"] == "the loss is nan in step 4"
    assert none["validation_loss"] > 0 and "diverged" not in none
    assert Work(EXPERIMENT, "tuning", runs, tmp_path).missing() == [], "it is not tried again"


@pytest.mark.usefixtures("rope_diverges")
def test_a_run_that_diverges_in_the_seeds_has_no_result_and_the_others_are_done(
    run_of, tmp_path, lines
):
    runs = [run_of("rope"), run_of("none")]
    with pytest.raises(
        ValueError, match=f"1 of 2 runs diverged and have no result: {runs[0].name}"
    ):
        Work(EXPERIMENT, "seeds", runs, tmp_path, say=lines.append).do()
    assert results(tmp_path).keys() == {f"seeds/{runs[1].name}.json"}
    assert "all done" not in lines


def test_a_model_whose_measured_losses_are_not_finite_has_diverged_too(
    run_of, tmp_path, monkeypatch, lines
):
    measured = {"losses": {"strided": {16: 1.0, 32: float("inf")}}}
    monkeypatch.setattr(Extrapolation, "measured", lambda *_: measured)
    with pytest.raises(ValueError, match="1 of 1 runs diverged"):
        Work(EXPERIMENT, "seeds", [run_of()], tmp_path, say=lines.append).do()
    assert "  diverged: losses of the trained model: not finite" in lines
    assert results(tmp_path) == {}


def test_planning_a_run_with_a_huge_learning_rate_takes_its_time_all_the_same(run_of, tmp_path):
    assert Work(EXPERIMENT, "tuning", [run_of(rate=1e30)], tmp_path).plan() > 0

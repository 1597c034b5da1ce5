"""The tables: what is put into them, by whom and however often, and what comes out."""

import itertools
from pathlib import Path

import pytest

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.kept import write_result
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.controls import CONTROLS, control_runs
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.measuring import BIN, WAYS
from pe_lib.experiments.extrapolation.setting import (
    POSITIONS,
    SMALL,
    SMOKE,
    SMOKE_RUN,
    seed_runs,
    tuning_runs,
)
from pe_lib.experiments.extrapolation.stretched import METHODS
from pe_lib.experiments.text import text_hash
from tests.experiments.extrapolation.conftest import EXPERIMENT


def a_result(run, loss: float, **more) -> dict:
    return {
        "run": run.name,
        "setting": run.setting.name,
        "position": run.position,
        "identity": EXPERIMENT.identity(run),
        "table_std": run.table_std,
        "seed": run.seed,
        "validation_loss": loss,
    } | more


def measured(run, loss: float) -> dict:
    losses = {way: {"16": loss, "32": loss + 1} for way in ("strided", "last bytes")}
    stretched = {"YaRN": {"32": {way: loss - 0.5 for way in losses}}}
    more = {"stretched": stretched if run.position == "rope" else {}}
    return a_result(run, loss, losses=losses, by_position=[loss, loss + 0.5], **more)


def put(folder: Path, stage: str, *results: dict) -> None:
    for result in results:
        write_result(folder / stage / f"{result['run']}.json", result)


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in sorted(folder.iterdir())}


def test_machines_can_be_merged_in_any_order_and_twice(run_of, tmp_path):
    here, there, one, other = (tmp_path / name for name in ("here", "there", "one", "other"))
    runs = [run_of(position, seed) for position in ("none", "rope") for seed in (0, 1)]
    put(here, "seeds", measured(runs[0], 1.0), measured(runs[3], 2.0))
    put(there, "seeds", measured(runs[1], 3.0), measured(runs[2], 4.0))
    for results in (here, there):
        Extrapolation(one).merge(results)
    for results in (there, here, here, there):
        Extrapolation(other).merge(results)
    assert texts(one) == texts(other)
    lengths, losses = records.curves("strided", "tiny", one)
    assert lengths == [16, 32]
    assert losses["none"].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert losses["rope"].tolist() == [[4.0, 5.0], [2.0, 3.0]]
    first, losses = records.curves_by_position("tiny", one)
    assert first == [0, 32]
    assert losses["rope"].tolist() == [[4.0, 4.5], [2.0, 2.5]]


def test_a_run_done_again_replaces_what_it_said_before(run_of, tmp_path):
    results, folder = tmp_path / "results", tmp_path / "tables"
    put(results, "seeds", measured(run_of(), 1.0))
    Extrapolation(folder).merge(results)
    put(results, "seeds", measured(run_of(), 5.0))
    Extrapolation(folder).merge(results)
    assert records.curves("strided", "tiny", folder)[1]["rope"].tolist() == [[5.0, 6.0]]


def test_another_learning_rate_takes_the_place_of_the_one_before(run_of, tmp_path):
    folder = tmp_path / "tables"
    for rate, loss in ((4e-3, 1.0), (8e-3, 5.0)):
        runs = [run_of(seed=seed, rate=rate) for seed in (0, 1)]
        put(tmp_path / str(rate), "seeds", *(measured(run, loss) for run in runs))
        Extrapolation(folder).merge(tmp_path / str(rate))
    assert records.curves("strided", "tiny", folder)[1]["rope"].tolist() == [[5.0, 6.0]] * 2
    assert {row["run"] for row in records.read("losses", folder)} == {
        run_of(seed=n, rate=8e-3).name for n in (0, 1)
    }


def test_two_runs_for_one_place_are_refused_and_nothing_is_written(run_of, tmp_path):
    put(tmp_path, "seeds", measured(run_of(rate=4e-3), 1.0), measured(run_of(rate=8e-3), 2.0))
    message = (
        "results: expected one run of each kind and seed, "
        "got tiny-rope-lr0.004-seed0 and tiny-rope-lr0.008-seed0"
    )
    with pytest.raises(ValueError, match=message):
        Extrapolation(tmp_path / "tables").merge(tmp_path)
    assert not (tmp_path / "tables").exists()


def test_seeds_are_in_order_however_many_there_are(run_of, tmp_path):
    put(tmp_path, "seeds", *(measured(run_of(seed=n), float(n)) for n in (10, 2, 0, 9)))
    Extrapolation(tmp_path / "tables").merge(tmp_path)
    _, losses = records.curves("strided", "tiny", tmp_path / "tables")
    assert losses["rope"][:, 0].tolist() == [0, 2, 9, 10]


def test_each_setting_has_its_own_lengths(run_of, tmp_path):
    other = run_of(name="other")
    result = measured(other, 3.0) | {"losses": {"strided": {"64": 7.0}}, "by_position": []}
    put(tmp_path, "seeds", measured(run_of(), 1.0), result)
    Extrapolation(tmp_path / "tables").merge(tmp_path)
    lengths, losses = records.curves("strided", "other", tmp_path / "tables")
    assert lengths == [64] and losses["rope"].tolist() == [[7.0]]
    assert records.curves("strided", "tiny", tmp_path / "tables")[0] == [16, 32]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("sideways", "small"), "way: expected one that was measured, got 'sideways'"),
        (("strided", "huge"), "setting: expected one that was measured, got 'huge'"),
    ],
)
def test_what_was_not_measured_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        records.curves(*arguments)


def test_the_tuning_chooses_the_lowest_validation_loss_of_each_position(tiny, tmp_path):
    results, folder = tmp_path / "results", tmp_path / "tables"
    runs = tuning_runs(tiny)
    put(results, "tuning", *(a_result(run, 2.0 + n / 100) for n, run in enumerate(runs)))
    best = next(r for r in runs if r.position == "learned" and r.table_std == 1.0)
    put(results, "tuning", a_result(best, 1.0))
    Extrapolation(folder).merge(results)
    choices = Extrapolation(folder, tiny).choices()
    assert choices["learned"] == best
    assert all(choices[run.position] == run for run in runs[:6] if run.position != "learned")
    marked = [row["run"] for row in records.read("tuning", folder) if row["chosen"]]
    assert sorted(marked) == sorted(run.name for run in choices.values())


def test_a_choice_moves_when_a_better_run_comes_later(tiny, tmp_path):
    results, folder = tmp_path / "results", tmp_path / "tables"
    runs = tuning_runs(tiny)
    put(results, "tuning", *(a_result(run, 2.0 + n / 100) for n, run in enumerate(runs)))
    Extrapolation(folder).merge(results)
    later = next(r for r in reversed(runs) if r.position == "rope")
    put(results, "tuning", a_result(later, 1.0))
    Extrapolation(folder).merge(results)
    assert Extrapolation(folder, tiny).choices()["rope"] == later


def test_of_equal_losses_the_first_is_chosen(tiny, tmp_path):
    put(tmp_path, "tuning", *(a_result(run, 2.0) for run in tuning_runs(tiny)))
    Extrapolation(tmp_path / "tables").merge(tmp_path)
    marked = [row for row in records.read("tuning", tmp_path / "tables") if row["chosen"]]
    assert len(marked) == len(POSITIONS) == len(Extrapolation(tmp_path / "tables", tiny).choices())


def test_no_choice_for_a_kind_before_all_its_runs_are_there(tiny, tmp_path):
    put(tmp_path, "tuning", *(a_result(run, 2.0) for run in tuning_runs(tiny)[:-2]))
    Extrapolation(tmp_path / "tables").merge(tmp_path)
    assert {*Extrapolation(tmp_path / "tables", tiny).choices()} == {*POSITIONS} - {
        "cope",
        "rope3none1",
    }


def test_losses_of_stretched_models_come_out(run_of, tmp_path):
    put(tmp_path, "seeds", *(measured(run_of(p), 2.0) for p in ("none", "rope")))
    Extrapolation(tmp_path / "tables").merge(tmp_path)
    found = records.stretched_curves("YaRN", "strided", "tiny", tmp_path / "tables")
    assert found[0] == [32]
    assert {kind: losses.tolist() for kind, losses in found[1].items()} == {"rope": [[1.5]]}
    for unknown in (("YaRN", "sideways"), ("PI", "strided")):
        with pytest.raises(ValueError, match="method: expected a method and a way that were meas"):
            records.stretched_curves(*unknown, "tiny", tmp_path / "tables")


def test_a_run_is_recorded_when_all_its_tables_are_there(run_of, tmp_path):
    folder, (none, rope) = tmp_path / "tables", (measured(run_of(p), 2.0) for p in ("none", "rope"))
    put(tmp_path, "seeds", none, rope | {"stretched": {}})
    Extrapolation(folder).merge(tmp_path)
    assert Extrapolation(folder).recorded("seeds") == {none["run"]}
    put(tmp_path, "seeds", rope)
    Extrapolation(folder).merge(tmp_path)
    assert Extrapolation(folder).recorded("seeds") == {none["run"], rope["run"]}
    assert Extrapolation(folder).recorded("tuning") == set()


def test_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path):
    tables.write("table", [{"run": "a"}], tmp_path)
    before = texts(tmp_path)
    with pytest.raises(ZeroDivisionError):
        tables.write("table", ({"run": 1 / n} for n in (1, 0)), tmp_path)
    assert texts(tmp_path) == before


def test_what_stands_in_a_table_is_read_as_it_was_written(tmp_path):
    rows = [{"run": "a, b", "loss": "1.50"}, {"run": 'c "d"', "loss": ""}]
    tables.write("table", rows, tmp_path)
    assert records.read("table", tmp_path) == rows
    assert records.read("another", tmp_path) == []


class TestTheRecordsThatCameWithPeLib:
    """What is committed is whole, of the runs that the code names, and of the text that is here."""

    def test_every_choice_was_trained_at_every_seed(self):
        names = {row["run"] for row in records.read("runs")}
        choices = EXPERIMENT.choices()
        runs = [*seed_runs(choices), *control_runs(choices), SMOKE_RUN]
        assert names == {run.name for run in runs}

    def test_every_run_has_all_its_losses(self):
        for setting in (SMALL, CONTROLS, SMOKE):
            names = [r["run"] for r in records.read("runs") if r["setting"] == setting.name]
            for name in names:
                losses = [row for row in records.read("losses") if row["run"] == name]
                places = {(row["way"], int(row["length"])) for row in losses}
                assert places == set(itertools.product(WAYS, setting.lengths))
                assert len(losses) == len(places), "each of them once"
                rows = [row for row in records.read("by_position") if row["run"] == name]
                assert [int(r["first"]) for r in rows] == list(range(0, setting.longest, BIN))

    def test_each_says_what_it_was_made_with(self):
        for row in records.read("runs") + records.read("tuning"):
            assert row["text"] == text_hash(), f"{row['run']} is of another text"
            [setting] = [one for one in (SMALL, CONTROLS, SMOKE) if one.name == row["setting"]]
            assert int(row["steps"]) == setting.steps
            assert "changed" not in row["commit"], f"{row['run']}: nobody can have its code"
            for name in ("date", "commit", "pe_lib", "torch", "python", "processor", "device"):
                assert row[name], (row["run"], name)

    def test_kinds_have_the_same_number_of_parameters_but_for_their_positions(self):
        rows = [row for row in records.read("runs") if row["setting"] == "small"]
        assert len({int(row["parameters"]) - int(row["of_positions"]) for row in rows}) == 1

    def test_the_tuning_has_chosen_for_every_kind(self):
        assert set(EXPERIMENT.choices()) == set(POSITIONS)

    def test_every_run_that_can_be_stretched_was(self):
        rows = records.read("stretched")
        for run in seed_runs(EXPERIMENT.choices()):
            places = [
                (r["method"], r["way"], int(r["length"])) for r in rows if r["run"] == run.name
            ]
            methods = METHODS.get(run.position, ())
            expected = itertools.product(methods, sorted(WAYS), SMALL.lengths[1:])
            assert sorted(places) == sorted(expected)

    def test_the_runs_from_before_are_still_theirs(self):
        plan = {run.name for run in seed_runs(EXPERIMENT.choices())}
        assert {f"small-{kind}-lr0.004-seed4" for kind in ("sinusoidal", "alibi", "t5")} <= plan
        assert {"small-none-lr0.002-seed0", "small-learned-std1-lr0.004-seed1"} <= plan

    def test_costs_are_of_all_kinds(self):
        rows = {row["position"]: row for row in records.read("costs")}
        assert tuple(rows) == POSITIONS
        assert all(float(row["times_none"]) > 0.5 for row in rows.values())

    def test_tables_are_small(self):
        assert sum(path.stat().st_size for path in records.HERE.iterdir()) < 300_000

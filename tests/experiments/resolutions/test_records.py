"""The tables: what is put into them and what comes out; and those that came with pe_lib."""

import itertools

import pytest

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.resolutions import accuracies, records
from pe_lib.experiments.resolutions.experiment import Digits, Resolutions
from pe_lib.experiments.resolutions.measuring import ways_of
from pe_lib.experiments.resolutions.setting import (
    DIGITS,
    LEARNING_RATES,
    LETTERS,
    OF_LETTERS,
    SEEDS,
    SIZES,
)
from tests.experiments.resolutions.conftest import BOTH, EXPERIMENT


@pytest.mark.usefixtures("few_pictures")
def test_results_become_accuracies(run_of, tmp_path):
    runs = [run_of(position, seed) for position in ("learned", "rope2d") for seed in (0, 1)]
    Work(EXPERIMENT, "seeds", runs, tmp_path).do()
    folder = tmp_path / "tables"
    assert sorted(Digits(folder).merge(tmp_path)) == sorted(run.name for run in runs)
    sizes, found = accuracies("resized", "tiny", folder)
    assert sizes == list(SIZES)
    assert {kind: tuple(values.shape) for kind, values in found.items()} == {
        "learned": (2, 4),
        "rope2d": (2, 4),
    }
    rows = tables.read("results", folder)
    for seed in (0, 1):
        own = [r for r in rows if r["run"] == run_of("rope2d", seed).name and r["way"] == "resized"]
        assert [float(row["accuracy"]) for row in own] == found["rope2d"][seed].tolist()
    _, continued = accuracies("continued", "tiny", folder)
    assert set(continued) == {"rope2d"}, "a learned table has no vectors for other patches"
    assert (continued["rope2d"][:, 0] == found["rope2d"][:, 0]).all(), "the training's size"


@pytest.mark.parametrize("one", BOTH, ids=lambda one: one.name)
def test_the_tuning_tries_every_learning_rate_for_every_kind(one):
    runs = one.tuning
    assert len({run.name for run in runs}) == len(runs)
    tried = {(run.position, run.learning_rate) for run in runs}
    assert tried == set(itertools.product(one.positions, LEARNING_RATES))
    assert {run.seed for run in runs} == {SEEDS[0]}
    learned = {run.table_std for run in runs if run.position == "learned"}
    assert None not in learned
    assert {run.table_std for run in runs if run.position != "learned"} == {None}


def experiment_of(row: tables.Row) -> Resolutions:
    """The experiment that a row of a table is of."""
    (one,) = (one for one in BOTH if row["run"].startswith(one.name))
    return one


class TestTheRecordsThatCameWithPeLib:
    """What is committed is whole, of the runs that the code names, and of the pictures here."""

    def test_every_choice_was_trained_at_every_seed(self):
        names = {row["run"] for row in tables.read("runs", records.HERE)}
        seeds = {run.name for one in BOTH for run in one.seeds(one.choices())}
        assert names - {one.smoke.name for one in BOTH} == seeds
        assert len(seeds) == sum(len(one.positions) * len(SEEDS) for one in BOTH)

    def test_every_run_has_all_its_numbers(self):
        results = tables.read("results", records.HERE)
        for run in tables.read("runs", records.HERE):
            rows = [row for row in results if row["run"] == run["run"]]
            places = {(row["way"], int(row["size"])) for row in rows}
            ways = ways_of(run["position"], experiment_of(run).source)
            assert places == set(itertools.product(ways, SIZES))
            assert len(rows) == len(places), "each of them once"
            assert all(0 <= float(row["accuracy"]) <= 1 for row in rows)

    def test_each_says_what_it_was_made_with(self):
        for row in (row for name in ("runs", "tuning") for row in tables.read(name, records.HERE)):
            one = experiment_of(row)
            expected = one.source.pictures_hash()
            assert row["pictures"] == expected, f"{row['run']} is of other pictures"
            run = one.smoke if row["run"] == one.smoke.name else one.tuning[0]
            assert int(row["steps"]) == run.setting.steps
            assert "changed" not in row["commit"], f"{row['run']}: nobody can have its code"
            for name in ("date", "commit", "pe_lib", "torch", "python", "processor", "device"):
                assert row[name], (row["run"], name)

    @pytest.mark.parametrize("setting", [DIGITS, LETTERS], ids=lambda setting: setting.name)
    def test_without_positions_both_ways_are_one(self, setting):
        continued, resized = (
            accuracies(way, setting.name)[1]["none"] for way in ("continued", "resized")
        )
        assert (continued == resized).all()

    def test_at_the_size_of_the_training_nothing_is_enlarged(self):
        resized, enlarged = (accuracies(way, "letters")[1] for way in ("resized", "enlarged"))
        for kind in OF_LETTERS:
            assert (resized[kind][:, 0] == enlarged[kind][:, 0]).all()

    def test_tables_are_small(self):
        assert sum(path.stat().st_size for path in records.HERE.iterdir()) < 100_000

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("sideways", "digits"), "way: expected one that was measured, got 'sideways'"),
            (("enlarged", "digits"), "setting: expected one that was measured, got 'digits'"),
            (("resized", "huge"), "setting: expected one that was measured, got 'huge'"),
        ],
    )
    def test_what_was_not_measured_is_refused(self, arguments, message):
        with pytest.raises(ValueError, match=message):
            accuracies(*arguments)

"""The tables: what is put into them and what comes out; and those that came with pe_lib."""

import pytest

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.recall import far_notes, found, losses, records
from pe_lib.experiments.recall.experiment import Recall
from pe_lib.experiments.recall.ledger import distances, ledgers_hash
from pe_lib.experiments.recall.measuring import classes_of, windows_of
from pe_lib.experiments.recall.setting import (
    POSITIONS,
    SEEDS,
    SHORT,
    SMOKE_RUN,
    seed_runs,
    tuning_runs,
)
from pe_lib.experiments.recall.stretched import (
    AS_TRAINED,
    FURTHER,
    NO_TABLE,
    STRETCHED,
    methods_of,
)


@pytest.mark.usefixtures("few_steps")
def test_results_become_tables(run_of, tmp_path):
    experiment = Recall(tmp_path / "tables")
    runs = [run_of("rope", seed=0), run_of("rope", seed=1), run_of("none", 1024)]
    Work(experiment, "seeds", runs, tmp_path).do()
    assert sorted(experiment.merge(tmp_path)) == sorted(run.name for run in runs)
    for method, lengths in ((AS_TRAINED, [128, 256]), ("YaRN", [256]), ("100 steps", [256])):
        places, by_kind = losses("recall-128", method, experiment.records)
        assert places == lengths
        assert {kind: tuple(own.shape) for kind, own in by_kind.items()} == {
            "rope": (2, len(lengths))
        }
        rows = [r for r in tables.read("losses", experiment.records) if r["method"] == method]
        own = [float(r["loss"]) for r in rows if "rope" in r["run"]]
        assert by_kind["rope"].flatten().tolist() == own
    firsts, shares = found(256, "recall-1024", folder=experiment.records)
    assert firsts == [2, 16, 32, 64, 128]
    rows = [
        r
        for r in tables.read("found", experiment.records)
        if r["length"] == "256" and "none" in r["run"]
    ]
    assert shares["none"].tolist() == [[float(r["right"]) for r in rows]]


def test_far_notes_are_one_class_of_those_found():
    firsts, shares = found(4096, "recall-1024")
    for kind, far in far_notes(4096, "recall-1024").items():
        assert far.equal(shares[kind][:, firsts.index(1024)]), kind


def test_what_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="method: expected one that was measured, got 'prayer'"):
        losses("recall-128", "prayer")
    with pytest.raises(ValueError, match="length: expected one that was measured, got 100"):
        found(100)
    with pytest.raises(ValueError, match="length: expected at least 2,048 tokens, got 1024"):
        far_notes(1024)
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'huge'"):
        losses("huge")


class TestTheRecordsThatCameWithPeLib:
    """What is committed is whole, of the runs that the code names, and of these ledgers."""

    @staticmethod
    def runs():
        return {run.name: run for run in (*seed_runs(Recall().choices()), SMOKE_RUN)}

    def test_every_kind_was_tuned_and_every_run_trained(self):
        tuned = {row["run"] for row in tables.read("tuning", records.HERE)}
        assert tuned == {run.name for run in tuning_runs()}
        assert set(Recall().choices()) == set(POSITIONS)
        names = {row["run"] for row in tables.read("runs", records.HERE)}
        assert names == set(self.runs())
        assert len(names) == 2 * len(POSITIONS) * len(SEEDS) + 1

    def test_every_run_has_all_its_numbers(self):
        classes = {}
        for row in tables.read("losses", records.HERE):
            assert 0 <= float(row["loss"]) < 10
        for name, run in self.runs().items():
            lengths = run.setting.lengths
            longer = [length for length in lengths if length > run.setting.length]
            expected = {(AS_TRAINED, length) for length in lengths}
            expected |= {(method, length) for method in methods_of(run) for length in longer}
            own = [row for row in tables.read("losses", records.HERE) if row["run"] == name]
            assert sorted((r["method"], int(r["length"])) for r in own) == sorted(expected), name
            by_place: dict[tuple[str, int], list[int]] = {}
            for row in tables.read("found", records.HERE):
                if row["run"] == name:
                    assert 0 <= float(row["right"]) <= 1
                    place = row["method"], int(row["length"])
                    by_place.setdefault(place, []).append(int(row["distance"]))
            assert set(by_place) == expected
            for (_, length), firsts in by_place.items():
                place = run.setting.longest, run.setting.windows, length
                if place not in classes:
                    kinds = classes_of(distances(windows_of(run.setting, length)))
                    own_half = kinds[:, kinds.shape[1] // 2 :].unique().tolist()
                    classes[place] = [first for first in own_half if first]
                assert sorted(firsts) == classes[place]

    def test_rope_was_tried_with_all_methods(self):
        for method in (*STRETCHED, *FURTHER):
            lengths, by_kind = losses("recall-128", method)
            assert lengths == list(SHORT.lengths[1:])
            assert {kind: len(own) for kind, own in by_kind.items()} == {"rope": len(SEEDS)}

    def test_a_learned_table_was_taken_away(self):
        lengths, by_kind = losses("recall-128", NO_TABLE)
        assert lengths == list(SHORT.lengths[1:])
        assert {kind: len(own) for kind, own in by_kind.items()} == {"learned": len(SEEDS)}

    def test_each_says_what_it_was_made_with(self):
        runs = self.runs()
        for row in tables.read("runs", records.HERE):
            assert row["ledgers"] == ledgers_hash(), f"{row['run']} is of other ledgers"
            assert int(row["steps"]) == runs[row["run"]].setting.steps
            assert "changed" not in row["commit"], f"{row['run']}: nobody can have its code"
            for name in ("date", "commit", "pe_lib", "torch", "python", "processor", "device"):
                assert row[name], (row["run"], name)

    def test_tables_are_small(self):
        assert sum(path.stat().st_size for path in records.HERE.iterdir()) < 350_000

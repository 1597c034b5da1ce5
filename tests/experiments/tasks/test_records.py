"""The tables: what is put into them and what comes out; and those that came with pe_lib."""

import pytest

from pe_lib.experiments.engine import tables
from pe_lib.experiments.engine.work import Work
from pe_lib.experiments.tasks import copied, records, retrieved
from pe_lib.experiments.tasks.examples import DISTANCES, examples_hash
from pe_lib.experiments.tasks.experiment import Tasks
from pe_lib.experiments.tasks.setting import LENGTHS, SMOKE_RUN, all_runs
from tests.experiments.tasks.conftest import EXPERIMENT


@pytest.mark.usefixtures("few_strings")
def test_results_become_shares(run_of, tmp_path):
    runs = [run_of("rope", task, seed) for task in ("copying", "retrieval") for seed in (0, 1)]
    Work(EXPERIMENT, "seeds", runs, tmp_path).do()
    folder = tmp_path / "tables"
    assert sorted(Tasks(folder).merge(tmp_path)) == sorted(run.name for run in runs)
    for what in ("symbols", "strings"):
        lengths, right = copied(what, "copying", folder)
        assert lengths == list(LENGTHS["copying"])
        own = [float(row[what]) for row in tables.read("copying", folder)]
        assert right["rope"].flatten().tolist() == own
    for distance in DISTANCES:
        lengths, right = retrieved(distance, "retrieval", folder)
        assert lengths == list(LENGTHS["retrieval"])
        rows = [r for r in tables.read("retrieval", folder) if r["distance"] == str(distance)]
        assert right["rope"].flatten().tolist() == [float(row["accuracy"]) for row in rows]


def test_what_was_not_measured_is_refused():
    with pytest.raises(ValueError, match="distance: expected one that was measured, got 3"):
        retrieved(3)
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'huge'"):
        retrieved(4, "huge")
    with pytest.raises(ValueError, match="setting: expected one that was measured, got 'huge'"):
        copied("symbols", "huge")


class TestTheRecordsThatCameWithPeLib:
    """What is committed is whole, of the runs that the code names, and of these examples."""

    def test_every_run_was_trained(self):
        names = {row["run"] for row in tables.read("runs", records.HERE)}
        assert names == {run.name for run in (*all_runs(), SMOKE_RUN)}

    def test_every_run_has_all_its_numbers(self):
        for run in tables.read("runs", records.HERE):
            rows = [r for r in tables.read(run["task"], records.HERE) if r["run"] == run["run"]]
            lengths = [length for length in LENGTHS[run["task"]]]
            places = len(lengths) * (len(DISTANCES) if run["task"] == "retrieval" else 1)
            assert {int(row["length"]) for row in rows} == set(lengths)
            assert len(rows) == places
            shares = [row[name] for row in rows for name in row.keys() & SHARES]
            assert all(0 <= float(share) <= 1 for share in shares)

    def test_each_says_what_it_was_made_with(self):
        steps = {run.name: run.setting.steps for run in (*all_runs(), SMOKE_RUN)}
        for row in tables.read("runs", records.HERE):
            assert row["examples"] == examples_hash(), f"{row['run']} is of other examples"
            assert int(row["steps"]) == steps[row["run"]]
            assert "changed" not in row["commit"], f"{row['run']}: nobody can have its code"
            for name in ("date", "commit", "pe_lib", "torch", "python", "processor", "device"):
                assert row[name], (row["run"], name)

    def test_tables_are_small(self):
        assert sum(path.stat().st_size for path in records.HERE.iterdir()) < 150_000


SHARES = {"symbols", "strings", "accuracy"}

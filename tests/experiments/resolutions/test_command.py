"""The commands as their users give them, and the smoke run that stands for all records."""

import json
from collections.abc import Callable

import pytest

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.engine import command, tables
from pe_lib.experiments.resolutions import accuracies, records
from pe_lib.experiments.resolutions.experiment import Digits
from pe_lib.experiments.resolutions.measuring import ways_of
from pe_lib.experiments.resolutions.setting import SIZES, SMOKE_BANDS
from tests.experiments.resolutions.conftest import BOTH


@pytest.fixture
def give(monkeypatch, capsys, tiny, tmp_path, few_pictures) -> Callable[..., str]:
    """Gives a command to tiny runs, in this process. Returns what it says."""
    here = Digits(tmp_path / "tables", tiny)
    monkeypatch.setattr(experiments, "EXPERIMENTS", (here,))
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)

    def given(*words: str, status: int = 0) -> str:
        line = ["experiments", "digits", *words, "--folder", str(tmp_path / "runs")]
        monkeypatch.setattr("sys.argv", line)
        assert experiments.main() == status
        return capsys.readouterr().out

    return given


def test_tuning_and_seeds_become_tables(give, tmp_path):
    said = give("plan")
    assert "tuning: 21 runs, 0 of them done; cpu" in said
    assert "seeds: 30 runs, 0 of them done; cpu" in said
    assert list(tmp_path.iterdir()) == []
    assert "first comes the tuning, and then tables" in give("seeds", status=1)
    assert "all done" in give("tuning")
    assert "21 results" in give("tables")
    assert "all done" in give("seeds", "--only", "learned")
    assert "26 results" in give("tables")
    sizes, found = accuracies("resized", "tiny", tmp_path / "tables")
    assert sizes == list(SIZES)
    assert {kind: tuple(values.shape) for kind, values in found.items()} == {"learned": (5, 4)}


def test_results_are_kept_apart_from_those_of_other_experiments(monkeypatch):
    found = []
    monkeypatch.setattr(command, "main", lambda one, arguments: found.append(arguments.folder) or 0)
    for one in experiments.EXPERIMENTS:
        monkeypatch.setattr("sys.argv", ["experiments", one.name, "tables"])
        assert experiments.main() == 0
    assert len({*found}) == len(experiments.EXPERIMENTS) == 6
    for folder in found:
        within = {folder / stage for stage in ("tuning", "seeds", "trained")}
        assert within.isdisjoint(found), "there another one looks for its own"


@pytest.mark.slow
@pytest.mark.parametrize("one", BOTH, ids=lambda one: one.name)
def test_the_smoke_run_comes_out_as_recorded(one, tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", one.name, "smoke", "--folder", str(tmp_path)])
    assert experiments.main() == 0
    found = json.loads((tmp_path / "seeds" / f"{one.smoke.name}.json").read_text("utf-8"))
    (row,) = (r for r in tables.read("runs", records.HERE) if r["run"] == one.smoke.name)
    band = SMOKE_BANDS[one.name]
    assert found["validation_loss"] == pytest.approx(float(row["validation_loss"]), abs=band)
    rows = [r for r in tables.read("results", records.HERE) if r["run"] == one.smoke.name]
    assert len(rows) == len(ways_of("rope2d", one.source)) * len(SIZES)
    for row in rows:
        _, loss = found["results"][row["way"]][row["size"]]
        assert loss == pytest.approx(float(row["loss"]), abs=band), row

"""The commands as their users give them, and the smoke run that stands for all records."""

import json
from collections.abc import Callable

import pytest

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.engine import tables
from pe_lib.experiments.tasks import copied, records, retrieved
from pe_lib.experiments.tasks.experiment import Tasks
from pe_lib.experiments.tasks.setting import SMOKE_BAND, SMOKE_RUN


@pytest.fixture
def give(monkeypatch, capsys, tiny, tmp_path, few_strings) -> Callable[..., str]:
    """Gives a command to tiny runs, in this process. Returns what it says."""
    here = Tasks(tmp_path / "tables", tiny)
    monkeypatch.setattr(experiments, "EXPERIMENTS", (here,))
    for name in ("RANK", "WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)

    def given(*words: str) -> str:
        line = ["experiments", "tasks", *words, "--folder", str(tmp_path / "runs")]
        monkeypatch.setattr("sys.argv", line)
        assert experiments.main() == 0
        return capsys.readouterr().out

    return given


def test_seeds_become_tables_without_a_tuning(give, tmp_path):
    said = give("plan")
    assert "tuning: 0 runs" in said and "seeds: 78 runs, 0 of them done; cpu" in said
    assert list(tmp_path.iterdir()) == []
    assert "all done" in give("seeds", "--only", "rope-lr")
    assert "6 results" in give("tables")
    assert "seeds: 78 runs, 6 of them done; cpu" in give("plan")
    for _, right in (
        copied(folder=tmp_path / "tables"),
        retrieved(16, folder=tmp_path / "tables"),
    ):
        assert {kind: tuple(shares.shape) for kind, shares in right.items()} == {"rope": (3, 6)}


def test_the_smoke_run_comes_out_as_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", "tasks", "smoke", "--folder", str(tmp_path)])
    assert experiments.main() == 0
    found = json.loads((tmp_path / "seeds" / f"{SMOKE_RUN.name}.json").read_text("utf-8"))
    (row,) = (r for r in tables.read("runs", records.HERE) if r["run"] == SMOKE_RUN.name)
    assert found["validation_loss"] == pytest.approx(float(row["validation_loss"]), abs=SMOKE_BAND)
    rows = [r for r in tables.read("retrieval", records.HERE) if r["run"] == SMOKE_RUN.name]
    assert len(rows) == 6 * 5
    for row in rows:
        share = found["right"][row["length"]][row["distance"]]
        assert share == pytest.approx(float(row["accuracy"]), abs=0.02), row

"""The smoke run that stands for all records."""

import json

import pytest

from pe_lib.experiments import __main__ as experiments
from pe_lib.experiments.engine import tables
from pe_lib.experiments.recall import records
from pe_lib.experiments.recall.setting import SMOKE_BAND, SMOKE_RUN


def test_the_smoke_run_comes_out_as_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["x", "recall", "smoke", "--folder", str(tmp_path)])
    assert experiments.main() == 0
    found = json.loads((tmp_path / "seeds" / f"{SMOKE_RUN.name}.json").read_text("utf-8"))
    (row,) = (r for r in tables.read("runs", records.HERE) if r["run"] == SMOKE_RUN.name)
    assert found["validation_loss"] == pytest.approx(float(row["validation_loss"]), abs=SMOKE_BAND)
    rows = [r for r in tables.read("losses", records.HERE) if r["run"] == SMOKE_RUN.name]
    assert len(rows) == 3 + 12 * 2
    for row in rows:
        loss = found["numbers"][row["method"]][row["length"]]["loss"]
        assert loss == pytest.approx(float(row["loss"]), abs=SMOKE_BAND), row

"""The record of how long rotations take."""

import pytest

from pe_lib.experiments.rotary_speed import Speed, read_provenance, read_speeds, record


def test_it_says_what_it_was_taken_on():
    taken = read_provenance()
    assert {"processor", "threads", "torch", "transformers", "date", "rounds"} <= taken.keys()
    assert (taken["positions"], taken["heads"], taken["features"]) == (4096, 32, 128)
    assert "changed" not in taken["commit"]


def test_what_is_written_is_read(monkeypatch, tmp_path):
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.csv")
    monkeypatch.setattr(record, "PROVENANCE", tmp_path / "provenance.json")
    speeds = [Speed("fresh", "float32", "half-split", "pe_lib", 15.0, 1.5, 1.4, 1.6)]
    record.write(speeds, {"threads": 2})
    assert read_speeds() == read_speeds("fresh") == speeds
    assert read_speeds("step") == []
    assert read_provenance() == {"threads": 2}


def test_an_unknown_column_is_an_error(monkeypatch, tmp_path):
    (path := tmp_path / "record.csv").write_text("kind,colour\nfresh,blue\n", "utf-8")
    monkeypatch.setattr(record, "RECORD", path)
    with pytest.raises(KeyError):
        read_speeds()

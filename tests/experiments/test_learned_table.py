"""The recorded training: a short one here, and the record that came with pe_lib."""

import json

import pytest
import torch

from pe_lib.experiments import __main__ as command
from pe_lib.experiments.learned_table import read_provenance, read_record, record, training
from pe_lib.experiments.learned_table.record import Record, pack, unpack


@pytest.fixture(scope="module")
def short() -> Record:
    """A record of a few steps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "MEASURED", 64)
        return training.run(steps=12)


def test_a_short_training_records_what_happened(short):
    assert short.steps == training.snapshot_steps(12)
    assert short.tables.shape == (len(short.steps), training.ROWS, training.DIM)
    assert len(short.losses) == len(short.steps)
    assert short.losses[0] > short.losses[-1]
    used, unused = short.tables[:, : short.used], short.tables[:, short.used :]
    assert (used[1:] != used[:-1]).flatten(1).any(1).all(), "every snapshot is another one"
    assert torch.equal(unused, unused[:1].expand_as(unused)), "unused rows never move"


def test_a_training_is_the_same_every_time(short):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(training, "MEASURED", 64)
        again = training.run(steps=12)
    assert torch.equal(again.tables, short.tables)
    assert again.losses == short.losses


def test_losses_are_measured_at_every_position_for_every_filling(short):
    assert set(short.loss_by_position) == {"as drawn", "last row repeated", "stretched"}
    drawn, repeated = (
        short.loss_by_position["as drawn"],
        short.loss_by_position["last row repeated"],
    )
    assert len(drawn) == training.ROWS
    assert drawn[: short.used] == pytest.approx(repeated[: short.used], abs=1e-5)
    assert drawn[short.used :] != pytest.approx(repeated[short.used :], abs=1e-5)


def test_directions_are_those_of_the_trained_rows(short):
    torch.testing.assert_close(
        short.directions.mT @ short.directions, torch.eye(training.DIM, dtype=torch.float64)
    )
    strength = (short.tables[-1][: short.used] @ short.directions).norm(dim=0)
    assert (strength[:-1] >= strength[1:]).all()


def test_packing_keeps_a_record_to_one_part_in_200(short):
    found = unpack(json.loads(json.dumps(pack(short))))
    assert (found.steps, found.used) == (short.steps, short.used)
    largest = short.tables[:, : short.used].abs().amax((1, 2))
    error = (found.tables - short.tables)[:, : short.used].abs().amax((1, 2))
    assert (error <= largest / 200).all()
    assert (found.directions - short.directions).abs().max() <= 5.1e-5
    assert found.losses == pytest.approx(short.losses, abs=5.1e-4)


def test_the_record_is_of_the_training_that_stands_here():
    kept, provenance = read_record(), read_provenance()
    assert kept.steps == training.snapshot_steps(training.STEPS)
    assert kept.tables.shape[1:] == (training.ROWS, training.DIM)
    assert provenance.items() >= training.SETTINGS.items()
    assert 0 < provenance["of which computing"] <= 2 * provenance["seconds"]
    for name in ("date", "commit", "pe_lib", "torch", "python", "processor", "threads"):
        assert provenance[name], name


def test_the_record_shows_what_the_chapter_says():
    kept = read_record()
    inside = slice(20, kept.used)
    mean = {
        name: (torch.tensor(losses[inside]).mean(), torch.tensor(losses[kept.used :]).mean())
        for name, losses in kept.loss_by_position.items()
    }
    assert mean["as drawn"][1] > mean["as drawn"][0] + 1
    assert mean["last row repeated"][1] > mean["last row repeated"][0] + 0.5
    assert mean["stretched"][0] > mean["as drawn"][0]
    assert mean["stretched"][1] < mean["last row repeated"][1]


def test_the_command_writes_record_and_provenance(tmp_path, monkeypatch, short, capsys):
    monkeypatch.setattr(training, "run", lambda: short)
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr(record, "PROVENANCE", tmp_path / "provenance.json")
    monkeypatch.setattr("sys.argv", ["experiments", "learned_table"])
    assert command.main() == 0
    assert unpack(json.loads((tmp_path / "record.json").read_text())).steps == short.steps
    provenance = json.loads((tmp_path / "provenance.json").read_text())
    assert provenance.keys() == read_provenance().keys()
    assert "record.json" in capsys.readouterr().out


def test_a_training_that_diverges_leaves_the_old_record(tmp_path, monkeypatch, capsys):
    losses_of = training.losses_of
    monkeypatch.setattr(training, "losses_of", lambda *args: losses_of(*args) * float("nan"))
    monkeypatch.setattr(record, "RECORD", tmp_path / "record.json")
    monkeypatch.setattr("sys.argv", ["experiments", "learned_table"])
    assert command.main() == 1
    assert "the loss is nan in step 1 (the old record is unchanged)" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_experiment_is_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["experiments", "nothing"])
    with pytest.raises(SystemExit):
        command.main()
    assert "learned_table" in capsys.readouterr().err

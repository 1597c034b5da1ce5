"""The trained model that comes with pe_lib."""

import pytest
import torch

from pe_lib import YarnScaling
from pe_lib.experiments.engine.training import Training
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.measuring import validation_loss
from pe_lib.experiments.extrapolation.setting import SMALL
from pe_lib.experiments.extrapolation.trained import FILE, ship, trained_rope, which_run
from pe_lib.experiments.text import validation_text
from tests.experiments.extrapolation.conftest import EXPERIMENT


def test_it_is_small_enough_to_come_along():
    assert FILE.stat().st_size < 2e6


def test_it_is_the_model_of_the_tables():
    (row,) = (row for row in records.read("runs") if row["run"] == which_run())
    loss = validation_loss(trained_rope(), validation_text(), SMALL.length)
    assert loss == pytest.approx(float(row["validation_loss"]), abs=0.002)


def test_it_goes_on_from_a_text_as_the_help_of_python_would():
    prompt = torch.tensor([list(b"The built-in fun")])
    assert bytes(trained_rope().generate(prompt, 5)[0].tolist()) == b"The built-in function"


def test_it_can_be_read_with_a_scaling_or_a_window():
    prompt = torch.tensor([list(b"The built-in function " * 20)])
    plain = trained_rope()(prompt)
    near = trained_rope(window=64)(prompt)
    assert torch.allclose(near[:, :64], plain[:, :64], atol=1e-4)
    assert not torch.allclose(near[:, 300:], plain[:, 300:], atol=1)
    stretched = trained_rope(scaling=YarnScaling(4.0, SMALL.length))
    assert [block.attention.position.scaling.factor for block in stretched.blocks] == [4.0] * 4


def test_only_a_finished_training_is_shipped(run_of, tmp_path):
    run, saved = run_of(), tmp_path / "saved.pt"
    training = Training(EXPERIMENT, run)
    training.save(saved)
    with pytest.raises(ValueError, match="saved: expected a finished training of tiny-rope"):
        ship(EXPERIMENT, run, saved, tmp_path / "model.safetensors")
    assert not (tmp_path / "model.safetensors").exists()
    while not training.finished:
        training.advance()
    training.save(saved)
    ship(EXPERIMENT, run, saved, tmp_path / "model.safetensors")
    assert which_run(tmp_path / "model.safetensors") == run.name

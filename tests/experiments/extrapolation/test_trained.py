"""The trained models that come with pe_lib."""

import pytest
import torch
from safetensors.torch import load_file

from pe_lib import YarnScaling
from pe_lib.experiments.engine.training import Training
from pe_lib.experiments.extrapolation import records
from pe_lib.experiments.extrapolation.measuring import validation_loss
from pe_lib.experiments.extrapolation.setting import SMALL
from pe_lib.experiments.extrapolation.trained import (
    KINDS,
    SCALE,
    file_of,
    in_eight_bits,
    in_float,
    ship,
    trained_model,
    which_run,
)
from pe_lib.experiments.text import validation_text
from tests.experiments.extrapolation.conftest import EXPERIMENT
from tests.helpers import randn

each_kind = pytest.mark.parametrize("kind", KINDS)


@each_kind
def test_it_is_small_enough_to_come_along(kind):
    assert file_of(kind).stat().st_size < 9.1e5


@each_kind
def test_it_is_the_model_of_the_tables(kind):
    """Of the same run: of one kind, runs of different seeds are up to 0.05 apart."""
    (row,) = (row for row in records.read("runs") if row["run"] == which_run(file_of(kind)))
    assert (row["position"], row["seed"]) == (kind, "0")
    loss = validation_loss(trained_model(kind), validation_text(), SMALL.length)
    assert loss == pytest.approx(float(row["validation_loss"]), abs=0.01)


def test_a_kind_that_there_is_not():
    expected = "kind: expected one of 'rope', 'none', 'sinusoidal', 'alibi', 't5', got 'learned'"
    with pytest.raises(ValueError) as refused:
        trained_model("learned")
    assert str(refused.value) == expected
    with pytest.raises(ValueError, match="scaling: expected None"):
        trained_model("alibi", scaling=YarnScaling(4.0, SMALL.length))


def test_eight_bits_are_within_half_a_step():
    weight = randn(30, 50, dtype=torch.float32) * 10.0 ** torch.arange(-15, 15)[:, None]
    whole, scale = in_eight_bits(weight)
    assert whole.dtype == torch.int8
    assert whole.abs().amax(1).tolist() == [127] * 30
    back = in_float({"w": whole, f"w{SCALE}": scale})
    assert list(back) == ["w"]
    assert ((back["w"] - weight).abs() <= 0.501 * scale[:, None]).all()


@each_kind
def test_what_is_small_is_kept_as_it_is(kind):
    stored = load_file(file_of(kind))
    rounded = {name for name, tensor in stored.items() if tensor.dtype == torch.int8}
    assert rounded == {name.removesuffix(SCALE) for name in stored if name.endswith(SCALE)}
    assert all(stored[name].ndim == 2 for name in rounded)
    others = stored.keys() - rounded
    assert {stored[name].dtype for name in others} == {torch.float32}


def test_it_goes_on_from_a_text_as_the_help_of_python_would():
    prompt = torch.tensor([list(b"The built-in fun")])
    assert bytes(trained_model().generate(prompt, 5)[0].tolist()) == b"The built-in function"


def test_it_can_be_read_with_a_scaling_or_a_window():
    prompt = torch.tensor([list(b"The built-in function " * 20)])
    plain = trained_model()(prompt)
    near = trained_model(window=64)(prompt)
    assert torch.allclose(near[:, :64], plain[:, :64], atol=1e-4)
    assert not torch.allclose(near[:, 300:], plain[:, 300:], atol=1)
    stretched = trained_model(scaling=YarnScaling(4.0, SMALL.length))
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

"""One training: what it shares with others, and that it can be broken off anywhere."""

import pytest
import torch

from pe_lib.experiments.engine.training import Training, resumed, steps_done
from pe_lib.experiments.extrapolation.experiment import window_starts
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import POSITIONS, SMALL, Run
from pe_lib.experiments.text import training_text
from tests.experiments.extrapolation.conftest import EXPERIMENT


def weights(training: Training) -> dict[str, torch.Tensor]:
    return {name: w.clone() for name, w in training.model.state_dict().items()}


def finish(training: Training) -> list[float]:
    losses = []
    while not training.finished:
        losses.append(training.advance())
    return losses


def equal(one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[n], other[n]) for n in one)


@pytest.mark.parametrize("position", POSITIONS)
def test_a_training_that_was_broken_off_ends_with_the_same_numbers(run_of, tmp_path, position):
    run, path = run_of(position), tmp_path / "saved.pt"
    whole = Training(EXPERIMENT, run)
    losses = finish(whole)
    found = []
    while True:  # a new process for every step, as it were
        training = resumed(EXPERIMENT, run, path)
        if training.finished:
            break
        found.append(training.advance())
        training.save(path)
    assert found == losses
    assert equal(weights(training), weights(whole))


def test_what_was_done_after_saving_is_done_again_and_not_twice(run_of, tmp_path):
    run, path = run_of(), tmp_path / "saved.pt"
    training = Training(EXPERIMENT, run)
    training.advance()
    training.save(path)
    lost = [training.advance(), training.advance()]
    again = resumed(EXPERIMENT, run, path)
    assert again.step == steps_done(path) == 1
    assert [again.advance(), again.advance()] == lost


def test_saving_leaves_nothing_else_behind(run_of, tmp_path):
    Training(EXPERIMENT, run_of()).save(tmp_path / "saved.pt")
    assert [path.name for path in tmp_path.iterdir()] == ["saved.pt"]


def test_a_training_of_another_run_is_refused(run_of, tmp_path):
    Training(EXPERIMENT, run_of(seed=1)).save(tmp_path / "saved.pt")
    message = r"saved\.pt: expected a training of .*'seed': 0.*, got one of .*'seed': 1"
    with pytest.raises(ValueError, match=message):
        resumed(EXPERIMENT, run_of(seed=0), tmp_path / "saved.pt")


def test_a_training_is_not_gone_on_with_on_another_kind_of_device(run_of, tmp_path):
    path, training = tmp_path / "saved.pt", Training(EXPERIMENT, run_of())
    training.made_with["device"] = "cuda"
    training.advance()
    training.save(path)
    with pytest.raises(ValueError, match=r"saved\.pt: expected a training on cpu, got one on cuda"):
        resumed(EXPERIMENT, run_of(), path)
    finish(training)
    training.save(path)
    assert resumed(EXPERIMENT, run_of(), path).finished, "but it can be measured there"


def test_making_a_model_leaves_the_random_numbers_alone(run_of):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    new_model(run_of())
    assert torch.equal(torch.rand(3), expected)


def test_all_kinds_begin_with_the_same_weights_and_read_the_same_windows(run_of):
    none = new_model(run_of("none")).state_dict()
    text = training_text()
    for position in POSITIONS:
        own = new_model(run_of(position)).state_dict()
        assert all(torch.equal(own[name], weight) for name, weight in none.items()), position
        assert set(own) - set(none) <= {name for name in own if "position" in name}
        starts = window_starts(run_of(position), text)
        assert torch.equal(starts, window_starts(run_of("none"), text))


def test_seeds_differ_in_weights_and_windows(run_of):
    one, other = run_of(seed=0), run_of(seed=1)
    text = training_text()
    assert not torch.equal(window_starts(one, text), window_starts(other, text))
    assert not torch.equal(new_model(one).head.weight, new_model(other).head.weight)


@pytest.mark.parametrize("std", [0.02, 1.0])
def test_a_learned_table_begins_at_the_size_that_the_run_says(std):
    table = new_model(Run(SMALL, "learned", std, 4e-3, 0)).position.table.weight
    assert table.std().item() == pytest.approx(std, rel=0.01)
    assert table.shape == (SMALL.longest, SMALL.dim)


def test_the_mixture_has_its_kind_and_window_in_each_layer():
    layers = [block.attention for block in new_model(Run(SMALL, "rope3none1", None, 1.0, 0)).blocks]
    assert [layer.position.kind for layer in layers] == ["rope", "rope", "rope", "none"]
    assert [layer.window for layer in layers] == [64, 64, 64, None]


def test_cope_counts_as_far_as_it_has_learned_to():
    layers = [block.attention for block in new_model(Run(SMALL, "cope", None, 1.0, 0)).blocks]
    shapes = {tuple(layer.position.relative.weight.shape) for layer in layers}
    assert shapes == {(SMALL.length, SMALL.dim // SMALL.num_heads)}


def test_rows_of_a_table_past_the_training_length_stay_as_drawn(run_of):
    training = Training(EXPERIMENT, run_of("learned"))
    before = training.model.position.table.weight.detach().clone()
    finish(training)
    after, used = training.model.position.table.weight.detach(), training.run.setting.length
    assert torch.equal(after[used:], before[used:])
    assert (after[:used] != before[:used]).any(dim=1).all()


def test_windows_reach_every_part_of_the_text(run_of):
    text = torch.arange(100)
    starts = window_starts(run_of(steps=500), text)
    assert starts.min() == 0
    assert starts.max() == len(text) - 1 - 16, "the last window ends with the last byte"


@pytest.mark.gpu
@pytest.mark.parametrize("position", POSITIONS)
def test_a_gpu_learns_what_the_cpu_learns(run_of, position):
    run = run_of(position, steps=30)
    assert finish(Training(EXPERIMENT, run, "cuda")) == pytest.approx(
        finish(Training(EXPERIMENT, run)), abs=1e-3
    )

"""One training: what it shares with others, and that it can be broken off anywhere."""

import json

import pytest
import torch

from pe_lib.experiments.digits import pictures_hash, training_pictures
from pe_lib.experiments.engine.training import Training, resumed
from pe_lib.experiments.resolutions.experiment import picture_numbers
from pe_lib.experiments.resolutions.setting import DIGITS, POSITIONS, SIZES, Run
from tests.experiments.resolutions.conftest import EXPERIMENT


def finish(training: Training) -> list[float]:
    losses = []
    while not training.finished:
        losses.append(training.advance())
    return losses


@pytest.mark.parametrize("position", POSITIONS)
def test_a_training_that_was_broken_off_ends_with_the_same_numbers(run_of, tmp_path, position):
    run, path = run_of(position), tmp_path / "saved.pt"
    whole = Training(EXPERIMENT, run)
    losses = finish(whole)
    found = []
    while not (training := resumed(EXPERIMENT, run, path)).finished:  # a new process for every step
        found.append(training.advance())
        training.save(path)
    assert found == losses
    expected = whole.model.state_dict()
    assert all(
        torch.equal(own, expected[name]) for name, own in training.model.state_dict().items()
    )


def test_a_step_is_on_the_pictures_that_it_says(run_of):
    run = run_of()
    training, model = Training(EXPERIMENT, run), EXPERIMENT.new_model(run)
    images, labels = training_pictures()
    first = picture_numbers(run, 1200)[0]
    logits = model(images[first]).log_softmax(dim=1)
    expected = -(logits[0, labels[first[0]]] + logits[1, labels[first[1]]]) / 2
    assert training.advance() == pytest.approx(expected.item(), abs=1e-6)


def test_all_kinds_begin_with_the_same_weights_and_see_the_same_pictures(run_of):
    none = EXPERIMENT.new_model(run_of("none")).state_dict()
    for position in POSITIONS:
        own = EXPERIMENT.new_model(run_of(position)).state_dict()
        assert all(torch.equal(own[name], weight) for name, weight in none.items()), position
        assert set(own) - set(none) <= {name for name in own if "position" in name}
        numbers = picture_numbers(run_of(position), 1200)
        assert torch.equal(numbers, picture_numbers(run_of("none"), 1200))


def test_seeds_differ_in_weights_and_pictures(run_of):
    one, other = run_of(seed=0), run_of(seed=1)
    assert not torch.equal(picture_numbers(one, 1200), picture_numbers(other, 1200))
    assert not torch.equal(
        EXPERIMENT.new_model(one).head.weight, EXPERIMENT.new_model(other).head.weight
    )


def test_all_pictures_are_learned_from():
    numbers = picture_numbers(Run(DIGITS, "none", None, 4e-3, 0), 1200)
    assert sorted(set(numbers.flatten().tolist())) == list(range(1200))


@pytest.mark.parametrize("std", [0.02, 1.0])
def test_a_learned_table_begins_at_the_size_that_the_run_says(std):
    table = EXPERIMENT.new_model(Run(DIGITS, "learned", std, 4e-3, 0)).position.table
    assert table.std().item() == pytest.approx(std, rel=0.05)
    assert table.shape == (SIZES[0] ** 2, DIGITS.dim)


def test_making_a_model_leaves_the_random_numbers_alone(run_of):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    EXPERIMENT.new_model(run_of())
    assert torch.equal(torch.rand(3), expected)


def test_an_identity_comes_back_from_json(run_of):
    found = EXPERIMENT.identity(run_of())
    assert json.loads(json.dumps(found)) == found
    assert found["pictures"] == pictures_hash()

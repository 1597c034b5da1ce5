"""One training: what it shares with others, what it learns, and that it can be broken off."""

import json
import math

import pytest
import torch

from pe_lib.experiments.engine.training import Training, resumed
from pe_lib.experiments.tasks.examples import TASKS
from pe_lib.experiments.tasks.experiment import examples_of
from pe_lib.experiments.tasks.measuring import loss_of
from pe_lib.experiments.tasks.setting import (
    LEARNING_RATE,
    LENGTHS,
    MIXED,
    POSITIONS,
    SEEDS,
    SETTINGS,
    Run,
    all_runs,
)
from pe_lib.model.positions.text import TextKind
from tests.experiments.tasks.conftest import EXPERIMENT


def finish(training: Training) -> list[float]:
    losses = []
    while not training.finished:
        losses.append(training.advance())
    return losses


def test_every_task_has_every_kind_at_every_seed_and_one_learning_rate():
    runs = all_runs()
    assert {*TextKind.kinds} == {*POSITIONS} - {*MIXED}
    places = {(run.setting.task, run.position, run.seed) for run in runs}
    assert len({run.name for run in runs}) == len(runs) == len(places)
    assert len(runs) == len(TASKS) * len(POSITIONS) * len(SEEDS)
    assert {run.learning_rate for run in runs} == {LEARNING_RATE}
    assert {run.position for run in runs if run.table_std is not None} == {"learned"}


@pytest.mark.parametrize("position", ["learned", "rope2none1"])
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
    assert all(torch.equal(w, expected[name]) for name, w in training.model.state_dict().items())


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.task)
def test_all_lengths_of_the_training_are_learned_from(setting):
    run = Run(setting, "none", None, LEARNING_RATE, 1)
    lengths = [examples_of(run, step)[0].shape[1] for step in range(300)]
    tokens = {n: TASKS[setting.task](n, 1, torch.Generator())[0].shape[1] for n in range(16, 33)}
    assert max(lengths) == tokens[setting.longest]
    assert len(set(lengths)) == setting.longest - setting.shortest + 1


def test_steps_and_seeds_differ_in_their_strings_and_kinds_do_not(run_of):
    first = examples_of(run_of(), 0)
    assert torch.equal(first[0], examples_of(run_of("none"), 0)[0])
    for other in (examples_of(run_of(), 1), examples_of(run_of(seed=1), 0)):
        assert first[0].shape != other[0].shape or not torch.equal(first[0], other[0])


def test_no_step_of_one_seed_is_one_of_another(run_of):
    runs = [run_of(seed=seed) for seed in SEEDS]
    read = {str(examples_of(run, step)[0].tolist()) for run in runs for step in range(6)}
    assert len(read) == len(SEEDS) * 6


@pytest.mark.parametrize("task", TASKS)
def test_a_loss_is_the_mean_over_the_answers(run_of, task):
    run = run_of(task=task)
    training, model = Training(EXPERIMENT, run), EXPERIMENT.new_model(run)
    tokens, answers = examples_of(run, 0)
    likely = model(tokens).log_softmax(dim=-1)  # (count, seq, vocabulary)
    costs = [
        -likely[row, tokens.shape[1] - answers.shape[1] + place, answers[row, place]].item()
        for row in range(len(tokens))
        for place in range(answers.shape[1])
    ]
    assert training.advance() == pytest.approx(sum(costs) / len(costs), abs=1e-5)
    torch.nn.init.zeros_(model.head.weight)
    assert loss_of(model, (tokens, answers)).item() == pytest.approx(math.log(22), abs=1e-5)


def test_all_kinds_begin_with_the_same_weights(run_of):
    none = EXPERIMENT.new_model(run_of("none")).state_dict()
    for position in POSITIONS:
        own = EXPERIMENT.new_model(run_of(position)).state_dict()
        assert all(torch.equal(own[name], weight) for name, weight in none.items()), position
        assert set(own) - set(none) <= {name for name in own if "position" in name}


@pytest.mark.parametrize("task", TASKS)
def test_every_kind_reads_the_longest_strings(run_of, task):
    tokens, _ = TASKS[task](max(LENGTHS[task]), 1, torch.Generator())
    for position in POSITIONS:
        assert EXPERIMENT.new_model(run_of(position, task))(tokens).isfinite().all()
    table = EXPERIMENT.new_model(run_of("learned", task)).position.table.weight
    assert len(table) == tokens.shape[1], "not longer than needed"


def test_the_mixture_has_its_kind_and_window_in_each_layer(run_of):
    layers = [block.attention for block in EXPERIMENT.new_model(run_of("rope2none1")).blocks]
    assert [layer.position.kind for layer in layers] == ["rope", "rope", "none"]
    assert [layer.window for layer in layers] == [32, 32, None]
    assert all(len(how["position"]) == s.num_layers for how in MIXED.values() for s in SETTINGS)


@pytest.mark.parametrize(("task", "counted"), [("copying", 36), ("retrieval", 19)])
def test_cope_counts_as_far_as_it_has_learned_to(run_of, task, counted):
    layers = [block.attention for block in EXPERIMENT.new_model(run_of("cope", task)).blocks]
    assert {len(layer.position.relative.weight) for layer in layers} == {counted}


def test_an_identity_comes_back_from_json(run_of):
    found = EXPERIMENT.identity(run_of())
    assert json.loads(json.dumps(found)) == found
    assert found["lengths"] == [8, 16, 24, 32, 48, 64]


def test_making_a_model_leaves_the_random_numbers_alone(run_of):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    EXPERIMENT.new_model(run_of())
    assert torch.equal(torch.rand(3), expected)

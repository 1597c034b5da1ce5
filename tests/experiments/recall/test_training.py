"""One training: what it shares with others, what it learns, and that it can be broken off."""

import json

import pytest
import torch

from pe_lib.experiments.engine.training import Training, resumed
from pe_lib.experiments.recall.experiment import Recall
from pe_lib.experiments.recall.measuring import losses_of
from pe_lib.experiments.recall.setting import (
    LEARNING_RATES,
    LONG,
    MIXED,
    POSITIONS,
    SEEDS,
    SHORT,
    Run,
    seed_runs,
    tuning_runs,
)

EXPERIMENT = Recall()


def test_every_kind_is_tuned_and_then_trained_at_both_lengths_and_every_seed():
    tuning = tuning_runs()
    assert {(run.position, run.learning_rate) for run in tuning} == {
        (position, rate) for position in POSITIONS for rate in LEARNING_RATES
    }
    seeds = list(
        seed_runs({position: Run(SHORT, position, None, 6e-3, 0) for position in POSITIONS})
    )
    places = {(run.setting.name, run.position, run.seed) for run in seeds}
    assert len({run.name for run in seeds}) == len(seeds) == len(places)
    assert len(seeds) == 2 * len(POSITIONS) * len(SEEDS)


def test_both_lengths_learn_from_equally_many_tokens():
    assert SHORT.batch * SHORT.length == LONG.batch * LONG.length
    assert SHORT.steps == LONG.steps


def test_a_training_that_was_broken_off_ends_with_the_same_numbers(run_of, tmp_path):
    run, path = run_of("rope1none1"), tmp_path / "saved.pt"
    whole, losses, found = Training(EXPERIMENT, run), [], []
    while not whole.finished:
        losses.append(whole.advance())
    while not (training := resumed(EXPERIMENT, run, path)).finished:  # a new process for every step
        found.append(training.advance())
        training.save(path)
    assert found == losses
    expected = whole.model.state_dict()
    assert all(torch.equal(w, expected[name]) for name, w in training.model.state_dict().items())


def test_steps_and_seeds_differ_in_their_ledgers_and_kinds_do_not(run_of):
    first = EXPERIMENT.examples(run_of(), "cpu")
    assert torch.equal(first(0), EXPERIMENT.examples(run_of("none"), "cpu")(0))
    assert not torch.equal(first(0), first(1))
    assert not torch.equal(first(0), EXPERIMENT.examples(run_of(seed=1), "cpu")(0))


def test_only_answers_count(run_of):
    model = EXPERIMENT.new_model(run_of())
    tokens = EXPERIMENT.examples(run_of(), "cpu")(0)
    likely = model(tokens).log_softmax(dim=-1)  # (count, length, vocabulary)
    costs = [
        -likely[row, place - 1, tokens[row, place]].item()
        for row in range(len(tokens))
        for place in range(1, tokens.shape[1], 2)
    ]
    assert EXPERIMENT.loss(model, tokens).item() == pytest.approx(sum(costs) / len(costs), abs=1e-5)
    assert losses_of(model, tokens).shape == (len(tokens), tokens.shape[1] // 2)


def test_all_kinds_begin_with_the_same_weights(run_of):
    none = EXPERIMENT.new_model(run_of("none")).state_dict()
    for position in POSITIONS:
        own = EXPERIMENT.new_model(run_of(position)).state_dict()
        assert all(torch.equal(own[name], weight) for name, weight in none.items()), position
        assert set(own) - set(none) <= {name for name in own if "position" in name}


def test_the_mixture_has_its_kind_and_window_in_each_layer(run_of):
    layers = [block.attention for block in EXPERIMENT.new_model(run_of("rope1none1")).blocks]
    assert [layer.position.kind for layer in layers] == ["rope", "none"]
    assert [layer.window for layer in layers] == [64, None]
    assert all(
        len(how["position"]) == s.num_layers for how in MIXED.values() for s in (SHORT, LONG)
    )


def test_an_identity_comes_back_from_json(run_of):
    found = EXPERIMENT.identity(run_of())
    assert json.loads(json.dumps(found)) == found


def test_making_a_model_leaves_the_random_numbers_alone(run_of):
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    EXPERIMENT.new_model(run_of())
    assert torch.equal(torch.rand(3), expected)

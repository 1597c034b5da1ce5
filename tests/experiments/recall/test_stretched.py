"""What is tried with a trained model, and that it is left as it was."""

import math

import pytest
import torch

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.experiments.recall.model import new_model
from pe_lib.experiments.recall.setting import LONG
from pe_lib.experiments.recall.stretched import (
    AS_TRAINED,
    FURTHER,
    NO_TABLE,
    STRETCHED,
    further,
    methods_of,
    readings,
    scaling_of,
    without_table,
)


def test_what_turns_is_stretched_where_it_has_read_short_windows(run_of):
    assert methods_of(run_of("rope")) == (*STRETCHED, *FURTHER)
    for other in (run_of("rope", 1024), run_of("none"), run_of("rope1none1")):
        assert methods_of(other) == ()
        assert list(readings(other, new_model(other))) == []


def test_a_learned_table_is_set_to_zero_in_a_copy(run_of):
    assert methods_of(run_of("learned")) == (NO_TABLE,)
    assert methods_of(run_of("learned", 1024)) == ()
    model = new_model(run_of("learned"))
    before = model.position.table.weight.clone()
    assert not without_table(run_of("learned"), model).position.table.weight.any()
    assert torch.equal(model.position.table.weight, before) and before.any()


@pytest.mark.usefixtures("few_steps")
def test_every_method_is_measured_past_the_length_of_the_training(run_of):
    found = [(method, length) for method, length, _ in readings(run_of(), new_model(run_of()))]
    assert found == [(method, 256) for method in (*STRETCHED, *FURTHER)]


def test_the_factor_is_the_length_as_a_multiple_of_the_trainings(run_of):
    assert scaling_of("YaRN", run_of(), 1024).factor == 8
    assert scaling_of(AS_TRAINED, run_of(), 1024) is None


def test_an_attention_factor_is_exchanged_and_the_frequencies_are_not(run_of):
    def scaling(method):
        return scaling_of(method, run_of(), 1024)

    for method, rule, attention in (
        ("YaRN without attention factor", "YaRN", 1.0),
        ("interpolation with attention factor", "interpolation", 0.1 * math.log(8) + 1),
        ("Llama 3 with attention factor", "Llama 3", 0.1 * math.log(8) + 1),
    ):
        frequencies = [scaling(name).inverse_frequencies(8) for name in (method, rule)]
        torch.testing.assert_close(*frequencies, rtol=1e-12, atol=0)
        assert scaling(method).attention_scaling == pytest.approx(attention, rel=1e-12)
    alone = scaling("attention factor alone")
    assert torch.equal(alone.inverse_frequencies(8), inverse_frequencies(8))
    assert alone.attention_scaling == pytest.approx(0.1 * math.log(8) + 1, rel=1e-12)


@pytest.mark.usefixtures("few_steps")
def test_further_training_changes_a_copy_that_is_stretched_to_1024(run_of):
    model = new_model(run_of())
    before = {name: weight.clone() for name, weight in model.state_dict().items()}
    longer = further(run_of(), model, "interpolation")
    assert {block.attention.position.scaling.factor for block in longer.blocks} == {
        LONG.length / 128
    }
    assert all(torch.equal(weight, before[name]) for name, weight in model.state_dict().items())
    assert not torch.equal(longer.head.weight, model.head.weight)

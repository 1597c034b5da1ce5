"""The settings of length that are varied: what differs from the compared model, and what not."""

from dataclasses import replace

import pytest
import torch

from pe_lib.experiments.extrapolation.controls import CONTROLS, VARIED, Controls, control_runs
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import SMALL, Run, tuning_runs

CHOICES = {run.position: run for run in tuning_runs(SMALL)}
RUNS = list(control_runs(CHOICES))


def test_every_value_is_trained_at_three_seeds_with_its_encodings_rate():
    assert len({run.name for run in RUNS}) == len(RUNS)
    seeds: dict[str, set[int]] = {}
    for run in RUNS:
        seeds.setdefault(run.position, set()).add(run.seed)
        choice = CHOICES[run.position.partition("-")[0]]
        assert run == replace(choice, setting=CONTROLS, position=run.position, seed=run.seed)
    every = (f"{position}-{value}" for position, (_, values) in VARIED.items() for value in values)
    assert seeds == {name: {0, 1, 2} for name in every}


def test_only_the_name_of_the_setting_differs():
    assert replace(CONTROLS, name=SMALL.name) == SMALL


@pytest.mark.parametrize("position", VARIED)
def test_with_the_comparisons_own_value_the_model_is_the_comparisons(position):
    own = {"t5": 128, "shaw": 16, "cope": 128}[position]
    run = Run(CONTROLS, f"{position}-{own}", None, 4e-3, seed=0)
    varied, compared = Controls().new_model(run), new_model(replace(run, position=position))
    assert varied.state_dict().keys() == compared.state_dict().keys()
    for name, weight in compared.state_dict().items():
        if ".position." in name:  # these are drawn a second time, from where the first draws end
            assert varied.state_dict()[name].shape == weight.shape, name
        else:
            assert torch.equal(varied.state_dict()[name], weight), name
    varied.load_state_dict(compared.state_dict())
    tokens = torch.arange(40)[None]
    assert torch.equal(varied(tokens), compared(tokens))


@pytest.mark.parametrize("run", RUNS[: len(RUNS) // 3], ids=lambda run: run.position)
def test_another_value_changes_what_the_model_says(run):
    position = run.position.partition("-")[0]
    varied, compared = Controls().new_model(run), new_model(replace(run, position=position))
    for model in (varied, compared):  # CoPE begins with zeros
        torch.manual_seed(0)
        for block in model.blocks:
            for weight in block.attention.position.parameters():
                torch.nn.init.normal_(weight)
    tokens = torch.randint(256, (1, 200), generator=torch.Generator().manual_seed(0))
    assert not torch.allclose(varied(tokens), compared(tokens), atol=1e-3)


def test_records_and_texts_are_those_of_the_comparison():
    run = Run(SMALL, "t5", None, 4e-3, seed=0)
    controls, extrapolation = Controls(), Extrapolation()
    assert controls.records == extrapolation.records
    assert controls.identity(run) == extrapolation.identity(run)
    assert controls.choices() == extrapolation.choices()

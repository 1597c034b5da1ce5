"""What a training step costs: every kind is measured, and the bytes are counted right."""

import torch

from pe_lib.experiments.engine.training import Training
from pe_lib.experiments.extrapolation.costs import costs, kept_bytes
from pe_lib.experiments.extrapolation.experiment import Extrapolation
from pe_lib.experiments.extrapolation.setting import POSITIONS
from tests.experiments.extrapolation.conftest import EXPERIMENT


def test_every_kind_has_a_row_and_none_is_the_measure(tiny, tmp_path):
    lines, experiment = [], Extrapolation(tmp_path, tiny)
    rows = {row["position"]: row for row in costs(experiment, rounds=2, say=lines.append)}
    assert tuple(rows) == POSITIONS
    assert len(lines) == len(POSITIONS)
    assert all(float(row["milliseconds"]) > 0 for row in rows.values())
    assert all(row["processor"] and row["commit"] for row in rows.values())


def test_what_is_kept_for_the_backward_pass_is_counted_once():
    model = torch.nn.Linear(10, 10)
    x = torch.ones(1000, requires_grad=True)
    y = torch.ones(1000, requires_grad=True)
    assert kept_bytes(lambda: x + y, model) == 0
    assert kept_bytes(lambda: x * y, model) == 2 * 4000
    found = kept_bytes(lambda: (x * x) * x[:10].sum(), model)
    assert found == 4000 + 4000 + 4, "x, x * x and the sum"


def test_weights_are_not_counted_as_kept():
    model = torch.nn.Linear(1000, 1000)
    inputs = torch.ones(1, 1000)
    assert kept_bytes(lambda: model(inputs), model) == 4000


def test_four_times_the_windows_keep_four_times_as_much(run_of):
    small, large = (Training(EXPERIMENT, run_of(batch=batch)) for batch in (8, 32))
    ratio = kept_bytes(large.advance, large.model) / kept_bytes(small.advance, small.model)
    assert 3.9 < ratio < 4.1

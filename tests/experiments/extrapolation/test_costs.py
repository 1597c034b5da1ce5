"""What a training step costs: every kind is measured, and the bytes are counted right."""

import torch

from pe_lib.experiments.extrapolation.costs import costs, kept_bytes
from pe_lib.experiments.extrapolation.setting import POSITIONS


def test_every_kind_has_a_row_and_none_is_the_measure(tiny):
    lines = []
    rows = {row["position"]: row for row in costs(tiny, rounds=2, say=lines.append)}
    assert tuple(rows) == POSITIONS
    assert len(lines) == len(POSITIONS)
    assert rows["none"]["times_none"] == "1.000"
    assert all(float(row["milliseconds"]) > 0 for row in rows.values())
    assert all(row["processor"] and row["commit"] for row in rows.values())


def test_what_is_kept_for_the_backward_pass_is_counted_once():
    x = torch.ones(1000, requires_grad=True)
    y = torch.ones(1000, requires_grad=True)
    assert kept_bytes(lambda: x + y) == 0
    assert kept_bytes(lambda: x * y) == 2 * 4000
    assert kept_bytes(lambda: (x * x) * x[:10].sum()) == 4000 + 4000 + 4, "x, x * x and the sum"


def test_more_windows_keep_more_and_weights_stay_as_they_are(run_of):
    from pe_lib.experiments.extrapolation.training import Training

    small, large = (kept_bytes(Training(run_of(batch=batch)).advance) for batch in (2, 8))
    assert 3 < large / small < 4.1

"""What LearnedTable computes, checked against the record itself."""

import json

import pytest
import torch

from pe_lib.experiments.learned_table import read_record
from pe_lib.experiments.learned_table.record import RECORD
from pe_lib.figures import LearnedTable

RECORDED = read_record()
LAST = len(RECORDED.steps) - 1


def compute(snapshot: int = LAST, removed: int = 0) -> dict:
    return LearnedTable.compute("cpu", snapshot=snapshot, removed=removed)


@pytest.mark.parametrize("snapshot", [0, 7, LAST])
def test_it_shows_the_recorded_table(snapshot):
    values, table = compute(snapshot), RECORDED.tables[snapshot]
    torch.testing.assert_close(values["rows"] * values["lengths"][:, None], table)
    torch.testing.assert_close(values["rows"].norm(dim=1), torch.ones(96, dtype=torch.float64))
    assert values["loss"] == RECORDED.losses[snapshot]
    row, other = table[[20, 24]]
    cosine = (row @ other / (row.norm() * other.norm())).item()
    assert values["cosines"][20, 24].item() == pytest.approx(cosine)
    torch.testing.assert_close(values["curves"], (table @ RECORDED.directions)[:, :3])


def test_the_slider_reaches_every_snapshot():
    control = LearnedTable.controls()["snapshot"]
    assert (control["low"], control["high"]) == (0, LAST)


@pytest.mark.parametrize("removed", [0, 2])
def test_history_is_the_mean_cosine_of_neighbours(removed):
    steps, used, unused = compute(removed=removed)["history"].T
    assert steps.tolist() == RECORDED.steps
    for snapshot in (0, 5, LAST):
        along = RECORDED.tables[snapshot] @ RECORDED.directions
        along[:, :removed] = 0
        near = torch.nn.functional.cosine_similarity(along[1:], along[:-1], dim=-1)
        assert used[snapshot].item() == pytest.approx(near[:71].mean().item(), abs=1e-3)
        assert unused[snapshot].item() == pytest.approx(near[72:].mean().item(), abs=1e-3)


def test_removed_directions_are_gone_and_the_rest_is_left():
    values = compute(removed=2)
    left = (values["rows"] * values["lengths"][:, None]) @ RECORDED.directions
    along = RECORDED.tables[-1] @ RECORDED.directions
    assert left[:, :2].abs().max() < 2e-3 * along.abs().max()
    torch.testing.assert_close(left[:, 2:], along[:, 2:], rtol=0, atol=2e-3)
    assert torch.equal(values["curves"], compute()["curves"])


def test_the_strongest_direction_is_a_line_over_the_trained_positions():
    """What the chapter says about the figure."""
    curve = compute()["curves"][:72, 0]
    positions = torch.arange(72.0, dtype=torch.float64)
    assert torch.corrcoef(torch.stack((curve, positions)))[0, 1].abs() > 0.99
    assert compute()["curves"][72:].abs().max() < 0.1 * curve.abs().max()


def test_training_makes_neighbours_alike_and_leaves_unused_rows_alone():
    """What the chapter says about the figure."""
    history = compute()["history"]
    assert history[0, 1].abs() < 0.2
    assert history[-1, 1] > 0.9
    assert history[:, 2].abs().max() < 0.2
    assert torch.equal(compute(0)["rows"][72:], compute(LAST)["rows"][72:])


def test_the_page_carries_the_record_and_it_is_light():
    record = json.loads(RECORD.read_text("utf-8"))
    assert json.dumps(record, separators=(",", ":")) in LearnedTable._esm
    assert RECORD.stat().st_size < 150_000
    assert record["used"] == RECORDED.used

"""Trained models with stretched positions: against the plainest way to make them."""

import pytest
import torch

from pe_lib.experiments.extrapolation.measuring import last_bytes_loss
from pe_lib.experiments.extrapolation.model import new_model
from pe_lib.experiments.extrapolation.setting import POSITIONS
from pe_lib.experiments.extrapolation.stretched import METHODS, measure, spread, stretched

pytestmark = pytest.mark.usefixtures("short_text")


def scaling_of(model):
    scalings = {block.attention.position.scaling for block in model.blocks}
    assert len(scalings) == 1
    return scalings.pop()


def test_every_length_past_the_training_s_is_measured_by_every_method(run_of):
    for position in POSITIONS:
        run = run_of(position)
        found = measure(run, new_model(run))
        assert tuple(found) == METHODS.get(position, ())
        for by_length in found.values():
            assert tuple(by_length) == (32, 64)
    assert METHODS["rope"] == ("interpolation", "NTK", "dynamic NTK", "YaRN", "Llama 3")


def test_a_loss_is_that_of_the_stretched_model(run_of, tiny):
    run = run_of()
    model = new_model(run)
    plain = measure(run, model)["NTK"][64]["last bytes"]
    expected = last_bytes_loss(stretched(run, model, "NTK", 64), 64, tiny)
    assert plain == expected != last_bytes_loss(model, 64, tiny)


def test_the_factor_is_that_of_the_lengths(run_of):
    run = run_of()  # trained on 16
    model = new_model(run)
    own = {m: scaling_of(stretched(run, model, m, 64)) for m in METHODS["rope"]}
    assert own.pop("dynamic NTK").factor == 1, "it takes it from what was read"
    assert {scaling.factor for scaling in own.values()} == {4.0}
    assert {own[m].original_max_position for m in ("YaRN", "Llama 3")} == {16}


@pytest.mark.parametrize("method", METHODS["rope"])
def test_at_the_training_length_nothing_is_stretched(run_of, method):
    run = run_of()
    model, tokens = new_model(run), torch.arange(16)[None]
    own = stretched(run, model, method, 16)
    torch.testing.assert_close(own(tokens), model(tokens), atol=1e-5, rtol=0)


def test_interpolation_turns_by_a_part_of_each_position(run_of):
    run = run_of()
    model = new_model(run)
    plain, own = (
        m.blocks[0].attention.position for m in (model, stretched(run, model, "interpolation", 32))
    )
    halves = plain.tables(torch.arange(32) / 2, 8)
    torch.testing.assert_close(own.tables(torch.arange(32), 8), halves)


def test_a_learned_table_is_spread_over_the_length(run_of):
    run = run_of("learned")
    model = new_model(run)
    before = model.position.table.weight.detach().clone()  # (64, 16), of which 16 rows are trained
    own = stretched(run, model, "interpolation", 31).position.table.weight
    torch.testing.assert_close(own[:31:2], before[:16])
    torch.testing.assert_close(own[1:31:2], (before[:15] + before[1:16]) / 2)
    assert torch.equal(own[31:], before[31:]), "these are not read"
    assert torch.equal(model.position.table.weight, before), "the model stays as it is"


@pytest.mark.parametrize("length", [3, 4, 10])
def test_spread_rows_lie_on_straight_lines(length):
    rows = torch.tensor([[0.0, 5.0], [3.0, 5.0], [6.0, 5.0]])
    expected = torch.stack((torch.linspace(0, 6, length), torch.full((length,), 5.0)), dim=1)
    torch.testing.assert_close(spread(rows, length), expected)

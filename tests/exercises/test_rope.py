"""What the exercises of chapters 04 and 05 ask for has one answer, as close as their texts say."""

from itertools import permutations

import pytest
import torch

import pe_lib
from pe_lib.exercises import check
from pe_lib.exercises.calls import HALF_TOLERANCE


def scores(weight_q, weight_k, interleaved):
    """Scores of one head: twelve tokens of eight features."""
    x = torch.randn(12, 8, generator=torch.Generator().manual_seed(0))
    tables = pe_lib.rotary_cos_sin(12, len(weight_q))
    q, k = (
        pe_lib.apply_rotary(x @ weight.T, *tables, interleaved=interleaved)
        for weight in (weight_q, weight_k)
    )
    return q @ k.T


def test_one_order_of_a_head_s_rows_keeps_all_scores():
    weights = torch.randn(2, 6, 8, generator=torch.Generator().manual_seed(1))
    before = scores(*weights, interleaved=True)
    kept = [
        order
        for order in permutations(range(6))
        if torch.allclose(scores(*weights[:, order], interleaved=False), before, atol=1e-4)
    ]
    assert kept == [tuple(check.permute_weights.reference(torch.arange(6)[:, None], 1).flatten())]


def test_what_is_forgiven_in_bfloat16_is_what_the_task_allows():
    """Within 0.03 for inputs of unit variance, at offset 5000."""
    [asked] = [each for each in check.apply_rope.calls if each.args[0].dtype == torch.bfloat16]
    (x,) = asked.args
    assert asked.kwargs == {"offset": 5000}
    assert x.float().var() == pytest.approx(1, abs=0.1)
    largest = check.apply_rope.reference(x, **asked.kwargs).abs().max().item()
    assert HALF_TOLERANCE * largest == pytest.approx(0.03, abs=0.003)


@pytest.mark.parametrize(
    "name", ["rotary_angles", "turn_half_split", "turn_by_complex", "rotary_score", "apply_rope"]
)
def test_positions_are_asked_for_past_five_thousand(name):
    exercise = getattr(check, name)

    def near(*args, **kwargs):
        if any(abs(value) > 5000 for value in (*args, *kwargs.values()) if isinstance(value, int)):
            raise IndexError("the table ends here")
        return exercise.reference(*args, **kwargs)

    assert "the table ends here" in exercise(near).message


def test_a_text_is_asked_for_past_five_thousand_tokens():
    """Counted in whole numbers, or in a cache."""
    assert any((each.args[0].sum(dim=1) > 5000).all() for each in check.position_ids.calls)
    assert any(each.args[5].shape[1] > 5000 for each in check.find_the_bug.calls)

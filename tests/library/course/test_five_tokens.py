"""The five tokens: their query and key, and the scores that chapters 04 and 05 arrive at."""

import pytest
import torch

from pe_lib import apply_rotary, rotary_cos_sin
from pe_lib.course.five_tokens import EMBEDDINGS, KEY, QUERY, TOKENS, W_K, W_Q


def test_query_and_key():
    assert QUERY.tolist() == [0.5, 1.0, -0.5, 0.8, -1.2, 0.3]
    assert KEY.tolist() == [-0.7, 0.9, 0.4, -0.6, 1.1, -0.2]
    assert QUERY.dtype == KEY.dtype == torch.float64


def test_the_tokens_give_the_query_and_the_key():
    assert torch.allclose((EMBEDDINGS @ W_Q)[1], QUERY, rtol=0, atol=1e-12)
    assert torch.allclose((EMBEDDINGS @ W_K)[3], KEY, rtol=0, atol=1e-12)


def test_a_token_has_one_row_wherever_it_stands():
    rows = {}
    for token, row in zip(TOKENS, EMBEDDINGS.tolist(), strict=True):
        assert rows.setdefault(token, row) == row
    assert len(rows) == 4


@pytest.mark.parametrize("numbers", [EMBEDDINGS, W_Q, W_K])
def test_all_numbers_have_one_decimal(numbers):
    assert torch.equal(numbers, (10 * numbers).round() / 10)


@pytest.mark.parametrize(("interleaved", "score"), [(False, -0.7712011717), (True, -3.3293902955)])
def test_score_at_positions_1_and_3(interleaved, score):
    tables = rotary_cos_sin(torch.tensor([1, 3]), 6, dtype=torch.float64)
    query, key = apply_rotary(torch.stack((QUERY, KEY)), *tables, interleaved=interleaved)
    assert (query @ key).item() == pytest.approx(score, abs=1e-9)

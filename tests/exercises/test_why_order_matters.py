"""The right answers of chapter 01's exercises beside what they count, done one by one."""

from itertools import permutations

import pytest
import torch

from pe_lib.course.running_sentence import WORDS
from pe_lib.exercises import check
from pe_lib.exercises.why_order_matters.orders import my_orders

SHORT = [words for (words,) in (each.args for each in check.orders.calls) if len(words) < 9]


@pytest.mark.parametrize("words", [*SHORT, list(WORDS)], ids=" ".join)
def test_orders_are_those_that_look_different(words):
    assert my_orders(words) == len(set(permutations(words)))


def test_some_words_are_too_many_to_try_all_orders_and_no_answer_is_too_large_to_compare():
    """An answer one too large or too small has to be outside of the checker's tolerance."""
    lengths = [len(each.args[0]) for each in check.orders.calls]
    assert max(lengths) > 20
    assert max(my_orders(*each.args) for each in check.orders.calls) < 2000
    for off in (-1, 1):
        assert not check.orders(lambda words, off=off: my_orders(words) + off)


def test_a_permutation_matrix_puts_each_row_where_the_order_says():
    for each in check.permutation.calls:
        [order] = each.args
        rows = torch.arange(len(order)).double()[:, None] + 0.5
        moved = check.permutation.reference(order) @ rows
        assert moved.flatten().tolist() == [place + 0.5 for place in order]


def test_places_are_those_where_so_many_words_are_seen():
    """A head that looks equally at everything, one word after the other."""
    for each in check.place.calls:
        for share, place in zip(
            each.args[0].flatten(), check.place.reference(*each.args).flatten(), strict=True
        ):
            values = torch.zeros(round(place.item()) + 1, dtype=torch.float64)
            values[0] = 1
            assert values.mean().item() == pytest.approx(share.item(), abs=1e-12)

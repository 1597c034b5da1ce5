"""The right answers of chapter 03's exercises beside torch's own modules, and beside RoBERTa."""

import pytest
import torch
from torch import nn

from pe_lib.exercises import check


def calls(name):
    return [
        pytest.param(each.args, each.kwargs, id=f"{name}-{number}")
        for number, each in enumerate(getattr(check, name).calls)
    ]


@pytest.mark.parametrize(("args", "options"), calls("add_learned"))
def test_added_rows_are_those_of_a_module(args, options):
    x, table = args
    first = options.get("offset", 0)
    module = nn.Embedding.from_pretrained(table)
    expected = x + module(torch.arange(first, first + x.shape[1]))
    torch.testing.assert_close(check.add_learned.reference(*args, **options), expected)


@pytest.mark.parametrize(("args", "options"), calls("table_gradient"))
def test_the_gradient_is_that_of_a_module(args, options):
    grad, max_len = args
    first = options.get("offset", 0)
    module = nn.Embedding(max_len, grad.shape[-1])
    rows = module(torch.arange(first, first + grad.shape[1]).expand(len(grad), -1))
    (rows * grad).sum().backward()
    torch.testing.assert_close(check.table_gradient.reference(*args, **options), module.weight.grad)


@pytest.fixture(scope="module")
def positions():
    """How RoBERTa counts. (Imported only here, as that takes seconds.)"""
    from transformers.models.roberta.modeling_roberta import RobertaEmbeddings

    return RobertaEmbeddings.create_position_ids_from_input_ids


@pytest.mark.parametrize(("args", "options"), calls("padded_rows"))
def test_padded_rows_are_roberta_s(positions, args, options):
    tokens, table = args
    rows = table[positions(tokens, options.get("padding_idx", 1))]
    assert torch.equal(check.padded_rows.reference(*args, **options), rows)

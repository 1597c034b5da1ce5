"""The two orders of a head's features, for activations and for weights."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pe_lib import apply_rotary, half_to_interleaved, interleaved_to_half, rotary_cos_sin


def test_orders_written_out():
    assert interleaved_to_half(torch.arange(8)).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert half_to_interleaved(torch.arange(8)).tolist() == [0, 4, 1, 5, 2, 6, 3, 7]


@given(st.integers(0, 20).map(lambda pairs: 2 * pairs), st.integers(-3, 2))
def test_there_and_back(features, axis):
    shape = [3, 4, 5]
    shape[axis] = features
    x = torch.arange(max(60 * features, 1))[: shape[0] * shape[1] * shape[2]].reshape(shape)
    half, interleaved = interleaved_to_half(x, axis), half_to_interleaved(x, axis)
    assert half.shape == interleaved.shape == x.shape
    assert torch.equal(half_to_interleaved(half, axis), x)
    assert torch.equal(interleaved_to_half(interleaved, axis), x)
    order = [*range(0, features, 2), *range(1, features, 2)]
    assert torch.equal(half, x.index_select(axis, torch.tensor(order, dtype=torch.long)))


@pytest.mark.parametrize("change", [interleaved_to_half, half_to_interleaved])
@pytest.mark.parametrize("features", [0, 2, 4, 8])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.int64, torch.bool, torch.complex64])
def test_the_result_is_new_and_of_the_same_dtype(change, features, dtype):
    x = torch.ones(3, features, dtype=dtype)
    result = change(x)
    assert result.dtype == dtype
    assert torch.equal(result, x)
    result.zero_()
    assert (x == 1).all()


@pytest.mark.parametrize("change", [interleaved_to_half, half_to_interleaved])
def test_gradients(change):
    x = torch.ones(3, 4, 2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: change(x, dim=1), x)


def test_reordered_weights_change_the_layout_of_a_model():
    """Query and key weights and biases, head by head: the scores stay, in the other layout."""
    heads, dim, width = 3, 8, 16
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(2, 5, width, generator=generator, dtype=torch.float64)
    tables = rotary_cos_sin(5, dim, dtype=torch.float64)

    def scores(projections, interleaved):
        q, k = (p(x).unflatten(-1, (heads, dim)) for p in projections)
        q, k = (apply_rotary(t, *tables, interleaved=interleaved, seq_dim=-3) for t in (q, k))
        return torch.einsum("bqhd,bkhd->bhqk", q, k)

    first = [nn.Linear(width, heads * dim, dtype=torch.float64) for _ in range(2)]
    second = [nn.Linear(width, heads * dim, dtype=torch.float64) for _ in range(2)]
    with torch.no_grad():
        for old, new in zip(first, second, strict=True):
            for name in ("weight", "bias"):
                by_head = getattr(old, name).unflatten(0, (heads, dim))
                reordered = interleaved_to_half(by_head, dim=1).flatten(0, 1)
                getattr(new, name).copy_(reordered)
                back = half_to_interleaved(
                    reordered.unflatten(0, (heads, dim)), dim=-by_head.ndim + 1
                )
                assert torch.equal(back, by_head)
    torch.testing.assert_close(scores(second, False), scores(first, True))
    assert not torch.allclose(scores(first, False), scores(first, True))

"""LearnedPositionalEmbedding: rows of a trained table, and a limit that is said plainly."""

import copy
import pickle

import pytest
import torch
from torch import nn

from pe_lib import LearnedPositionalEmbedding, available_devices
from tests.helpers import FLOATS, compiled, randn


@pytest.fixture
def embedding():
    torch.manual_seed(0)
    return LearnedPositionalEmbedding(10, 3)


@pytest.fixture
def x():
    return randn(2, 4, 3, dtype=torch.float32)


@pytest.mark.parametrize("shape", [(4, 3), (2, 4, 3), (2, 5, 4, 3), (2, 0, 3), (10, 3)])
def test_adds_the_rows(embedding, shape):
    x = randn(*shape, dtype=torch.float32)
    assert torch.equal(embedding(x), x + embedding.weight[: shape[-2]])


def test_offset_is_the_position_of_the_first_vector(embedding, x):
    assert torch.equal(embedding(x, 6), x + embedding.weight[6:])
    steps = [embedding(x[:, t : t + 1], offset=t) for t in range(4)]
    assert torch.equal(torch.cat(steps, dim=1), embedding(x))


@pytest.mark.parametrize(("offset", "length"), [(7, 11), (10, 14), (100, 104)])
def test_past_the_limit_it_says_limit_and_length(embedding, x, offset, length):
    with pytest.raises(ValueError) as caught:
        embedding(x, offset)
    assert str(caught.value) == (
        f"x: expected positions below max_len = 10, got length {length} (offset {offset} + seq 4)"
    )


def test_starts_small_and_can_start_anew():
    torch.manual_seed(0)
    embedding = LearnedPositionalEmbedding(500, 64)
    first = embedding.weight.detach().clone()
    assert first.std().item() == pytest.approx(0.02, rel=0.02)
    assert abs(first.mean().item()) < 1e-3
    embedding.reset_parameters()
    assert not torch.equal(embedding.weight, first)


def test_loads_the_table_of_an_embedding(embedding):
    table = nn.Embedding(10, 3)
    embedding.load_state_dict(table.state_dict())
    assert torch.equal(embedding.weight, table.weight)
    assert embedding.weight.requires_grad


def test_gradients_reach_the_rows_used_and_no_others(embedding, x):
    x.requires_grad_()
    embedding(x, 2).sum().backward()
    assert torch.equal(x.grad, torch.ones_like(x))
    used = torch.zeros(10, 3)
    used[2:6] = 2  # twice: once for each sequence of the batch
    assert torch.equal(embedding.weight.grad, used)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("weight_dtype", FLOATS, ids=str)
def test_keeps_the_dtype_of_x_and_rounds_once(embedding, x, dtype, weight_dtype):
    embedding.to(weight_dtype)
    result = embedding(x.to(dtype))
    assert result.dtype == dtype
    exact = x.to(dtype).double() + embedding.weight[:4].double()
    torch.testing.assert_close(result, exact.to(dtype), rtol=0, atol=2**-22)


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_moves_with_the_model(embedding, x, device):
    result = embedding.to(device)(x.to(device))
    assert result.device.type == device
    assert result.shape == x.shape


def test_autocast_and_copies_change_nothing(embedding, x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert torch.equal(embedding(x), x + embedding.weight[:4])
    for other in (copy.deepcopy(embedding), pickle.loads(pickle.dumps(embedding))):
        assert torch.equal(other(x, 3), embedding(x, 3))
    assert repr(embedding) == "LearnedPositionalEmbedding(max_len=10, dim=3)"


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("fullgraph", "error"),
    [
        (False, ValueError),
        pytest.param(
            True,
            RuntimeError,
            marks=pytest.mark.skipif(
                torch.__version__.startswith("2.5."),
                reason="torch 2.5 does not quote the error that ends a compilation",
            ),
        ),
    ],
)
def test_too_long_is_refused_compiled_too(fullgraph, error):
    embedding = LearnedPositionalEmbedding(10, 8)
    fast = compiled(embedding, fullgraph=fullgraph)
    for length in (5, 10):
        fast(torch.zeros(1, length, 8))
    with pytest.raises(error, match="expected positions below max_len"):
        fast(torch.zeros(1, 11, 8))

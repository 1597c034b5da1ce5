"""Shaw et al.: the paper's score and output, without a vector for each pair."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import ShawRelativePosition
from tests.helpers import F64

DIM = 6


def module(max_distance, seed=0):
    torch.manual_seed(seed)
    return ShawRelativePosition(DIM, max_distance).double()


def clip(distance, k):
    return max(-k, min(k, distance))


def equations_3_and_4(shaw, q, k, v):
    """Number by number, for one head: the output and the weights."""
    n, most = k.shape[0], shaw.max_distance
    first = n - q.shape[0]
    output = torch.zeros_like(q)
    weights = torch.zeros(len(q), n, dtype=F64)
    for i in range(len(q)):
        rows = [clip(j - (first + i), most) + most for j in range(n)]
        score = torch.stack([q[i] @ (k[j] + shaw.key_table[rows[j]]) / DIM**0.5 for j in range(n)])
        weights[i] = score.softmax(-1)
        for j in range(n):
            output[i] += weights[i, j] * (v[j] + shaw.value_table[rows[j]])
    return output, weights


@pytest.mark.parametrize("max_distance", [0, 1, 3, 20])
@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (5, 5), (1, 7), (3, 7), (7, 3)])
@torch.no_grad()
def test_equations_3_and_4(max_distance, q_len, k_len):
    shaw = module(max_distance)
    shaw.key_table.normal_()
    shaw.value_table.normal_()
    q = torch.randn(2, 3, q_len, DIM, dtype=F64)
    k, v = torch.randn(2, 2, 3, k_len, DIM, dtype=F64)
    weights = ((q @ k.mT + shaw(q, k_len)) / DIM**0.5).softmax(-1)
    output = weights @ v + shaw.value_term(weights)
    for batch in range(2):
        for head in range(3):
            expected, its_weights = equations_3_and_4(
                shaw, q[batch, head], k[batch, head], v[batch, head]
            )
            torch.testing.assert_close(weights[batch, head], its_weights, rtol=0, atol=1e-13)
            torch.testing.assert_close(output[batch, head], expected, rtol=0, atol=1e-13)


@given(st.integers(1, 12), st.integers(0, 12), st.integers(0, 8))
@torch.no_grad()
def test_cached_decoding_sees_the_last_rows(q_len, cached, max_distance):
    shaw = module(max_distance)
    q = torch.randn(q_len + cached, DIM, dtype=F64)
    weights = torch.rand(q_len + cached, q_len + cached, dtype=F64)
    torch.testing.assert_close(shaw(q[cached:], q_len + cached), shaw(q)[cached:])
    last = shaw.value_term(weights[cached:])
    torch.testing.assert_close(last, shaw.value_term(weights)[cached:])


def test_as_many_keys_as_queries_by_default():
    q = torch.randn(4, DIM, dtype=F64)
    shaw = module(2)
    assert torch.equal(shaw(q), shaw(q, 4))


def test_beyond_the_largest_distance_all_are_alike():
    score = module(2)(torch.randn(9, DIM, dtype=F64))
    assert (score[8, :7] == score[8, 0]).all()
    assert score[8, 6] != score[8, 7]
    assert (score[0, 2:] == score[0, 8]).all()
    assert score[0, 1] != score[0, 2]


def test_no_tensor_with_a_vector_for_each_pair(monkeypatch):
    """The largest tensor that either makes is (heads, q_len, k_len)."""
    largest = 0

    class Watch(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            nonlocal largest
            result = function(*args, **(kwargs or {}))
            if isinstance(result, torch.Tensor):
                largest = max(largest, result.untyped_storage().nbytes() // result.itemsize)
            return result

    shaw = ShawRelativePosition(64, 4)
    q, weights = torch.randn(2, 50, 64), torch.rand(2, 50, 50)
    with Watch(), torch.no_grad():
        shaw(q)
        shaw.value_term(weights)
    assert largest == 2 * 50 * 64  # q itself; (2, 50, 50, 64) would be 50 times as large


def test_two_tables_of_small_vectors():
    torch.manual_seed(0)
    shaw = ShawRelativePosition(64, 16)
    assert [(name, p.shape) for name, p in shaw.named_parameters()] == [
        ("key_table", (33, 64)),
        ("value_table", (33, 64)),
    ]
    for table in shaw.parameters():
        assert table.std().item() == pytest.approx(0.02, rel=0.05)
    assert not torch.equal(shaw.key_table, shaw.value_table)


def test_gradients_are_right():
    shaw = module(2)
    q = torch.randn(2, 3, DIM, dtype=F64, requires_grad=True)
    weights = torch.rand(2, 3, 5, dtype=F64, requires_grad=True)

    def both(q, weights, key_table, value_table):
        tables = {"key_table": key_table, "value_table": value_table}
        score = torch.func.functional_call(shaw, tables, (q, 5))

        class Values(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.shaw = shaw

            def forward(self, weights):
                return self.shaw.value_term(weights)

        named = {f"shaw.{name}": table for name, table in tables.items()}
        return score, torch.func.functional_call(Values(), named, (weights,))

    assert torch.autograd.gradcheck(both, (q, weights, shaw.key_table, shaw.value_table))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_many_weights_of_one_distance_are_added_up_exactly(dtype):
    """4096 weights of 1/4096 fall on one row of the table: in bfloat16 the sum would stop early."""
    shaw = ShawRelativePosition(2, 1)
    weights = torch.full((1, 4096), 1 / 4096, dtype=dtype)
    with torch.no_grad():
        shaw.value_table.fill_(1.0)
        result = shaw.value_term(weights)
    assert result.dtype == dtype
    assert result.tolist() == [[1.0, 1.0]]

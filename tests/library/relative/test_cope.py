"""CoPE: gates counted from the key to the query, embeddings between whole positions."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from pe_lib import ContextualPosition
from tests.helpers import F64

DIM = 5


def module(max_positions):
    torch.manual_seed(0)
    cope = ContextualPosition(DIM, max_positions).double()
    nn.init.normal_(cope.weight)
    return cope


def queries_and_scores(q_len, k_len, *batch):
    torch.manual_seed(1)
    q = torch.randn(*batch, q_len, DIM, dtype=F64)
    return q, torch.randn(*batch, q_len, k_len, dtype=F64) * 2


def equations(cope, q, scores):
    """Equations 3 to 5, number by number: gates, their sums, embeddings between two rows."""
    q_len, k_len = scores.shape
    most = len(cope.weight) - 1
    term = torch.zeros_like(scores)
    for i in range(q_len):
        here = k_len - q_len + i
        for j in range(k_len):
            gates = [1 / (1 + math.exp(-scores[i, t])) for t in range(j, here + 1)]
            position = min(math.fsum(gates), most)
            below, above = math.floor(position), math.ceil(position)
            share = position - below
            term[i, j] = q[i] @ (share * cope.weight[above] + (1 - share) * cope.weight[below])
    return term


@pytest.mark.parametrize("max_positions", [1, 2, 3, 20])
@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (5, 5), (1, 7), (3, 7), (7, 3)])
@torch.no_grad()
def test_the_equations(max_positions, q_len, k_len):
    cope = module(max_positions)
    q, scores = queries_and_scores(q_len, k_len, 2, 3)
    term = cope(q, scores)
    assert term.shape == scores.shape
    for batch in range(2):
        for head in range(3):
            expected = equations(cope, q[batch, head], scores[batch, head])
            torch.testing.assert_close(term[batch, head], expected, rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # x-transformers' own
@pytest.mark.parametrize("max_positions", [2, 4, 30])
@pytest.mark.parametrize(("q_len", "k_len"), [(6, 6), (2, 6), (1, 6)])
@torch.no_grad()
def test_equal_to_x_transformers(max_positions, q_len, k_len):
    """It counts what lies ahead too, unless those scores are -inf."""
    from x_transformers.x_transformers import CoPE

    ours = module(max_positions)
    theirs = CoPE(DIM, heads=3, max_pos=max_positions).double()
    theirs.pos_emb.copy_(ours.weight)
    q, scores = queries_and_scores(q_len, k_len, 2, 3)
    ahead = torch.ones(q_len, k_len).triu(k_len - q_len + 1).bool()
    scores = scores.masked_fill(ahead, -math.inf)
    torch.testing.assert_close(ours(q, scores), theirs(q, scores), rtol=0, atol=1e-12)


@torch.no_grad()
def test_gates_of_1_count_tokens():
    """Then the position is the distance plus 1, up to the last that there is."""
    cope = module(4)
    q, scores = queries_and_scores(5, 5)
    term = cope(q, torch.full_like(scores, 100.0))
    by_position = q @ cope.weight.T
    for i in range(5):
        for j in range(i + 1):
            assert term[i, j].item() == pytest.approx(by_position[i, min(i - j + 1, 3)].item())


@torch.no_grad()
def test_only_words_that_the_query_wants_counted_count():
    """Gates of 1 for keys 1 and 3, of 0 for the others: position = how many of the two."""
    cope = module(4)
    q = torch.randn(1, DIM, dtype=F64)
    scores = torch.tensor([[-100.0, 100.0, -100.0, 100.0, -100.0]], dtype=F64)
    expected = (q @ cope.weight.T)[0, [2, 2, 1, 1, 0]]
    torch.testing.assert_close(cope(q, scores)[0], expected)


@torch.no_grad()
def test_a_masked_key_does_not_count():
    cope = module(9)
    q, scores = queries_and_scores(1, 7)
    masked = scores.clone()
    masked[:, [2, 4]] = -math.inf
    others = [0, 1, 3, 5, 6]
    torch.testing.assert_close(cope(q, masked)[:, others], cope(q, scores[:, others]))
    assert cope(q, masked).isfinite().all()


@torch.no_grad()
def test_nan_stays_nan_and_is_no_index():
    """A training that goes wrong says so in its loss, not by an error about an index."""
    cope = module(4)
    q, scores = queries_and_scores(2, 5)
    broken = scores.clone()
    broken[0, 2] = math.nan
    term = cope(q, broken)
    assert term[0, :3].isnan().all()  # the keys whose sums hold it
    assert torch.equal(term[0, 3:], cope(q, scores)[0, 3:])
    assert torch.equal(term[1], cope(q, scores)[1])


@given(st.integers(1, 6), st.integers(0, 6), st.integers(0, 6))
@torch.no_grad()
def test_padding_before_a_text_changes_nothing(q_len, cached, padding):
    """Sums start at the key, so that what stands before it does not count."""
    cope = module(5)
    q, scores = queries_and_scores(q_len, q_len + cached + padding)
    alone = cope(q, scores[:, padding:])
    torch.testing.assert_close(cope(q, scores)[:, padding:], alone, rtol=0, atol=1e-12)


@torch.no_grad()
def test_what_lies_ahead_never_counts():
    cope = module(5)
    q, scores = queries_and_scores(4, 6)
    other = scores.clone()
    ahead = torch.ones(4, 6).triu(3).bool()
    other[ahead] = 50.0
    assert torch.equal(cope(q, scores), cope(q, other))
    at_zero = (q @ cope.weight[0])[:, None].expand(4, 6)
    torch.testing.assert_close(cope(q, scores)[ahead], at_zero[ahead])


@given(st.integers(1, 8), st.integers(0, 12))
@torch.no_grad()
def test_cached_decoding_sees_the_last_rows(q_len, cached):
    cope = module(6)
    q, scores = queries_and_scores(q_len + cached, q_len + cached)
    last = cope(q[cached:], scores[cached:])
    torch.testing.assert_close(last, cope(q, scores)[cached:], rtol=0, atol=1e-12)


def test_nothing_at_first():
    cope = ContextualPosition(DIM, 7)
    assert cope.weight.shape == (7, DIM)
    q, scores = queries_and_scores(3, 3)
    assert not cope(q, scores).any()
    cope(q, scores).sum().backward()
    assert cope.weight.grad.abs().sum() > 0  # and it can be learned


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@torch.no_grad()
def test_half_precision_counts_past_256(dtype):
    """Gates of 1 in bfloat16: a sum in bfloat16 would stop at 256."""
    cope = ContextualPosition(1, 2000).to(dtype)
    cope.weight[1000] = 1.0
    term = cope(torch.ones(1, 1, dtype=dtype), torch.full((1, 1500), 100.0, dtype=dtype))
    assert term.dtype == dtype
    assert term[0].nonzero().tolist() == [[500]]  # 1000 keys from it to the query, both counted


def test_gradients_are_right():
    cope = module(4)
    q, scores = (x.requires_grad_() for x in queries_and_scores(3, 5))

    def call(q, scores, weight):
        return torch.func.functional_call(cope, {"weight": weight}, (q, scores))

    assert torch.autograd.gradcheck(call, (q, scores, cope.weight))


def test_no_gradient_is_lost_or_nan_where_keys_are_masked():
    cope = module(4)
    q, scores = queries_and_scores(3, 5)
    scores[:, 1] = -math.inf
    scores.requires_grad_()
    cope(q, scores).sum().backward()
    assert scores.grad.isfinite().all()
    assert (scores.grad[:, 1] == 0).all()
    assert (scores.grad[2, 2:] != 0).any()

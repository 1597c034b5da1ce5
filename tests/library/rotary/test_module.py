"""RotaryPositionalEmbedding: queries and keys as apply_rotary turns them."""

import pytest
import torch

from pe_lib import (
    DynamicNTKScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NTKScaling,
    ProportionalScaling,
    RotaryPositionalEmbedding,
    YarnScaling,
    apply_rotary,
    available_devices,
    rotary_cos_sin,
)
from tests.helpers import FLOATS, compiled, randn

DIM, SEQ = 16, 12
# The trained length is 8: the texts here are longer.
SCALINGS = [
    None,
    LinearScaling(2.0),
    NTKScaling(4.0),
    DynamicNTKScaling(2.0, 8),
    YarnScaling(4.0, 8),
    LongRopeScaling([1.0] * 8, [2.0] * 8, 8, factor=4.0),
    Llama3Scaling(8.0, 1.0, 4.0, 8),
    ProportionalScaling(0.5),
]


def heads(*shape, seed=0, dtype=torch.float32):
    """Queries of 4 heads, keys of 2: (batch, heads, seq, head_dim)."""
    batch, seq, dim = shape
    return (
        randn(batch, 4, seq, dim, seed=seed, dtype=dtype),
        randn(batch, 2, seq, dim, seed=seed + 1, dtype=dtype),
    )


def both(q, k, tables, **options):
    return apply_rotary(q, *tables, **options), apply_rotary(k, *tables, **options)


def assert_same(ours, expected):
    for a, b in zip(ours, expected, strict=True):
        assert a.dtype == b.dtype
        assert torch.equal(a, b)


@pytest.mark.parametrize("interleaved", [False, True])
@pytest.mark.parametrize("scaling", SCALINGS, ids=lambda scaling: type(scaling).__name__)
@pytest.mark.parametrize("seq_len", [None, 8, 9, 100])
def test_as_apply_rotary(scaling, interleaved, seq_len):
    q, k = heads(2, SEQ, DIM)
    rotary = RotaryPositionalEmbedding(DIM, 500.0, scaling=scaling, interleaved=interleaved)
    tables = rotary_cos_sin(SEQ, DIM, 500.0, scaling=scaling, seq_len=seq_len)
    expected = both(q, k, tables, interleaved=interleaved)
    assert_same(rotary(q, k, seq_len=seq_len), expected)


def test_written_out():
    """Position 3, theta 100: the pair (0, 2) turns by 3 radians, (1, 3) by 0.3."""
    x = torch.tensor([[[1.0, 2.0, 0.0, 0.0]]], dtype=torch.float64)
    q, k = RotaryPositionalEmbedding(4, 100.0)(x, 2 * x, offset=3)
    a, b = torch.tensor([3.0, 0.3], dtype=torch.float64)
    expected = torch.stack([a.cos(), 2 * b.cos(), a.sin(), 2 * b.sin()])
    torch.testing.assert_close(q[0, 0], expected, rtol=0, atol=1e-15)
    torch.testing.assert_close(k, 2 * q, rtol=0, atol=1e-15)


@pytest.mark.parametrize("scaling", [None, YarnScaling(4.0, 8)], ids=str)
def test_token_by_token_equals_the_whole(scaling):
    q, k = heads(2, SEQ, DIM)
    rotary = RotaryPositionalEmbedding(DIM, scaling=scaling)
    steps = [rotary(q[..., [i], :], k[..., [i], :], offset=i) for i in range(SEQ)]
    whole = rotary(q, k)
    assert_same((torch.cat(x, dim=-2) for x in zip(*steps, strict=True)), whole)


def test_the_score_sees_only_the_distance():
    q, k = heads(1, SEQ, DIM, dtype=torch.float64)
    rotary = RotaryPositionalEmbedding(DIM)

    def scores(offset):
        turned_q, turned_k = rotary(q, k, offset=offset)
        return turned_q[:, :2] @ turned_k.mT

    torch.testing.assert_close(scores(0), scores(-5), rtol=0, atol=1e-12)
    torch.testing.assert_close(scores(0), scores(100_000), rtol=0, atol=1e-9)


def test_positions_in_place_of_an_offset():
    q, k = heads(2, SEQ, DIM)
    rotary = RotaryPositionalEmbedding(DIM)
    assert_same(rotary(q, k, positions=torch.arange(SEQ) + 7), rotary(q, k, offset=7))
    one = (torch.arange(SEQ) + 7)[None]  # (1, seq), as Hugging Face's position_ids
    assert_same(rotary(q, k, positions=one), rotary(q, k, offset=7))
    backwards = torch.arange(SEQ).flip(0)
    expected = rotary(q.flip(-2), k.flip(-2))
    assert_same(rotary(q, k, positions=backwards), [x.flip(-2) for x in expected])


def test_left_padding():
    """Each sequence counts from its own first token."""
    q, k = heads(2, SEQ, DIM)
    rotary = RotaryPositionalEmbedding(DIM)
    pads = torch.tensor([0, 5])
    positions = torch.arange(SEQ) - pads[:, None]
    turned = rotary(q, k, positions=positions)
    for row, pad in enumerate(pads.tolist()):
        alone = rotary(q[row, :, pad:], k[row, :, pad:])
        assert_same([x[row, :, pad:] for x in turned], alone)


def test_the_first_features_only():
    q, k = heads(2, SEQ, 24)
    turned = RotaryPositionalEmbedding(DIM)(q, k)
    assert_same([x[..., DIM:] for x in turned], [x[..., DIM:] for x in (q, k)])
    whole = RotaryPositionalEmbedding(DIM)(q[..., :DIM], k[..., :DIM])
    assert_same([x[..., :DIM] for x in turned], whole)


def test_queries_and_keys_without_a_batch():
    q, k = heads(1, SEQ, DIM)
    rotary = RotaryPositionalEmbedding(DIM)
    assert_same(rotary(q[0], k[0]), [x[0] for x in rotary(q, k)])


@pytest.mark.parametrize("k_dtype", FLOATS, ids=str)
@pytest.mark.parametrize("q_dtype", FLOATS, ids=str)
def test_dtypes_and_rounding(q_dtype, k_dtype):
    """Float64 is rotated by tables of float64; half precision is rounded once."""
    q, k = (x.to(dtype) for x, dtype in zip(heads(1, SEQ, DIM), (q_dtype, k_dtype), strict=True))
    ours = RotaryPositionalEmbedding(DIM)(q, k, offset=100_000)
    positions = torch.arange(SEQ) + 100_000
    exact = rotary_cos_sin(positions, DIM, dtype=torch.float64)
    for x, turned in zip((q, k), ours, strict=True):
        assert turned.dtype == x.dtype
        expected = apply_rotary(x.double(), *exact)
        size = expected.abs().max().item()
        step = max(torch.finfo(x.dtype).eps, 2e-7) if x.dtype != torch.float64 else 1e-15
        torch.testing.assert_close(turned.double(), expected, rtol=0, atol=size * step)


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_the_result_is_where_the_queries_are(device):
    q, k = (x.to(device) for x in heads(2, SEQ, DIM))
    for x, turned in zip((q, k), RotaryPositionalEmbedding(DIM).to(device)(q, k), strict=True):
        assert turned.device == x.device
        assert turned.shape == x.shape
        assert turned.dtype == x.dtype


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize("scaling", [YarnScaling(4.0, 8)], ids=str)
def test_compiles_whole_and_for_other_lengths(scaling):
    rotary = RotaryPositionalEmbedding(DIM, scaling=scaling)
    fast = compiled(rotary)
    for length in (3, 7, SEQ):
        q, k = heads(2, length, DIM)
        for a, b in zip(fast(q, k, offset=5), rotary(q, k, offset=5), strict=True):
            torch.testing.assert_close(a, b)
        positions = torch.arange(length)[None] - torch.tensor([[0], [2]])
        ours, expected = (f(q, k, positions=positions) for f in (fast, rotary))
        for a, b in zip(ours, expected, strict=True):
            torch.testing.assert_close(a, b)


def test_offset_beside_positions_is_refused():
    q, k = heads(2, SEQ, DIM)
    with pytest.raises(ValueError) as caught:
        RotaryPositionalEmbedding(DIM)(q, k, torch.arange(SEQ), offset=3)
    assert str(caught.value) == "offset: expected 0 beside positions, got 3"


def test_gradients_pass():
    q, k = (x.requires_grad_() for x in heads(1, 3, 4, dtype=torch.float64))
    assert torch.autograd.gradcheck(RotaryPositionalEmbedding(4), (q, k))

"""Rotations of queries and keys: written out, in both layouts, every dtype and shape."""

import pytest
import torch

from pe_lib import apply_rotary, rotary_cos_sin, rotate_half
from tests.helpers import F64, randn

LAYOUTS = pytest.mark.parametrize("interleaved", [False, True], ids=["half", "interleaved"])


def table(positions, dim, theta=10_000.0):
    return rotary_cos_sin(positions, dim, theta, dtype=F64)


def rotated(x, positions, interleaved=False, theta=10_000.0):
    return apply_rotary(x, *table(positions, x.shape[-1], theta), interleaved=interleaved)


# One query and one key of 6 features, at positions 1 and 3; computed with mpmath at 40 digits.
Q = torch.tensor([0.5, 1.0, -0.5, 0.8, -1.2, 0.3], dtype=F64)
K = torch.tensor([-0.7, 0.9, 0.4, -0.6, 1.1, -0.2], dtype=F64)
ROTATED = {
    False: (
        [-0.403025635, 1.054602044, -0.500645170, 0.852977337, -1.152308348, 0.298922087],
        [0.777666752, 0.738610718, 0.401284297, 0.495211492, 1.214271060, -0.197410519],
    ),
    True: (
        [-0.571319832, 0.961037798, -0.536580867, 0.775938769, -1.200643545, 0.297413984],
        [0.565986740, -0.989777253, 0.479407140, -0.538673179, 1.101269676, -0.192886238],
    ),
}  # fmt: skip
SCORES = {  # by the key's position less the query's
    False: {-4: 0.075236206, -3: 0.484906306, -2: 0.105626599, -1: -0.808108286,
            0: -1.51, 1: -1.447887635, 2: -0.771201172, 3: -0.193377288, 4: -0.335732226},
    True: {-4: -3.282556683, -3: -2.438954770, -2: -1.242489748, -1: -0.795528404,
           0: -1.51, 1: -2.728667902, 2: -3.329390296, 3: -2.756815478, 4: -1.532975821},
}  # fmt: skip


@LAYOUTS
def test_rotations_written_out(interleaved):
    pair = rotated(torch.stack((Q, K)), torch.tensor([1, 3]), interleaved)
    for result, expected in zip(pair.tolist(), ROTATED[interleaved], strict=True):
        assert result == pytest.approx(expected, rel=0, abs=1e-9)


@LAYOUTS
@pytest.mark.parametrize("first", [0, 1, 10, 1000])
def test_scores_written_out(interleaved, first):
    for offset, expected in SCORES[interleaved].items():
        positions = torch.tensor([first, first + offset])
        q, k = rotated(torch.stack((Q, K)), positions, interleaved)
        assert (q @ k).item() == pytest.approx(expected, rel=0, abs=1e-9)


@LAYOUTS
@pytest.mark.parametrize(
    ("dtype", "digits"), [(torch.bfloat16, 8), (torch.float16, 11)], ids=["bfloat16", "float16"]
)
def test_half_precision_is_rounded_once(interleaved, dtype, digits):
    """At position 100,000: float32 adds to the last rounding at most 2^-22 of a pair's length."""
    x, positions = randn(4, 64, 128, dtype=dtype), torch.arange(100_000, 100_064)
    tables = {t: rotary_cos_sin(positions, 128, dtype=t) for t in (F64, torch.float32, dtype)}
    results = {t: apply_rotary(x, *tables[t], interleaved=interleaved) for t in tables}
    exact = apply_rotary(x.double(), *tables[F64], interleaved=interleaved)
    turned = rotate_half(x.double(), interleaved=interleaved)
    unit = torch.ldexp(torch.ones_like(exact), exact.frexp().exponent - digits)
    bound = unit / 2 + 2**-22 * torch.hypot(x.double(), turned)
    assert all(result.dtype == dtype for result in results.values())
    assert torch.equal(results[F64], exact.to(dtype))
    assert ((results[torch.float32].double() - exact).abs() <= bound).all()
    assert (results[torch.float32] == exact.to(dtype)).double().mean() > 0.999
    # The bound is one that tables in half precision miss.
    assert ((results[dtype].double() - exact).abs() > 3 * bound).any()


@LAYOUTS
@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("tables", ["float16", "float32", "float64"])
def test_the_result_has_the_dtype_of_x(interleaved, name, tables):
    x = randn(3, 8, dtype=getattr(torch, name))
    cos, sin = rotary_cos_sin(3, 8, dtype=getattr(torch, tables))
    result = apply_rotary(x, cos, sin, interleaved=interleaved)
    assert result.dtype == x.dtype
    wide = F64 if "float64" in (name, tables) else torch.float32
    expected = apply_rotary(x.to(wide), cos.to(wide), sin.to(wide), interleaved=interleaved)
    assert torch.equal(result, expected.to(x.dtype))


@LAYOUTS
def test_heads_share_the_rows_of_their_sequence(interleaved):
    x = randn(2, 3, 5, 8)  # (batch, heads, seq, dim)
    positions = torch.tensor([[0, 1, 2, 3, 4], [7, 8, 0, 1, 2]])
    result = rotated(x, positions, interleaved)
    for b in range(2):
        for h in range(3):
            assert torch.equal(result[b, h], rotated(x[b, h], positions[b], interleaved))
    cos, sin = table(positions, 8)
    other = apply_rotary(x.transpose(1, 2), cos, sin, interleaved=interleaved, seq_dim=-3)
    assert torch.equal(other, result.transpose(1, 2))
    assert torch.equal(rotated(x[:, 0], positions, interleaved), result[:, 0])
    # One row of tables for the whole batch, with or without axes of length 1.
    for same in (positions[0], positions[:1], positions[None, :1]):
        assert torch.equal(
            rotated(x, same, interleaved), rotated(x, positions[:1].expand(2, 5), interleaved)
        )
    # A table of its own for every head.
    own = torch.arange(30.0).reshape(2, 3, 5)
    assert torch.equal(rotated(x, own, interleaved)[1, 2], rotated(x[1, 2], own[1, 2], interleaved))


def test_three_axes_before_the_positions():
    x, positions = randn(2, 3, 4, 5, 8), torch.arange(10).reshape(2, 5)
    result = rotated(x, positions)
    assert torch.equal(result[1, 2, 3], rotated(x[1, 2, 3], positions[1]))
    cos, sin = table(positions, 8)
    assert torch.equal(
        apply_rotary(x.transpose(-2, -3), cos, sin, seq_dim=-3), result.transpose(-2, -3)
    )


@LAYOUTS
@pytest.mark.parametrize("seq_dim", [-2, -3])
def test_a_narrow_table_rotates_the_first_features(interleaved, seq_dim):
    x = randn(2, 5, 5, 9)
    cos, sin = table(torch.arange(3, 8), 6)
    result = apply_rotary(x, cos, sin, interleaved=interleaved, seq_dim=seq_dim)
    assert torch.equal(result[..., 6:], x[..., 6:])
    first = apply_rotary(x[..., :6], cos, sin, interleaved=interleaved, seq_dim=seq_dim)
    assert torch.equal(result[..., :6], first)
    nothing = apply_rotary(x, cos[:, :0], sin[:, :0], interleaved=interleaved, seq_dim=seq_dim)
    assert torch.equal(nothing, x)


@LAYOUTS
@pytest.mark.parametrize("shape", [(0, 8), (2, 0, 8), (0, 3, 5, 8), (2, 0, 5, 8)])
def test_nothing_to_rotate(interleaved, shape):
    x = torch.zeros(shape)
    assert apply_rotary(x, *rotary_cos_sin(shape[-2], 8), interleaved=interleaved).shape == shape


def test_rotate_half():
    x = torch.arange(1.0, 7.0)
    assert rotate_half(x).tolist() == [-4, -5, -6, 1, 2, 3]
    assert rotate_half(x, interleaved=True).tolist() == [-2, 1, -4, 3, -6, 5]
    for dtype in (torch.float16, torch.bfloat16, F64):
        assert rotate_half(randn(2, 3, 8, dtype=dtype)).dtype == dtype

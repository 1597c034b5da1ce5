"""What holds for every rotation: offsets in the scores, lengths, sums of turns, the two layouts."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import apply_rotary, interleaved_to_half, rotary_cos_sin, rotate_half
from tests.helpers import F64, randn

DIMS = st.integers(1, 20).map(lambda pairs: 2 * pairs)
THETAS = st.floats(1.5, 1e8)
REALS = st.floats(-1e4, 1e4)
SEEDS = st.integers(0, 2**31)


def turn(x, position, interleaved, theta=10_000.0):
    positions = torch.full((x.shape[0],), position, dtype=F64)
    cos, sin = rotary_cos_sin(positions, x.shape[-1], theta, dtype=F64)
    return apply_rotary(x, cos, sin, interleaved=interleaved)


def close(a, b, size=1.0):
    """Equal to within the rounding of float64 angles of this size."""
    torch.testing.assert_close(a, b, rtol=0, atol=1e-12 + 1e-13 * abs(size))


@given(DIMS, THETAS, REALS, REALS, SEEDS, st.booleans())
def test_the_score_sees_only_the_offset(dim, theta, position, offset, seed, interleaved):
    q, k = randn(2, 1, dim, seed=seed)
    here = turn(q, position, interleaved, theta) @ turn(k, position + offset, interleaved, theta).T
    start = q @ turn(k, offset, interleaved, theta).T
    close(here, start, size=dim * (abs(position) + abs(offset)))


@given(DIMS, THETAS, REALS, SEEDS, st.booleans())
def test_lengths_stay_and_the_way_back_leads_back(dim, theta, position, seed, interleaved):
    x = randn(3, dim, seed=seed)
    there = turn(x, position, interleaved, theta)
    close(there.norm(dim=-1), x.norm(dim=-1))
    close(turn(there, -position, interleaved, theta), x)


@given(DIMS, THETAS, REALS, REALS, SEEDS, st.booleans())
def test_turns_add_up(dim, theta, a, b, seed, interleaved):
    x = randn(3, dim, seed=seed)
    both = turn(turn(x, a, interleaved, theta), b, interleaved, theta)
    close(both, turn(x, a + b, interleaved, theta), size=abs(a) + abs(b))


@given(DIMS, REALS, SEEDS)
def test_layouts_are_one_rotation_in_two_orders(dim, position, seed):
    x = randn(3, dim, seed=seed)
    close(
        interleaved_to_half(turn(x, position, True)), turn(interleaved_to_half(x), position, False)
    )


@given(DIMS, REALS, SEEDS, st.booleans())
def test_a_rotation_is_cosine_and_a_quarter_turn_times_sine(dim, position, seed, interleaved):
    x = randn(1, dim, seed=seed)
    wide = [
        t.repeat_interleave(2, dim=-1) if interleaved else torch.cat((t, t), dim=-1)
        for t in rotary_cos_sin(torch.tensor([position], dtype=F64), dim, dtype=F64)
    ]
    by_hand = x * wide[0] + rotate_half(x, interleaved=interleaved) * wide[1]
    close(turn(x, position, interleaved), by_hand)
    assert torch.equal(
        rotate_half(rotate_half(x, interleaved=interleaved), interleaved=interleaved), -x
    )

"""Rotation by any number of coordinates."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import apply_rotary, available_devices, nd_rotary_cos_sin, rotary_cos_sin
from tests.helpers import F64, FLOATS, compiled, exact_frequencies, randn

DIMS = st.lists(st.integers(1, 8).map(lambda pairs: 2 * pairs), min_size=1, max_size=4)
THETAS = st.floats(1.5, 1e6)


def coordinates_of(axes, *shape, seed=0):
    return 30 * randn(*shape, axes, seed=seed)


@pytest.mark.parametrize("theta", [100, 10_000])
def test_exact(theta):
    """Against 40 digits; the angle's rounding grows with the coordinate."""
    places, dims = (5, -4096, 1_000_003.25), (2, 8, 6)
    cos, sin = nd_rotary_cos_sin(torch.tensor(places, dtype=F64), dims, theta, dtype=F64)
    column = 0
    with mp.workdps(40):
        for place, dim in zip(places, dims, strict=True):
            for frequency in exact_frequencies(dim, theta):
                angle = mpf(place) * frequency
                limit = 2e-16 * max(abs(angle), 1)
                assert abs(mp.cos(angle) - cos[column].item()) <= limit
                assert abs(mp.sin(angle) - sin[column].item()) <= limit
                column += 1
    assert cos.shape == sin.shape == (column,) == (8,)


def test_angles_written_out():
    """Two pairs for the first axis, one for the second, three for the third."""
    cos, sin = nd_rotary_cos_sin(torch.tensor([[1.0, 0.5, -2.0]]), (4, 2, 6), 1000, dtype=F64)
    angles = torch.tensor([[1, 1000**-0.5, 0.5, -2, -0.2, -0.02]], dtype=F64)
    torch.testing.assert_close(torch.atan2(sin, cos), angles, rtol=1e-14, atol=0)


@given(DIMS, THETAS, st.integers(0, 2**32))
def test_every_axis_turns_as_a_text_does(dims, theta, seed):
    coordinates = coordinates_of(len(dims), 3, 5, seed=seed)
    tables = nd_rotary_cos_sin(coordinates, dims, theta, dtype=F64)
    pairs = [dim // 2 for dim in dims]
    parts = zip(*(table.split(pairs, dim=-1) for table in tables), strict=True)
    for axis, (part, dim) in enumerate(zip(parts, dims, strict=True)):
        text = rotary_cos_sin(coordinates[..., axis], dim, theta, dtype=F64)
        assert all(map(torch.equal, part, text))


@given(DIMS, THETAS, st.booleans(), st.integers(0, 2**32))
def test_the_score_sees_only_the_way(dims, theta, interleaved, seed):
    first, way, elsewhere = coordinates_of(len(dims), 3, 1, seed=seed)
    q, k = randn(2, 1, sum(dims), seed=seed)

    def at(x, place):
        tables = nd_rotary_cos_sin(place, dims, theta, dtype=F64)
        return apply_rotary(x, *tables, interleaved=interleaved)

    scores = [(at(q, start) * at(k, start + way)).sum() for start in (first, elsewhere)]
    torch.testing.assert_close(*scores, rtol=0, atol=1e-11 * sum(dims))


def test_every_axis_counts():
    q, k = randn(2, 1, 12)
    places = torch.tensor([[1, 2, 3], [2, 2, 3], [1, 3, 3], [1, 2, 4]])
    tables = nd_rotary_cos_sin(places, (2, 4, 6), dtype=F64)
    scores = (q * apply_rotary(k.expand(4, -1), *tables)).sum(-1)
    assert (scores[1:] - scores[0]).abs().min() > 0.01


def test_the_origin_stands_still():
    cos, sin = nd_rotary_cos_sin(torch.zeros(7, 3, dtype=torch.int64), (16, 56, 56))
    assert torch.equal(cos, torch.ones(7, 64)) and torch.equal(sin, torch.zeros(7, 64))


@given(st.sampled_from([torch.int8, torch.int32, torch.int64, torch.float32, torch.float64]))
def test_coordinates_of_any_real_dtype(dtype):
    places = torch.tensor([[-3, 0], [100, 7]])
    expected = nd_rotary_cos_sin(places, (4, 6), dtype=F64)
    assert all(map(torch.equal, nd_rotary_cos_sin(places.to(dtype), [4, 6], dtype=F64), expected))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_rounded_once_at_the_end(dtype):
    coordinates = 1000 * coordinates_of(3, 40)
    exact = nd_rotary_cos_sin(coordinates, (4, 6, 6), dtype=F64)
    rounded = nd_rotary_cos_sin(coordinates, (4, 6, 6), dtype=dtype)
    for high, low in zip(exact, rounded, strict=True):
        assert low.dtype == dtype
        assert torch.equal(low, high.to(dtype))


def test_float32_unless_asked():
    coordinates = torch.zeros(3, 2, dtype=F64)
    assert [t.dtype for t in nd_rotary_cos_sin(coordinates, (2, 2))] == [torch.float32] * 2


@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 3, 5)], ids=str)
def test_shapes(shape):
    cos, sin = nd_rotary_cos_sin(torch.zeros(*shape, 3), (2, 4, 8))
    assert cos.shape == sin.shape == (*shape, 7)


def test_part_of_a_head_and_places_of_each_picture_s_own():
    """Tables (batch, places, 5) for 16 features: six are left as they are."""
    x, coordinates = randn(2, 3, 7, 16), coordinates_of(2, 2, 7)
    rotated = apply_rotary(x, *nd_rotary_cos_sin(coordinates, (4, 6), dtype=F64))
    assert torch.equal(rotated[..., 10:], x[..., 10:])
    assert (rotated[..., :10] != x[..., :10]).all()
    for picture, own, places in zip(x, rotated, coordinates, strict=True):
        alone = apply_rotary(picture, *nd_rotary_cos_sin(places, (4, 6), dtype=F64))
        torch.testing.assert_close(own, alone, rtol=0, atol=1e-14)


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_on_the_coordinates_device(device):
    tables = nd_rotary_cos_sin(torch.ones(5, 2, device=device), (4, 2))
    assert [table.device.type for table in tables] == [device] * 2
    if device != "meta":
        expected = nd_rotary_cos_sin(torch.ones(5, 2), (4, 2))
        torch.testing.assert_close([table.cpu() for table in tables], list(expected))


def test_gradients_reach_the_coordinates():
    coordinates = coordinates_of(2, 3).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda places: nd_rotary_cos_sin(places, (2, 4), 10, dtype=F64), coordinates
    )


@pytest.mark.usefixtures("without_shape_checks")
def test_compiles_whole_and_for_other_sizes():
    def rotated(x, places):
        return apply_rotary(x, *nd_rotary_cos_sin(places, (2, 4, 6)))

    fast = compiled(rotated)
    for seq in (3, 8, 5):
        x, places = randn(2, seq, 16, dtype=torch.float32), coordinates_of(3, seq)
        torch.testing.assert_close(fast(x, places), rotated(x, places))

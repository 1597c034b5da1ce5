"""What holds for every dim, theta and position, tried on drawn ones."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import pe_lib
from tests.helpers import FLOATS

DIMS = st.integers(1, 40).map(lambda pairs: 2 * pairs)
THETAS = st.floats(1.5, 1e8)
REALS = st.floats(-1e4, 1e4)
DEVICES = pe_lib.available_devices()


def encoding(position, dim, theta):
    return pe_lib.sinusoidal_encoding(
        torch.tensor(position, dtype=torch.float64), dim, theta, dtype=torch.float64
    )


def close(a, b, size=1.0):
    """Equal to within the rounding of float64 angles of this size (and of 80-term sums)."""
    torch.testing.assert_close(a, b, rtol=0, atol=1e-13 + 1e-14 * abs(size))


@given(DIMS, THETAS, REALS)
def test_every_vector_has_the_same_length(dim, theta, position):
    norm = encoding(position, dim, theta).norm().item()
    assert norm == pytest.approx(math.sqrt(dim / 2), rel=1e-14)


@given(DIMS, THETAS, REALS, REALS)
def test_a_shift_is_a_matrix(dim, theta, position, k):
    moved = pe_lib.shift_matrix(k, dim, theta) @ encoding(position, dim, theta)
    close(moved, encoding(position + k, dim, theta), size=abs(position) + abs(k))


@given(DIMS, THETAS, REALS, REALS)
def test_shifts_add_up(dim, theta, a, b):
    both = pe_lib.shift_matrix(a, dim, theta) @ pe_lib.shift_matrix(b, dim, theta)
    close(both, pe_lib.shift_matrix(a + b, dim, theta), size=abs(a) + abs(b))


@given(DIMS, THETAS, REALS)
def test_back_is_the_transpose(dim, theta, k):
    there, back = pe_lib.shift_matrix(k, dim, theta), pe_lib.shift_matrix(-k, dim, theta)
    assert torch.equal(back, there.T)
    close(back @ there, torch.eye(dim, dtype=torch.float64))
    assert torch.equal(pe_lib.shift_matrix(0, dim, theta), torch.eye(dim, dtype=torch.float64))


@given(DIMS, THETAS, REALS, REALS)
def test_the_dot_product_sees_only_the_offset(dim, theta, position, k):
    dot = encoding(position, dim, theta) @ encoding(position + k, dim, theta)
    expected = (k * pe_lib.inverse_frequencies(dim, theta)).cos().sum()
    close(dot, expected, size=dim * (abs(position) + abs(k)))


@given(DIMS, THETAS, REALS)
def test_mirrored_positions_flip_the_sines(dim, theta, position):
    here, mirrored = encoding(position, dim, theta), encoding(-position, dim, theta)
    assert torch.equal(mirrored[0::2], -here[0::2])
    assert torch.equal(mirrored[1::2], here[1::2])


@given(DIMS, THETAS, st.integers(0, 30))
def test_an_int_means_that_many_positions(dim, theta, n):
    by_count = pe_lib.sinusoidal_encoding(n, dim, theta)
    assert by_count.shape == (n, dim)
    assert by_count.dtype == torch.float32
    torch.testing.assert_close(by_count, pe_lib.sinusoidal_encoding(torch.arange(n), dim, theta))


@given(DIMS, st.integers(0, 100_000), st.integers(1, 20))
def test_a_slice_of_a_longer_table_is_the_table_of_the_slice(dim, first, length):
    """Up to float64's last bits: a longer table is computed in other portions."""
    positions = torch.arange(first, first + length + 40)
    table = pe_lib.sinusoidal_encoding(positions, dim, dtype=torch.float64)
    part = pe_lib.sinusoidal_encoding(positions[:length], dim, dtype=torch.float64)
    torch.testing.assert_close(part, table[:length], rtol=0, atol=4 * 2**-53)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 4)])
@pytest.mark.parametrize(
    "dtype", [torch.int32, torch.uint8, torch.int64, torch.float32, torch.float64], ids=str
)
def test_positions_of_any_shape_and_dtype(shape, dtype):
    positions = torch.arange(math.prod(shape)).reshape(shape)
    result = pe_lib.sinusoidal_encoding(positions.to(dtype), 6)
    assert result.shape == (*shape, 6)
    assert result.dtype == torch.float32
    assert torch.equal(result, pe_lib.sinusoidal_encoding(positions, 6))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_rounded_once_at_the_end(dtype):
    positions = torch.tensor([0, 1, 255, 256, 257, 16_000_001])
    exact = pe_lib.sinusoidal_encoding(positions, 64, dtype=torch.float64)
    assert torch.equal(pe_lib.sinusoidal_encoding(positions, 64, dtype=dtype), exact.to(dtype))


def test_positions_can_be_differentiated():
    """Real positions (time stamps, say) may be learned."""
    positions = torch.tensor([0.5, -2.0, 100.25], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(
        lambda p: pe_lib.sinusoidal_encoding(p, 6, dtype=torch.float64), (positions,)
    )


def test_vmap_over_positions():
    one_by_one = torch.vmap(lambda p: pe_lib.sinusoidal_encoding(p, 6))(torch.arange(5.0))
    assert torch.equal(one_by_one, pe_lib.sinusoidal_encoding(5, 6))


@pytest.mark.parametrize("device", [*DEVICES, "meta"])
def test_the_result_is_where_the_positions_are(device):
    positions = torch.arange(5, device=device)
    assert pe_lib.sinusoidal_encoding(positions, 8).device.type == device
    with torch.device(device):
        assert pe_lib.sinusoidal_encoding(5, 8).device.type == device
        assert pe_lib.shift_matrix(1, 8).device.type == "cpu"


@pytest.mark.parametrize("device", DEVICES)
def test_every_device_gives_the_same_numbers(device):
    positions = torch.tensor([0, 1, 1000, 16_000_001])
    result = pe_lib.sinusoidal_encoding(positions.to(device), 64).cpu()
    torch.testing.assert_close(
        result, pe_lib.sinusoidal_encoding(positions, 64), rtol=0, atol=2**-24
    )


def test_the_default_dtype_changes_nothing():
    expected = pe_lib.sinusoidal_encoding(5, 8), pe_lib.shift_matrix(0.5, 8)
    torch.set_default_dtype(torch.float64)
    try:
        result = pe_lib.sinusoidal_encoding(5, 8), pe_lib.shift_matrix(0.5, 8)
    finally:
        torch.set_default_dtype(torch.float32)
    for a, b in zip(result, expected, strict=True):
        assert a.dtype == b.dtype
        assert torch.equal(a, b)


@pytest.mark.parametrize("k", [3, 3.0, torch.tensor(3).item()])
def test_numbers_of_any_kind_are_numbers(k):
    assert torch.equal(pe_lib.shift_matrix(k, 8), pe_lib.shift_matrix(3, 8))


def test_numbers_too_large_for_int64():
    assert torch.equal(pe_lib.shift_matrix(2**70, 4), pe_lib.shift_matrix(2.0**70, 4))

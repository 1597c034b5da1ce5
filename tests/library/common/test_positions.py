"""Positions and their angles: float64 to the end, then rounded once."""

import math

import pytest
import torch

from pe_lib.common.positions import cos_sin, position_angles, real_positions
from tests.helpers import F64, FLOATS

CPU = torch.device("cpu")
INTEGERS = [torch.int32, torch.uint8, torch.uint16, torch.int64]


def test_an_int_is_that_many_positions():
    assert real_positions(0).tolist() == []
    assert real_positions(4).tolist() == [0, 1, 2, 3]
    with torch.device("meta"):
        assert real_positions(4).device.type == "cpu"


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 4)])
@pytest.mark.parametrize("dtype", [*INTEGERS, torch.float32, F64], ids=str)
def test_tensors_of_any_shape_and_dtype_become_float64(shape, dtype):
    numbers = torch.arange(math.prod(shape)).reshape(shape)
    result = real_positions(numbers.to(dtype))
    assert result.dtype == F64
    assert torch.equal(result, numbers.double())


@pytest.mark.parametrize(
    ("dtype", "last"), [(torch.bfloat16, 256), (torch.float16, 2048), (torch.float8_e4m3fn, 16)]
)
def test_a_dtype_that_cannot_count_is_refused(dtype, last):
    numbers = torch.tensor([last, last + 1]).to(dtype)
    assert numbers.tolist() == [last, last]
    with pytest.raises(TypeError) as caught:
        real_positions(numbers)
    assert str(caught.value) == (
        f"positions: expected a real tensor, got {dtype}, in which {last + 1} is {last}: pass "
        "integers, float32 or float64, as they were before the cast"
    )


def test_more_positions_than_float64_can_count():
    with pytest.raises(ValueError) as caught:
        real_positions(2**70)
    assert str(caught.value) == f"positions: expected an int n <= 2^53 or a tensor, got {2**70}"


def test_integers_are_exact_as_far_as_float64_tells_neighbours_apart():
    integers = [2**53, 2**53 - 1, 2**53 - 2, -(2**53), 1 - 2**53]
    assert real_positions(torch.tensor(integers)).tolist() == integers
    assert real_positions(torch.tensor([2**53 + 1])).item() == 2**53


def test_an_angle_is_position_times_frequency():
    positions = torch.tensor([[0, 1], [-3, 16_000_001]])
    angles = position_angles(positions, torch.tensor([1.0, 0.1], dtype=F64))
    assert angles.tolist() == [
        [[0.0, 0.0], [1.0, 0.1]],
        [[-3.0, -3 * 0.1], [16_000_001.0, 16_000_001 * 0.1]],
    ]


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("factor", [1.0, 1.25])
def test_cosine_and_sine_are_rounded_once(dtype, factor):
    angles = torch.linspace(-30, 30, 1001, dtype=F64)
    cos, sin = cos_sin(angles, dtype, CPU, factor)
    assert torch.equal(cos, (angles.cos() * factor).to(dtype))
    assert torch.equal(sin, (angles.sin() * factor).to(dtype))


def test_cosine_and_sine_go_where_they_are_wanted():
    for table in cos_sin(torch.zeros(2, 3, dtype=F64), torch.float32, torch.device("meta")):
        assert (table.device.type, table.shape) == ("meta", (2, 3))


@pytest.mark.usefixtures("without_shape_checks")
@pytest.mark.parametrize(
    ("value", "error"), [(-1, ValueError), (2.5, TypeError), (True, TypeError), (None, TypeError)]
)
def test_what_is_no_position_is_refused_by_name(value, error):
    with pytest.raises(error, match=r"^positions: expected an int n >= 0 or a"):
        real_positions(value)

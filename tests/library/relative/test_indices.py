"""Relative positions: key minus query, aligned at the end, clipped and shifted for a table."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import available_devices, relative_position_index, relative_positions

LENGTHS = st.integers(1, 30)


def test_relative_positions_written_out():
    assert relative_positions(3).tolist() == [[0, 1, 2], [-1, 0, 1], [-2, -1, 0]]
    assert relative_positions(2, 4).tolist() == [[-2, -1, 0, 1], [-3, -2, -1, 0]]
    assert relative_positions(4, 2).tolist() == [[2, 3], [1, 2], [0, 1], [-1, 0]]
    assert relative_positions(1).tolist() == [[0]]


def test_index_written_out():
    """Ten positions and a largest distance of 5: eleven rows of a table."""
    index = relative_position_index(10, max_distance=5)
    assert index[0].tolist() == [5, 6, 7, 8, 9, 10, 10, 10, 10, 10]
    assert index[4].tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert index[9].tolist() == [0, 0, 0, 0, 0, 1, 2, 3, 4, 5]
    assert index.unique().tolist() == list(range(11))


def test_an_index_of_nothing_but_the_present():
    assert relative_position_index(3, max_distance=0).tolist() == [[0] * 3] * 3


@given(LENGTHS, LENGTHS)
def test_key_minus_query(q_len, k_len):
    table = relative_positions(q_len, k_len)
    assert table.shape == (q_len, k_len)
    assert table.dtype == torch.int64
    for i, row in enumerate(table.tolist()):
        assert row == [j - (k_len - q_len + i) for j in range(k_len)]
    assert table[-1, -1] == 0  # the last query sees the last key


@given(LENGTHS, LENGTHS, st.integers(0, 40))
def test_index_is_clipped_and_shifted(q_len, k_len, max_distance):
    index = relative_position_index(q_len, k_len, max_distance=max_distance)
    assert index.dtype == torch.int64
    for row, distances in zip(index.tolist(), relative_positions(q_len, k_len), strict=True):
        clipped = [max(-max_distance, min(max_distance, d)) for d in distances.tolist()]
        assert row == [d + max_distance for d in clipped]


@given(LENGTHS, st.integers(0, 30))
def test_the_rows_of_cached_decoding_are_the_last(q_len, cached):
    whole = relative_positions(q_len + cached)
    assert torch.equal(relative_positions(q_len, q_len + cached), whole[cached:])
    rows = relative_position_index(q_len, q_len + cached, max_distance=7)
    assert torch.equal(rows, relative_position_index(q_len + cached, max_distance=7)[cached:])


@pytest.mark.parametrize("device", [*available_devices(), "meta"])
def test_on_the_device_that_is_named_or_torch_s_own(device):
    for table in (
        relative_positions(2, 3, device=device),
        relative_positions(2, 3, device=torch.device(device)),
        relative_position_index(2, 3, max_distance=1, device=device),
    ):
        assert table.device.type == device
    with torch.device(device):
        assert relative_positions(2).device.type == device
        assert relative_position_index(2, max_distance=1).device.type == device
    assert relative_positions(2).device.type == "cpu"

"""Similarities and distances against closed forms, and against loops that define them."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    inverse_frequencies,
    neighbour_distances,
    off_diagonal,
    similarity_matrix,
    sinusoidal_encoding,
)
from tests.helpers import F64, randn


def close(result, expected):
    expected = torch.as_tensor(expected, dtype=F64)
    torch.testing.assert_close(result, expected, rtol=1e-12, atol=1e-12)


def test_sinusoidal_distances():
    """|p - q|^2 = 2 (dim/2 - the sum of cosines)."""
    table = sinusoidal_encoding(100, 128, dtype=F64)
    for offset in (1, 50, 99):
        cosines = (offset * inverse_frequencies(128)).cos().sum()
        distances = neighbour_distances(table, offset)
        close(distances, (2 * (64 - cosines)).sqrt().expand(100 - offset))
    assert torch.equal(neighbour_distances(table), neighbour_distances(table, 1))


def test_the_numbers_of_100_positions():
    table = sinusoidal_encoding(100, 512, dtype=F64)
    others = off_diagonal(similarity_matrix(table))
    assert others.mean().item() == pytest.approx(152.109501, rel=1e-8)
    assert others.max().item() == pytest.approx(249.102098, rel=1e-8)
    cosines = off_diagonal(similarity_matrix(table, cosine=True))
    assert cosines.mean().item() == pytest.approx(0.594178, abs=1e-6)
    narrow = sinusoidal_encoding(100, 128, dtype=F64)
    assert neighbour_distances(narrow).mean().item() == pytest.approx(1.952596, abs=1e-6)
    assert neighbour_distances(narrow).std(correction=0).item() < 1e-14
    assert neighbour_distances(narrow, 50)[0].item() == pytest.approx(7.621678, abs=1e-6)


def test_neighbours_in_a_table_of_random_numbers():
    table = randn(100, 128) * 0.1
    assert neighbour_distances(table).mean() == pytest.approx(1.6, abs=0.03)


@given(st.integers(2, 9), st.integers(1, 5), st.integers(0, 99))
def test_as_loops(length, dim, seed):
    table = randn(length, dim, seed=seed)
    positions = range(length)
    dots = [[float(sum(table[i] * table[j])) for j in positions] for i in positions]
    close(similarity_matrix(table), dots)
    cosines = [
        [dots[i][j] / math.sqrt(dots[i][i] * dots[j][j]) for j in positions] for i in positions
    ]
    close(similarity_matrix(table, cosine=True), cosines)
    others = [dots[i][j] for i in positions for j in positions if i != j]
    close(off_diagonal(similarity_matrix(table)), others)
    for offset in range(1, length):
        distances = [math.dist(table[i], table[i + offset]) for i in range(length - offset)]
        close(neighbour_distances(table, offset), distances)


def test_a_table_that_says_nothing():
    nothing = torch.zeros(100, 8)
    assert not neighbour_distances(nothing).any()
    assert not similarity_matrix(nothing, cosine=True).any()

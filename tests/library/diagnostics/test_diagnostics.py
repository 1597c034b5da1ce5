"""Diagnostics against numbers that are known: closed forms, and loops that define them."""

import itertools
import math
import statistics

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from pe_lib import (
    alibi_bias,
    apply_rotary,
    ascii_map,
    available_devices,
    inverse_frequencies,
    measured_wavelengths,
    neighbour_distances,
    off_diagonal,
    rotary_cos_sin,
    score_by_offset,
    similarity_by_offset,
    similarity_matrix,
    sinusoidal_encoding,
    wavelengths,
)

F64 = torch.float64
ALL = [
    similarity_matrix,
    off_diagonal,
    score_by_offset,
    similarity_by_offset,
    neighbour_distances,
    measured_wavelengths,
]


def random(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=F64)


def sinusoidal(length, dim):
    return sinusoidal_encoding(length, dim, dtype=F64)


def close(result, expected, tolerance=1e-12):
    expected = torch.as_tensor(expected, dtype=F64)
    torch.testing.assert_close(result, expected, rtol=tolerance, atol=tolerance)


# Sinusoidal tables: all of it has a closed form


@pytest.mark.parametrize(("length", "dim"), [(100, 512), (37, 6), (3, 2)])
def test_sinusoidal_similarities_are_the_sums_of_cosines(length, dim):
    offset, mean, std = similarity_by_offset(sinusoidal(length, dim))
    assert offset.tolist() == list(range(length))
    frequencies = inverse_frequencies(dim)
    close(mean, (torch.arange(length)[:, None] * frequencies).cos().sum(-1))
    assert std.max() < 1e-12


def test_sinusoidal_distances():
    """|p - q|^2 = 2 (dim/2 - the sum of cosines)."""
    table = sinusoidal(100, 128)
    for offset in (1, 50, 99):
        cosines = (offset * inverse_frequencies(128)).cos().sum()
        distances = neighbour_distances(table, offset)
        close(distances, (2 * (64 - cosines)).sqrt().expand(100 - offset))
    assert torch.equal(neighbour_distances(table), neighbour_distances(table, 1))


def test_the_numbers_of_100_positions():
    table = sinusoidal(100, 512)
    mean = similarity_by_offset(table).mean
    close(mean[[0, 1, 5, 10, 50]], [256, 249.102098, 189.596668, 173.789725, 131.090761], 2e-9)
    others = off_diagonal(similarity_matrix(table))
    assert others.mean().item() == pytest.approx(152.109501, rel=1e-8)
    assert others.max().item() == pytest.approx(249.102098, rel=1e-8)
    cosines = off_diagonal(similarity_matrix(table, cosine=True))
    assert cosines.mean().item() == pytest.approx(0.594178, abs=1e-6)
    narrow = sinusoidal(100, 128)
    assert neighbour_distances(narrow).mean().item() == pytest.approx(1.952596, abs=1e-6)
    assert neighbour_distances(narrow).std(correction=0).item() < 1e-14
    assert neighbour_distances(narrow, 50)[0].item() == pytest.approx(7.621678, abs=1e-6)


@pytest.mark.parametrize("length", [3, 4, 100, 1000])
def test_sinusoidal_wavelengths_from_any_part_of_a_turn(length):
    expected = wavelengths(128).repeat_interleave(2)
    table = sinusoidal_encoding(torch.arange(length) + 1234, 128, dtype=F64)
    measured = measured_wavelengths(table)
    torch.testing.assert_close(measured, expected, rtol=2e-5, atol=0)
    if length >= 100:
        torch.testing.assert_close(measured, expected, rtol=1e-9, atol=0)


def test_tables_that_say_nothing():
    nothing = torch.zeros(100, 8)
    assert not neighbour_distances(nothing).any()
    assert not similarity_matrix(nothing, cosine=True).any()
    assert measured_wavelengths(nothing).tolist() == [math.inf] * 8
    assert not similarity_by_offset(nothing).mean.any()


def test_a_learned_table_is_not_consistent_by_offset():
    table = random(100, 128) * 0.1
    _, mean, std = similarity_by_offset(table)
    assert mean[0] == pytest.approx(1.28, abs=0.05)
    assert (std[:90] > 0.02).all()
    assert std[-1] == 0  # one pair
    assert neighbour_distances(table).mean() == pytest.approx(1.6, abs=0.03)


# Any table: the definitions, by loops


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
def test_scores_by_offset_as_a_loop(q_len, k_len, seed):
    scores = random(2, 3, q_len, k_len, seed=seed)
    offset, mean, std = score_by_offset(scores)
    assert offset.tolist() == list(range(1 - k_len, q_len))
    assert mean.shape == std.shape == (2, 3, q_len + k_len - 1)
    for heads in itertools.product(range(2), range(3)):
        groups = {}
        for i, j in itertools.product(range(q_len), range(k_len)):
            query = i + k_len - q_len
            groups.setdefault(j - query, []).append(scores[(*heads, i, j)].item())
        close(mean[heads], [statistics.fmean(groups[o]) for o in offset.tolist()])
        close(std[heads], [statistics.pstdev(groups[o]) for o in offset.tolist()])


@given(st.integers(2, 9), st.integers(1, 5), st.integers(0, 99))
def test_tables_as_loops(length, dim, seed):
    table = random(length, dim, seed=seed)
    positions = range(length)
    dots = [[float(sum(table[i] * table[j])) for j in positions] for i in positions]
    close(similarity_matrix(table), dots)
    cosines = [
        [dots[i][j] / math.sqrt(dots[i][i] * dots[j][j]) for j in positions] for i in positions
    ]
    close(similarity_matrix(table, cosine=True), cosines)
    others = [dots[i][j] for i in positions for j in positions if i != j]
    close(off_diagonal(similarity_matrix(table)), others)
    _, mean, std = similarity_by_offset(table)
    for offset in range(1, length):
        pairs = [dots[i][i + offset] for i in range(length - offset)]
        close(mean[offset], statistics.fmean(pairs))
        close(std[offset], statistics.pstdev(pairs))
        distances = [math.dist(table[i], table[i + offset]) for i in range(length - offset)]
        close(neighbour_distances(table, offset), distances)


def test_encodings_that_act_on_the_scores():
    """RoPE sees the offset alone where q and k are the same everywhere, ALiBi always."""
    cos, sin = rotary_cos_sin(40, 16, dtype=F64)
    q, k = random(16), random(16, seed=1)

    def scores(q, k):
        q, k = (apply_rotary(x.expand(40, 16).contiguous(), cos, sin) for x in (q, k))
        return q @ k.T

    offset, mean, std = score_by_offset(scores(q, k))
    assert std.max() < 1e-13
    close(mean[offset == 0], (q @ k)[None])
    turned = apply_rotary(k[None], cos[7:8], sin[7:8])[0]
    close(mean[offset == 7], (q @ turned)[None])
    assert score_by_offset(scores(random(40, 16), k)).std[5:-5].min() > 0.1

    offset, mean, std = score_by_offset(alibi_bias(2, 5, 8, causal=False))
    assert offset.tolist() == list(range(-7, 5))
    close(mean, torch.tensor([[2.0**-4], [2.0**-8]]) * -offset.abs())
    assert not std.any()


def test_masked_scores():
    offset, mean, std = score_by_offset(alibi_bias(2, 3))
    assert mean[:, offset > 0].tolist() == [[-math.inf] * 2] * 2
    assert std[:, offset > 0].isnan().all()
    assert not std[:, offset <= 0].any()


# Wavelengths


@given(st.floats(2.1, 5000), st.floats(0, 7), st.floats(0.01, 100))
def test_a_wave_of_any_phase_and_height(wavelength, phase, height):
    p = torch.arange(50, dtype=F64)
    column = height * (p * 2 * math.pi / wavelength + phase).sin()
    measured = measured_wavelengths(column[:, None]).item()
    assert measured == pytest.approx(wavelength, rel=1e-5)


@pytest.mark.parametrize(
    ("column", "wavelength"),
    [
        ([1, -1, 1, -1, 1], 2),
        ([1, 0, -1, 0, 1, 0], 4),
        ([0, 1, 1, 0, -1, -1, 0], 6),
        ([5, 5, 5, 5], math.inf),
        ([0, 0, 0, 0], math.inf),
        ([0, 1, 2, 3, 4], math.inf),
        ([1, 2, 4, 8], math.inf),
        ([3, -1, 3], 2),
    ],
)
def test_columns_whose_wavelength_is_known(column, wavelength):
    table = torch.tensor(column, dtype=F64)[:, None]
    assert measured_wavelengths(table).tolist() == pytest.approx([wavelength])


def test_nan_has_no_wavelength():
    table = torch.tensor([[0.0, math.nan], [1.0, 1.0], [0.0, 0.0]], dtype=F64)
    assert measured_wavelengths(table).tolist() == pytest.approx([4, math.nan], nan_ok=True)


def test_noise_has_a_wavelength_of_about_4():
    assert (measured_wavelengths(random(5000, 20)) - 4).abs().max() < 0.2


# The map in characters


def test_levels_of_the_map():
    values = [-1, -0.5, -0.499, -0.001, 0, 0.001, 0.5, 0.501, 1, math.nan]
    table = torch.tensor([values, values[::-1]], dtype=F64)
    assert ascii_map(table) == "  ░░░▓▓██ \n ██▓▓░░░  "


def test_positions_are_lines():
    lines = ascii_map(sinusoidal_encoding(20, 6)).splitlines()
    assert [len(line) for line in lines] == [6] * 20
    assert lines[0] == "░█░█░█"
    columns = ascii_map(sinusoidal_encoding(20, 6).T).splitlines()
    assert columns == ["".join(column) for column in zip(*lines, strict=True)]


# Whatever comes in


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, F64], ids=str)
@pytest.mark.parametrize("function", ALL)
def test_any_dtype_in_float64_out(function, dtype):
    """Also with a gradient, as a learned table has one."""
    table = random(6, 6).to(dtype)
    for result, exact in zip(
        torch.utils._pytree.tree_leaves(function(table.requires_grad_())),
        torch.utils._pytree.tree_leaves(function(table.detach().double())),
        strict=True,
    ):
        assert result.dtype in (F64, torch.int64)
        assert not result.requires_grad
        assert torch.equal(result, exact)


@pytest.mark.parametrize("device", available_devices())
@pytest.mark.parametrize("function", [*ALL, ascii_map])
def test_results_are_on_the_cpu(function, device):
    with torch.device(device):
        result = function(sinusoidal_encoding(6, 6))
    for tensor in torch.utils._pytree.tree_leaves(result):
        assert isinstance(tensor, str) or tensor.device.type == "cpu"

"""What SumAndSeparate computes, checked against vectors written out in full."""

import math

import pytest
import torch

from pe_lib.figures import SumAndSeparate
from pe_lib.figures.sinusoidal.sum_and_separate import (
    DRAWN,
    VOCABULARY,
    drawing_plane,
    word_vectors,
)

SETTINGS = {"dim": 128, "theta": 10000.0, "length": 32, "scale": 1.0, "removed": 0}
PAPER = math.sqrt(128)


def compute(**changed) -> dict:
    return SumAndSeparate.compute("cpu", **SETTINGS | changed)


def table(dim: int = 128, theta: float = 10000.0, length: int = 32) -> torch.Tensor:
    angles = [[p * theta ** (-2 * i / dim) for i in range(dim // 2)] for p in range(length)]
    angles = torch.tensor(angles, dtype=torch.float64)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)


def projector(rows: torch.Tensor, removed: int) -> torch.Tensor:
    """Projects the strongest directions of the rows out, by the eigenvectors of rows^T rows."""
    strongest = torch.linalg.eigh(rows.T @ rows).eigenvectors.flip(-1)[:, :removed]
    return torch.eye(rows.shape[1], dtype=torch.float64) - strongest @ strongest.T


@pytest.mark.parametrize("removed", [0, 1, 4, 9])
@pytest.mark.parametrize("scale", [1.0, 3.0, PAPER])
def test_nearest_word_and_position_among_full_vectors(scale, removed):
    rows, words = table(), scale * word_vectors(128)
    strip = projector(rows, removed)
    rows, words = rows @ strip, words @ strip
    sums = words[:, None] + rows
    nearest_word = torch.cdist(sums.flatten(0, 1), words).argmin(-1).view(VOCABULARY, 32)
    nearest_position = torch.cdist(sums.flatten(0, 1), rows).argmin(-1).view(VOCABULARY, 32)
    values = compute(scale=scale, removed=removed)
    torch.testing.assert_close(values["nearest_word"], nearest_word[:DRAWN])
    torch.testing.assert_close(values["nearest_position"], nearest_position[:DRAWN])
    right_word = nearest_word == torch.arange(VOCABULARY)[:, None]
    right_position = nearest_position == torch.arange(32)
    assert values["word_found"] == right_word.double().mean().item()
    assert values["position_found"] == right_position.double().mean().item()
    kept = (words.norm(dim=-1) / (scale * word_vectors(128)).norm(dim=-1)).mean().item()
    assert values["word_kept"] == pytest.approx(kept)


@pytest.mark.parametrize("removed", [0, 5])
@pytest.mark.parametrize("scale", [1.0, PAPER])
def test_distances_from_the_word_and_from_the_nearest_other_among_full_vectors(scale, removed):
    strip = projector(table(), removed)
    rows, words = table() @ strip, scale * word_vectors(128) @ strip
    far = torch.cdist((words[:DRAWN, None] + rows).flatten(0, 1), words).view(DRAWN, 32, -1)
    values = compute(scale=scale, removed=removed)
    for word in range(DRAWN):
        torch.testing.assert_close(values["own_distance"][word], far[word, :, word])
        far[word, :, word] = math.inf
        torch.testing.assert_close(values["rival_distance"][word], far[word].amin(-1))
        assert torch.equal(values["rival"][word], far[word].argmin(-1))


@pytest.mark.parametrize("dim", [16, 128, 512])
@pytest.mark.parametrize("removed", [0, 3])
def test_points_are_full_vectors_seen_in_one_plane(dim, removed):
    rows, words = table(dim), 2.5 * word_vectors(dim)
    axes = drawing_plane(word_vectors(dim)[:DRAWN])
    torch.testing.assert_close(axes @ axes.T, torch.eye(2, dtype=torch.float64))
    strip = projector(rows, removed)
    values = compute(dim=dim, scale=2.5, removed=removed)
    torch.testing.assert_close(values["words"], words[:DRAWN] @ axes.T)
    torch.testing.assert_close(values["positions"], rows @ axes.T)
    torch.testing.assert_close(values["words_left"], words @ strip @ axes.T)
    torch.testing.assert_close(values["positions_left"], rows @ strip @ axes.T)


def test_energy_is_the_cumulative_share_of_the_strongest_directions():
    rows = table()
    energy = compute()["energy"]
    total = rows.square().sum()
    assert energy.shape == (32,)
    assert energy[-1] == 1
    for removed in (1, 5, 11):
        left = (rows @ projector(rows, removed)).square().sum()
        assert energy[removed - 1].item() == pytest.approx((1 - left / total).item())


def test_a_hundred_positions_fill_few_of_512_dimensions():
    energy = compute(dim=512, length=100)["energy"]
    assert (energy < 0.99).sum() + 1 == 30


def test_position_drowns_the_word_until_it_is_scaled():
    plain, paper = compute(), compute(scale=PAPER)
    assert plain["word_found"] < 0.3
    assert plain["position_found"] == 1
    assert paper["word_found"] == 1
    assert 0.5 < paper["position_found"] < 0.8


def test_without_position_directions_each_cloud_is_one_point_and_every_word_is_found():
    values = compute(removed=64)
    assert 10 < values["directions"] < 25
    assert (values["positions_left"] == 0).all()
    assert values["word_found"] == 1
    assert values["position_found"] == 0
    assert (values["nearest_position"] == -1).all()
    assert 0.9 < values["word_kept"] < 0.95
    same = compute(removed=values["directions"])
    assert torch.equal(values["words_left"], same["words_left"])


def test_nothing_is_left_where_positions_fill_every_dimension():
    values = compute(dim=16, theta=10.0, length=64, removed=64)
    assert values["directions"] == 16
    assert values["word_kept"] == values["word_found"] == values["position_found"] == 0
    assert (values["nearest_word"] == -1).all()
    assert (values["words_left"] == 0).all() and (values["positions_left"] == 0).all()


@pytest.mark.parametrize("dim", [16, 128, 512])
def test_words_have_length_about_one_and_little_in_common(dim):
    words = word_vectors(dim)
    assert words.shape == (VOCABULARY, dim)
    assert words.norm(dim=-1).mean().item() == pytest.approx(1, abs=0.03)
    between = (words @ words.T).fill_diagonal_(0)
    assert between.std().item() == pytest.approx(dim**-0.5, rel=0.1)


def test_words_keep_their_features_when_dim_grows():
    torch.testing.assert_close(word_vectors(128)[:, :32] * 2, word_vectors(32))

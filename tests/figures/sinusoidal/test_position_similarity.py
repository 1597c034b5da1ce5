"""What PositionSimilarity computes, checked against formulas written out here."""

import math

import pytest
import torch

from pe_lib.figures import PositionSimilarity
from pe_lib.figures.fixed_random import hash32
from pe_lib.figures.sinusoidal.position_similarity import (
    HEAD_DIM,
    LAST,
    OTHERS,
    random_weights,
)

SETTINGS = {"dim": 64, "theta": 10000.0, "anchor": 20}


def compute(**changed) -> dict:
    inputs = SETTINGS | {"measure": "dot", "projected": False} | changed
    return PositionSimilarity.compute("cpu", **inputs)


def encoding(p: float, dim: int, theta: float) -> torch.Tensor:
    angles = [p * theta ** (-2 * pair / dim) for pair in range(dim // 2)]
    pairs = [(math.sin(angle), math.cos(angle)) for angle in angles]
    return torch.tensor(pairs, dtype=torch.float64).flatten()


@pytest.mark.parametrize("dim", [2, 10, 128])
@pytest.mark.parametrize("k", [-30, -1, 0, 7])
def test_curves_compare_the_two_positions(dim, k):
    for row, p in enumerate((20, *OTHERS)):
        here, there = encoding(p, dim, 500.0), encoding(p + k, dim, 500.0)
        inputs = {"dim": dim, "theta": 500.0}
        dot = compute(**inputs)["curves"][row, k + LAST]
        distance = compute(**inputs, measure="distance")["curves"][row, k + LAST]
        assert dot == pytest.approx((here @ there).item() / (dim / 2), abs=1e-12)
        assert distance == pytest.approx((there - here).norm().item() / math.sqrt(dim / 2))


@pytest.mark.parametrize("measure", ["dot", "distance"])
@pytest.mark.parametrize("dim", [2, 64])
def test_every_anchor_has_the_formula_s_curve(measure, dim):
    values = compute(measure=measure, dim=dim)
    formula = values["formula"].expand_as(values["curves"])
    torch.testing.assert_close(values["curves"], formula, rtol=0, atol=1e-12)
    torch.testing.assert_close(formula, formula.flip(-1))  # before and after look the same


def test_dot_product_and_distance_tell_the_same():
    dot, distance = compute()["curves"], compute(measure="distance")["curves"]
    torch.testing.assert_close(distance.square(), 2 - 2 * dot, rtol=0, atol=1e-12)


def test_dot_product_falls_but_stays_well_above_zero():
    curve = compute()["curves"][0]
    assert curve[LAST] == pytest.approx(1)
    assert curve.argmax() == LAST
    assert 0.2 < curve.min() < 0.25


@pytest.mark.parametrize("measure", ["dot", "distance"])
def test_projections_give_every_anchor_its_own_curve(measure):
    curves = compute(measure=measure, projected=True)["curves"]
    w_q, w_k = random_weights(64)
    for row, p in enumerate((20, *OTHERS)):
        query, key = encoding(p, 64, 10000.0) @ w_q, encoding(p - 13, 64, 10000.0) @ w_k
        expected = (query @ key) / 4 if measure == "dot" else (key - query).norm()
        assert curves[row, LAST - 13] == pytest.approx(expected.item())
    assert (curves.amax(0) - curves.amin(0)).max() > 1


def test_random_weights_have_the_size_that_layers_start_with():
    weights = random_weights(128)
    assert weights.shape == (2, 128, HEAD_DIM)
    assert weights.abs().max() <= math.sqrt(3 / 128)
    assert weights.mean().item() == pytest.approx(0, abs=0.005)
    assert weights.var().item() * 128 == pytest.approx(1, abs=0.05)
    mixed = torch.corrcoef(torch.stack([*weights.flatten(1), weights[0].flatten().roll(1)]))
    assert (mixed - torch.eye(3)).abs().max() < 0.06  # W_q, W_k and neighbours are unrelated


def test_hash_stays_within_32_bits():
    hashed = hash32(torch.tensor([0, 1, 2**31, 2**32 - 1]))
    assert ((hashed >= 0) & (hashed < 2**32)).all()
    assert hashed[1] == 824515495

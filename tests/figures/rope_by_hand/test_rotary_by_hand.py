"""What RotaryByHand computes, checked against formulas written out here and the five tokens."""

import math

import pytest
import torch

from pe_lib.course.five_tokens import KEY, QUERY
from pe_lib.figures import RotaryByHand
from pe_lib.figures.rope_by_hand.rotary_by_hand import FARTHEST, FINE

PAIRS = {
    "half-split": [(0, 3), (1, 4), (2, 5)],
    "interleaved": [(0, 1), (2, 3), (4, 5)],
    "permuted": [(0, 3), (1, 4), (2, 5)],
}
each_layout = pytest.mark.parametrize("pairs", PAIRS)


def compute(position=1.0, offset=2.0, pairs="half-split", theta=10000.0) -> dict:
    return RotaryByHand.compute("cpu", position=position, offset=offset, pairs=pairs, theta=theta)


def turned(vector: list[float], position: float, pairs: str, theta: float) -> list[float]:
    after = list(vector)
    for pair, (a, b) in enumerate(PAIRS[pairs]):
        hand = complex(vector[a], vector[b])
        angle = position * theta ** (-pair / 3)
        hand *= complex(math.cos(angle), math.sin(angle))
        after[a], after[b] = hand.real, hand.imag
    return after


def dot(q, k) -> float:
    return sum(a * b for a, b in zip(q, k, strict=True))


def test_the_defaults_are_the_worked_example():
    values = compute()
    q = [-0.4030256349, 1.054602044, -0.5006451695, 0.8529773371, -1.152308348, 0.2989220873]
    k = [0.7776667525, 0.738610718, 0.401284297, 0.4952114923, 1.21427106, -0.197410519]
    parts = [0.1089845434, -0.6202743058, -0.2599114093]
    assert values["after"].flatten().tolist() == pytest.approx(q + k, abs=1e-9)
    assert values["parts"].tolist() == pytest.approx(parts, abs=1e-9)
    assert values["score"] == pytest.approx(-0.771201171726751, abs=1e-12)


@pytest.mark.parametrize("pairs", ["interleaved", "permuted"])
def test_permuted_weights_give_the_interleaved_score(pairs):
    values = compute(pairs=pairs)
    parts = [-1.274572801, -0.6752181024, -1.379599392]
    assert values["parts"].tolist() == pytest.approx(parts, abs=1e-9)
    assert values["score"] == pytest.approx(-3.32939029552946, abs=1e-12)


@each_layout
@pytest.mark.parametrize(("position", "offset"), [(1, 2), (0, -12), (99.5, 0.25)])
@pytest.mark.parametrize("theta", [10.0, 1e6])
def test_both_are_turned_by_their_positions(position, offset, pairs, theta):
    order = [0, 2, 4, 1, 3, 5] if pairs == "permuted" else range(6)
    query, key = QUERY[list(order)].tolist(), KEY[list(order)].tolist()
    q = turned(query, position, pairs, theta)
    k = turned(key, position + offset, pairs, theta)
    values = compute(position, offset, pairs, theta)
    assert values["before"].tolist() == [query, key]
    assert values["after"].flatten().tolist() == pytest.approx(q + k, abs=1e-12)
    for pair, (a, b) in enumerate(PAIRS[pairs]):
        part = q[a] * k[a] + q[b] * k[b]
        lengths = math.hypot(q[a], q[b]) * math.hypot(k[a], k[b])
        assert values["parts"][pair] == pytest.approx(part, abs=1e-12)
        assert values["angles"][pair] == pytest.approx(math.acos(part / lengths), abs=1e-6)
    assert values["score"] == pytest.approx(dot(q, k), abs=1e-12)


@each_layout
def test_the_score_stands_still_while_both_move(pairs):
    here, there = compute(0, 5, pairs), compute(100, 5, pairs)
    assert not torch.allclose(here["after"][:, 0], there["after"][:, 0], atol=0.1)
    for name in ("angles", "parts", "curve"):
        torch.testing.assert_close(here[name], there[name], rtol=0, atol=1e-12)


@each_layout
def test_the_curve_is_the_score_at_every_offset(pairs):
    curve = compute(7, 3, pairs)["curve"]
    assert len(curve) == 2 * FARTHEST * FINE + 1
    for offset in (-FARTHEST, -0.1, 0, 3, FARTHEST):
        place = round((offset + FARTHEST) * FINE)
        assert curve[place] == pytest.approx(compute(7, offset, pairs)["score"], abs=1e-12)
    assert curve[FARTHEST * FINE] == pytest.approx(dot(QUERY.tolist(), KEY.tolist()))


def test_scores_by_offset_are_those_of_the_worked_example():
    curve = compute()["curve"][(FARTHEST - 4) * FINE :: FINE][:9].tolist()
    expected = [0.07523620595, 0.4849063065, 0.1056265994, -0.8081082859, -1.51]
    expected += [-1.447887635, -0.7712011717, -0.1933772881, -0.3357322262]
    assert curve == pytest.approx(expected, abs=1e-9)

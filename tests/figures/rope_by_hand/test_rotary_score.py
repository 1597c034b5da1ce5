"""What RotaryScore computes, checked against formulas written out here."""

import cmath
import math

import pytest
import torch

from pe_lib.figures import RotaryScore
from pe_lib.figures.rope_by_hand.rotary_score import SAMPLE

each_kind = pytest.mark.parametrize("vectors", ["equal", "random", "tuned"])


def compute(**changed) -> dict:
    inputs = {"dim": 128, "theta": 10000.0, "reach": 1000, "vectors": "equal"}
    return RotaryScore.compute("cpu", **inputs | {"tuned_to": 37, "draw": 0} | changed)


def hands(rows: torch.Tensor) -> list[complex]:
    return [complex(a, b) for a, b in rows.tolist()]


def frequencies(dim: int, theta: float) -> list[float]:
    return [theta ** (-2 * pair / dim) for pair in range(dim // 2)]


def size(vector: list[complex]) -> float:
    return math.sqrt(sum(abs(hand) ** 2 for hand in vector))


def score(q: list[complex], k: list[complex], distance: int, w: list[float]) -> float:
    turned = [hand * cmath.exp(1j * distance * f) for hand, f in zip(q, w, strict=True)]
    together = sum((a * b.conjugate()).real for a, b in zip(turned, k, strict=True))
    return together / size(q) / size(k)


@each_kind
@pytest.mark.parametrize(("dim", "theta", "draw"), [(2, 10.0, 0), (10, 500.0, 63), (128, 1e6, 7)])
def test_the_curve_is_the_score_of_the_drawn_hands(vectors, dim, theta, draw):
    values = compute(dim=dim, theta=theta, draw=draw, vectors=vectors, reach=100)
    q, k, w = hands(values["query"]), hands(values["key"]), frequencies(dim, theta)
    assert len(q) == len(k) == dim // 2
    assert values["curve"].shape == (101,)
    for distance in (0, 1, 37, 100):
        expected = score(q, k, distance, w)
        assert values["curve"][distance] == pytest.approx(expected, abs=1e-12)


def test_equal_hands_fall_from_1_to_a_sixth():
    curve = compute()["curve"]
    for distance, expected in ((0, 1), (1, 0.9702), (37, 0.5532), (1000, 0.1590)):
        mean = sum(math.cos(distance * f) for f in frequencies(128, 10000.0)) / 64
        assert curve[distance] == pytest.approx(mean)
        assert mean == pytest.approx(expected, abs=5e-5)
    torch.testing.assert_close(curve, compute(draw=9)["curve"], rtol=0, atol=1e-12)


def test_random_vectors_do_not_decay():
    sizes = compute(vectors="random")["mean_size"]
    near, far = sizes[:100].mean(), sizes[-100:].mean()
    assert 0.9 < far / near < 1.2
    # 128 features at random: the size of a normal variable of standard deviation 1/sqrt(128).
    assert sizes.mean().item() == pytest.approx(math.sqrt(2 / math.pi / 128), rel=0.1)


@pytest.mark.parametrize("tuned_to", [0, 37, 100])
@pytest.mark.parametrize("draw", [0, 5])
def test_tuned_vectors_peak_where_they_are_tuned_to(tuned_to, draw):
    curve = compute(vectors="tuned", tuned_to=tuned_to, draw=draw)["curve"]
    assert curve.argmax() == tuned_to
    assert curve[tuned_to] == pytest.approx(1)
    back, forth = curve[: tuned_to + 1].flip(0), curve[tuned_to : 2 * tuned_to + 1]
    torch.testing.assert_close(back, forth)  # it falls alike on both sides


def test_the_sample_has_the_drawn_vectors_in_it():
    several = [compute(vectors="random", draw=draw, reach=100) for draw in range(SAMPLE)]
    curves = torch.stack([values["curve"] for values in several])
    for values in several[::21]:
        torch.testing.assert_close(values["mean_size"], curves.abs().mean(0))
    assert torch.pdist(curves).min() > 0.1


@each_kind
def test_the_bound_is_that_of_the_paper_and_holds(vectors):
    values = compute(vectors=vectors, dim=10, reach=100)
    q, k, w = hands(values["query"]), hands(values["key"]), frequencies(10, 10000.0)
    products = [a * b.conjugate() for a, b in zip(q, k, strict=True)] + [0]
    largest = max(abs(products[n + 1] - products[n]) for n in range(5))
    for distance in (0, 1, 50, 100):
        sums = [sum(cmath.exp(1j * distance * f) for f in w[: n + 1]) for n in range(5)]
        expected = largest * sum(map(abs, sums)) / size(q) / size(k)
        assert values["bound"][distance] == pytest.approx(expected)
    assert (values["curve"].abs() <= values["bound"] + 1e-12).all()


@each_kind
def test_the_bound_never_falls_below_what_a_score_can_be(vectors):
    """What the figure says of it: it forces nothing to fall."""
    assert compute(vectors=vectors)["bound"].min() > 3.9

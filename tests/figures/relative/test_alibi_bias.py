"""What AlibiBias computes, checked against formulas written out here."""

import math
from itertools import pairwise

import pytest
import torch

from pe_lib.figures import AlibiBias
from pe_lib.figures.relative.alibi_bias import drawn_distances


def compute(**changed) -> dict:
    inputs = {"heads": 8, "head": 1, "length": 56, "reach": 0, "causal": True, "offset": True}
    return AlibiBias.compute("cpu", **inputs | changed)


def exact(*values: float) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize(
    ("heads", "exponents"),
    [
        (1, [8]),
        (3, [4, 8, 2]),
        (8, [1, 2, 3, 4, 5, 6, 7, 8]),
        (12, [1, 2, 3, 4, 5, 6, 7, 8, 0.5, 1.5, 2.5, 3.5]),
        (32, [n / 4 for n in range(1, 33)]),
    ],
)
def test_slopes_of_any_number_of_heads(heads, exponents):
    torch.testing.assert_close(compute(heads=heads)["slopes"], exact(*(2**-n for n in exponents)))


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize(("heads", "length"), [(1, 1), (8, 64), (12, 40)])
def test_the_query_s_weights_on_the_text(heads, length, offset, causal):
    values = compute(heads=heads, length=length, offset=offset, causal=causal)
    query = length - 1 if offset else 0
    for row, slope in zip(values["weights"], values["slopes"].tolist(), strict=True):
        seen = [
            0 if causal and key > query else math.exp(-slope * abs(query - key))
            for key in range(64)
        ]
        expected = [weight / math.fsum(seen) for weight in seen]
        torch.testing.assert_close(row, exact(*expected))


@pytest.mark.parametrize(("head", "chosen"), [(3, 2), (20, 7)])
def test_a_reach_gives_the_chosen_head_its_slope(head, chosen):
    own, moved = compute(head=head), compute(head=head, reach=25)
    assert moved["one_percent"][chosen].item() == pytest.approx(25)
    assert moved["slopes"][chosen].item() == pytest.approx(math.log(100) / 25)
    ratio = moved["weights"][chosen, 55 - 25] / moved["weights"][chosen, 55]
    assert ratio.item() == pytest.approx(0.01)
    assert moved["map"][5, 0].item() == pytest.approx(-5 * math.log(100) / 25)
    others = [n for n in range(8) if n != chosen]
    for name in ("slopes", "one_percent", "weights", "within", "fallen"):
        torch.testing.assert_close(moved[name][others], own[name][others])


def test_how_a_weight_falls_with_the_distance():
    values = compute()
    assert values["distances"][-1] == 2047
    for row, slope in zip(values["fallen"], values["slopes"].tolist(), strict=True):
        torch.testing.assert_close(row, (-slope * values["distances"].double()).exp())


def test_where_the_weight_has_fallen_to_one_percent():
    values = compute()
    reached = values["one_percent"]
    torch.testing.assert_close((-values["slopes"] * reached).exp(), exact(*8 * [0.01]))
    assert reached[0].item() == pytest.approx(9.2, abs=0.05)
    assert round(reached[-1].item()) == 1179


@pytest.mark.parametrize("length", [64, 16, 1])
def test_how_much_of_the_weight_lies_within(length):
    values = compute(length=length)
    for slope, reached, within in zip(
        *(values[name].tolist() for name in ("slopes", "one_percent", "within")), strict=True
    ):
        weights = [math.exp(-slope * distance) for distance in range(length)]
        near = [weight for distance, weight in enumerate(weights) if distance <= reached]
        assert within == pytest.approx(math.fsum(near) / math.fsum(weights), abs=1e-12)
        assert within > 0.98
        assert (within == pytest.approx(1, abs=1e-12)) == (length - 1 <= reached)


@pytest.mark.parametrize(("head", "slope"), [(1, 1 / 2), (8, 1 / 256), (9, 1 / 256)])
def test_the_map_of_the_chosen_head(head, slope):
    """A head that the layer has not is its last one."""
    causal, symmetric = (compute(head=head, causal=causal)["map"] for causal in (True, False))
    for query in range(6):
        for key in range(6):
            expected = -slope * abs(query - key)
            assert symmetric[query, key] == expected
            if key > query:
                assert causal[query, key].isnan()
            else:
                assert causal[query, key] == expected


@pytest.mark.parametrize("length", [16, 33, 1000, 2048])
def test_the_drawn_distances(length):
    distances = drawn_distances(length).tolist()
    assert distances[:16] == list(range(16))
    assert distances[-1] == length - 1
    assert {2**n for n in range(12) if 2**n < length} <= set(distances)
    assert all(1 <= b - a <= max(1, a / 16) for a, b in pairwise(distances))
    assert len(distances) <= 130

"""What AlibiBias computes, checked against formulas written out here."""

import math
from itertools import pairwise

import pytest
import torch

from pe_lib.figures import AlibiBias
from pe_lib.figures.relative.alibi_bias import drawn_distances


def compute(**changed) -> dict:
    inputs = {"heads": 8, "head": 1, "length": 2048, "causal": True}
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
@pytest.mark.parametrize(("heads", "length"), [(1, 16), (8, 2048), (12, 100)])
def test_the_last_query_s_bias_and_weights_by_distance(heads, length, causal):
    values = compute(heads=heads, length=length, causal=causal)
    assert values["distances"][-1] == length - 1
    for row, slope in enumerate(values["slopes"].tolist()):
        total = math.fsum(math.exp(-slope * distance) for distance in range(length))
        distances = values["distances"].double()
        torch.testing.assert_close(values["bias"][row], -slope * distances)
        torch.testing.assert_close(values["weights"][row], (-slope * distances).exp() / total)


def test_where_the_weight_has_fallen_to_one_percent():
    values = compute()
    reached = values["one_percent"]
    torch.testing.assert_close((-values["slopes"] * reached).exp(), exact(*8 * [0.01]))
    assert reached[0].item() == pytest.approx(9.2, abs=0.05)
    assert round(reached[-1].item()) == 1179


@pytest.mark.parametrize("length", [2048, 512, 16])
def test_how_much_of_the_weight_lies_within(length):
    values = compute(length=length)
    for slope, reached, within in zip(
        *(values[name].tolist() for name in ("slopes", "one_percent", "within")), strict=True
    ):
        weights = [math.exp(-slope * distance) for distance in range(length)]
        near = [weight for distance, weight in enumerate(weights) if distance <= reached]
        assert within == pytest.approx(math.fsum(near) / math.fsum(weights), abs=1e-12)
        assert within > 0.99
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

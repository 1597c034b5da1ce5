"""What FrequencySpectrum computes, checked against formulas written out here."""

import itertools
import math

import pytest
import torch

from pe_lib.figures import FrequencySpectrum
from pe_lib.figures.longer_context.frequency_spectrum import MODELS

METHODS = ("none", "interpolation", "ntk", "yarn", "llama3")
THETAS = (10_000.0, 500_000.0, 1e6, 1e7)
LENGTHS = ("128", "2048", "4096", "8192", "32768")
DIMS = ("32", "64", "128", "256")
PAIRS = range(64)  # of the default head
SMALL = {"dim": "32", "trained": "128"}  # the small model that comes with pe_lib


def compute(method: str, **changed) -> dict:
    inputs = {"times": 4.0, "theta": 10_000.0, "trained": "4096", "dim": "128"}
    return FrequencySpectrum.compute("cpu", method=method, **inputs | changed)


def zones(values: dict) -> list[int]:
    """How many pairs are unchanged, slowed in part, slowed by all of the factor."""
    return [int((values["zone"] == zone).sum()) for zone in range(3)]


def never_turn(values: dict) -> int:
    """How many pairs do not complete a turn in training."""
    return int((values["turns"][0] < 1).sum())


def lit(values: dict) -> list[int]:
    """The pairs that meet new angles."""
    return (values["beyond"] > 1).nonzero().flatten().tolist()


def exact(values: list[float]) -> torch.Tensor:
    return torch.tensor(values, dtype=torch.float64)


@pytest.mark.parametrize(
    ("theta", "trained", "dim", "pairs"),
    [
        (10_000.0, "8192", "128", 14),
        (500_000.0, "8192", "128", 29),
        (10_000.0, "4096", "128", 18),
        (10_000.0, "4096", "256", 37),
        (10_000.0, "2048", "64", 11),
        (10_000.0, "128", "32", 10),
        (10_000_000.0, "128", "256", 104),
    ],
)
def test_how_many_pairs_never_complete_a_turn(theta, trained, dim, pairs):
    values = compute("none", theta=theta, trained=trained, dim=dim)
    features = int(dim)
    wavelengths = [2 * math.pi * theta ** (2 * i / features) for i in range(features // 2)]
    assert sum(wave > int(trained) for wave in wavelengths) == never_turn(values) == pairs
    torch.testing.assert_close(values["wavelengths"], exact(wavelengths).expand(2, -1))
    turns = int(trained) / exact(wavelengths)
    torch.testing.assert_close(values["turns"], torch.stack((turns, 4 * turns)))


@pytest.mark.parametrize("times", [1.5, 4.0, 256.0])
def test_unscaled_exactly_those_meet_new_angles(times):
    values = compute("none", times=times)
    assert lit(values) == list(range(46, 64))
    expected = [times if i > 45 else 1.0 for i in PAIRS]
    torch.testing.assert_close(values["beyond"], exact(expected))
    assert zones(values) == [64, 0, 0]


def test_the_small_model_unscaled():
    """128 / (2 pi) is 20.4: pair i turns once in training as long as 10000^(i/16) is below it."""
    values = compute("none", **SMALL)
    assert 10000 ** (5 / 16) < 128 / (2 * math.pi) < 10000 ** (6 / 16)
    assert lit(values) == list(range(6, 16))
    torch.testing.assert_close(values["beyond"], exact([1.0] * 6 + [4.0] * 10))
    assert zones(values) == [16, 0, 0]


def test_ntk_leaves_new_angles():
    values = compute("ntk")
    assert lit(values) == list(range(46, 63))  # the last pair is slowed just enough
    assert values["beyond"].max().item() == pytest.approx(4 ** (1 - 46 / 63), abs=1e-12)
    assert round(values["beyond"].max().item(), 2) == 1.45
    assert zones(values) == [1, 62, 1]
    base = 10000 * 4 ** (128 / 126)
    assert round(base) == 40890
    after = exact([2 * math.pi * base ** (i / 64) for i in PAIRS])
    torch.testing.assert_close(values["wavelengths"][1], after)


def test_ntk_in_the_small_model():
    values = compute("ntk", **SMALL)
    assert lit(values) == list(range(6, 15))
    assert values["beyond"].max().item() == pytest.approx(4 ** (1 - 6 / 15), abs=1e-12)
    assert zones(values) == [1, 14, 1]
    base = 10000 * 4 ** (32 / 30)
    after = exact([2 * math.pi * base ** (i / 16) for i in range(16)])
    torch.testing.assert_close(values["wavelengths"][1], after)


@pytest.mark.parametrize(
    "times",
    [
        1.2,
        pytest.param(2.0, marks=pytest.mark.slow),
        pytest.param(32.0, marks=pytest.mark.slow),
        256.0,
    ],
)
def test_who_leaves_new_angles(times):
    for method, theta, trained, dim in itertools.product(METHODS, THETAS, LENGTHS, DIMS):
        values = compute(method, theta=theta, trained=trained, times=times, dim=dim)
        left = {"none": never_turn(values), "ntk": never_turn(values) - 1}.get(method, 0)
        assert len(lit(values)) == left
        seen, now = values["turns"]
        slow = seen < 1
        stays_within = bool((now[slow] <= seen[slow] * (1 + 1e-9)).all())
        assert stays_within == (left == 0)


@pytest.mark.parametrize("method", METHODS[1:])
def test_what_each_rule_divides_by_is_what_it_does(method):
    for theta, trained in itertools.product((100.0, *THETAS), LENGTHS):
        values = compute(method, theta=theta, trained=trained, times=11.7)
        before, after = values["wavelengths"]
        torch.testing.assert_close(
            values["slower"][METHODS.index(method) - 1], after / before, check_dtype=False
        )


def test_the_models_are_settings_of_the_figure():
    for settings in MODELS.values():
        assert FrequencySpectrum(**settings)._result["values"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dim", DIMS)
def test_a_context_as_long_as_in_training_changes_nothing(method, dim):
    values = compute(method, times=1.0, dim=dim)
    assert zones(values) == [int(dim) // 2, 0, 0]
    assert lit(values) == []
    for name in ("wavelengths", "turns"):
        torch.testing.assert_close(values[name][0], values[name][1])


def test_interpolation_divides_all_pairs_and_takes_from_neighbours():
    values = compute("interpolation", times=8.0)
    assert zones(values) == [0, 0, 64]
    torch.testing.assert_close(values["turns"][1], values["turns"][0])
    assert 2 * math.pi / values["wavelengths"][1, 0].item() == pytest.approx(1 / 8)  # radians


@pytest.mark.parametrize("method", ["none", "ntk", "yarn", "llama3"])
def test_the_others_leave_neighbours_as_far_apart_as_they_were(method):
    fastest = compute(method, times=64.0)["wavelengths"][:, 0]
    assert fastest.tolist() == pytest.approx([2 * math.pi] * 2)


def test_llama_3_1_divides_exactly_the_pairs_that_never_turn():
    values = compute("llama3", times=8.0, theta=500_000.0, trained="8192")
    assert zones(values) == [29, 6, 29]
    assert values["zone"].tolist() == sorted(values["zone"].tolist())
    assert torch.equal(values["zone"] == 2, values["turns"][0] < 1)
    assert torch.equal(values["zone"] == 0, values["turns"][0] >= 4)
    for i in range(29, 35):
        turns = 8192 * 500000 ** (-i / 64) / (2 * math.pi)
        kept = (turns - 1) / 3
        slower = values["wavelengths"][1, i] / values["wavelengths"][0, i]
        assert slower.item() == pytest.approx(1 / (kept + (1 - kept) / 8))


def test_llama_3_s_rule_in_the_small_model():
    values = compute("llama3", **SMALL)
    assert zones(values) == [3, 3, 10]
    expected = []
    for i in range(16):
        turns = 128 * 10000 ** (-i / 16) / (2 * math.pi)
        kept = min(max((turns - 1) / 3, 0), 1)
        expected.append(1 / (kept + (1 - kept) / 4))
    torch.testing.assert_close(values["wavelengths"][1] / values["wavelengths"][0], exact(expected))


def test_yarn_blends_by_the_pair():
    """Between the pairs that turn 32 times and once in training, rounded outwards."""
    for theta, trained, dim in itertools.product(THETAS, LENGTHS, DIMS):
        values = compute("yarn", theta=theta, trained=trained, dim=dim)
        pairs = int(dim) // 2
        first, last = (
            pairs * math.log(int(trained) / (2 * math.pi * turns)) / math.log(theta)
            for turns in (32, 1)
        )
        low, high = max(math.floor(first), 0), math.ceil(last)
        expected = []
        for i in range(pairs):
            slowed = min(max((i - low) / (high - low), 0), 1)
            expected.append(1 / (1 - slowed + slowed / 4))
        torch.testing.assert_close(
            values["wavelengths"][1] / values["wavelengths"][0], exact(expected)
        )
        assert zones(values) == [low + 1, high - low - 1, pairs - high]


@pytest.mark.parametrize(("inputs", "counted"), [({}, [21, 25, 18]), (SMALL, [1, 5, 10])])
def test_how_many_pairs_yarn_blends(inputs, counted):
    """In 128 positions no pair turns 32 times, and yet YaRN's ramp begins at pair 0, not above."""
    assert zones(compute("yarn", **inputs)) == counted


def test_the_summary_s_numbers():
    values = compute("ntk")
    for text in (
        f"{never_turn(values)} of the 64",
        f"{len(lit(values))} with new angles",
        f"{values['beyond'].max():.2f} times the largest",
    ):
        assert text in FrequencySpectrum.summary

"""What FrequencySpectrum computes, checked against formulas written out here."""

import math

import pytest
import torch

from pe_lib.figures import FrequencySpectrum

METHODS = ("none", "interpolation", "ntk", "yarn", "llama3")
THETAS = ("10000", "500000", "1000000", "10000000")
LENGTHS = ("2048", "4096", "8192")
PAIRS = range(64)


def compute(method: str, **changed) -> dict:
    inputs = {"times": 4.0, "theta": "10000", "trained": "4096"}
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
    ("theta", "trained", "pairs"),
    [("10000", "8192", 14), ("500000", "8192", 29), ("10000", "4096", 18)],
)
def test_how_many_pairs_never_complete_a_turn(theta, trained, pairs):
    values = compute("none", theta=theta, trained=trained)
    wavelengths = [2 * math.pi * float(theta) ** (i / 64) for i in PAIRS]
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


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.parametrize("trained", LENGTHS)
def test_who_leaves_new_angles(method, theta, trained):
    for times in (1.2, 2.0, 32.0, 256.0):
        values = compute(method, theta=theta, trained=trained, times=times)
        left = {"none": never_turn(values), "ntk": never_turn(values) - 1}.get(method, 0)
        assert len(lit(values)) == left
        seen, now = values["turns"]
        slow = seen < 1
        stays_within = bool((now[slow] <= seen[slow] * (1 + 1e-9)).all())
        assert stays_within == (method not in ("none", "ntk"))


@pytest.mark.parametrize("method", METHODS)
def test_a_context_as_long_as_in_training_changes_nothing(method):
    values = compute(method, times=1.0)
    assert zones(values) == [64, 0, 0]
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
    values = compute("llama3", times=8.0, theta="500000", trained="8192")
    assert zones(values) == [29, 6, 29]
    assert values["zone"].tolist() == sorted(values["zone"].tolist())
    assert torch.equal(values["zone"] == 2, values["turns"][0] < 1)
    assert torch.equal(values["zone"] == 0, values["turns"][0] >= 4)
    for i in range(29, 35):
        turns = 8192 * 500000 ** (-i / 64) / (2 * math.pi)
        kept = (turns - 1) / 3
        slower = values["wavelengths"][1, i] / values["wavelengths"][0, i]
        assert slower.item() == pytest.approx(1 / (kept + (1 - kept) / 8))


def test_yarn_blends_by_the_pair():
    """Between the pairs that turn 32 times and once within 4,096, rounded outwards: 20 and 46."""
    values = compute("yarn")
    first, last = (64 * math.log(4096 / (2 * math.pi * n)) / math.log(10000) for n in (32, 1))
    assert (math.floor(first), math.ceil(last)) == (20, 46)
    expected = []
    for i in PAIRS:
        slowed = min(max((i - 20) / 26, 0), 1)
        expected.append(1 / (1 - slowed + slowed / 4))
    torch.testing.assert_close(values["wavelengths"][1] / values["wavelengths"][0], exact(expected))
    assert zones(values) == [21, 25, 18]


def test_the_summary_s_numbers():
    values = compute("ntk")
    for text in (
        f"{never_turn(values)} of the 64",
        f"{len(lit(values))} with new angles",
        f"{values['beyond'].max():.2f} times the largest",
    ):
        assert text in FrequencySpectrum.summary

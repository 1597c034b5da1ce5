"""What ShiftClocks computes, checked against formulas written out here."""

import math

import pytest
import torch

from pe_lib.figures import ShiftClocks
from pe_lib.figures.sinusoidal.shift_clocks import FITTED, SPAN

SETTINGS = [
    {"dim": 8, "theta": 10000.0, "position": 3.0, "shift": 5.0},
    {"dim": 2, "theta": 10.0, "position": 0.0, "shift": -50.0},
    {"dim": 32, "theta": 1e6, "position": 99.5, "shift": 0.25},
]


@pytest.fixture(params=SETTINGS, ids=lambda inputs: f"dim{inputs['dim']}")
def settings(request: pytest.FixtureRequest) -> dict:
    return request.param


def frequency(settings: dict, pair: int) -> float:
    return settings["theta"] ** (-2 * pair / settings["dim"])


def compute(settings: dict) -> dict:
    return ShiftClocks.compute("cpu", **settings, cosine=True)


def test_hands_point_to_sine_and_cosine(settings):
    values = compute(settings)
    for name, p in (
        ("here", settings["position"]),
        ("there", settings["position"] + settings["shift"]),
    ):
        for pair in range(settings["dim"] // 2):
            angle = p * frequency(settings, pair)
            expected = torch.tensor([math.sin(angle), math.cos(angle)], dtype=torch.float64)
            torch.testing.assert_close(values[name][2 * pair : 2 * pair + 2], expected)


def test_the_turned_hand_lands_on_the_moved_position(settings):
    values = compute(settings)
    torch.testing.assert_close(values["moved"], values["there"], rtol=0, atol=1e-13)
    torch.testing.assert_close(values["turn"] @ values["here"], values["moved"])


def test_wavelengths_say_when_a_hand_is_back(settings):
    lengths = compute(settings)["wavelengths"]
    for pair, length in enumerate(lengths.tolist()):
        assert length * frequency(settings, pair) == pytest.approx(2 * math.pi)


def test_sines_before_and_after_the_shift(settings):
    values = compute(settings)
    assert values["sines"].shape == values["shifted"].shape == (SPAN, settings["dim"] // 2)
    for p in (0, 7, SPAN - 1):
        for pair in range(settings["dim"] // 2):
            turned = (p + settings["shift"]) * frequency(settings, pair)
            assert values["sines"][p, pair] == pytest.approx(
                math.sin(p * frequency(settings, pair))
            )
            assert values["shifted"][p, pair] == pytest.approx(math.sin(turned))


def test_no_other_single_factor_is_better(settings):
    values = compute(settings)
    sines, shifted = values["sines"][:FITTED], values["shifted"][:FITTED]

    def error(factors: torch.Tensor) -> torch.Tensor:
        return (factors * sines - shifted).square().sum(0)

    best = values["factors"]
    assert (error(best) < error(best + 0.01)).all()
    assert (error(best) < error(best - 0.01)).all()


def test_without_the_cosine_even_the_best_factor_misses():
    values = compute(SETTINGS[0])
    miss = values["factors"] * values["sines"] - values["shifted"]
    # At position 0 every sine is 0, so the whole of sin(5 w) is missed.
    torch.testing.assert_close(miss[0], -values["shifted"][0])
    assert miss[:FITTED, 0].abs().max() > 0.9


def test_moving_by_nothing_needs_no_turn():
    values = compute(SETTINGS[0] | {"shift": 0.0})
    assert torch.equal(values["turn"], torch.eye(8, dtype=torch.float64))
    torch.testing.assert_close(values["factors"], torch.ones(4, dtype=torch.float64))

"""What chapter 06 says of each scaling, beside the functions that published models load with."""

from typing import Any

import pytest
import torch
from torch import Tensor

import pe_lib
from tests.chapters.executed import names_after
from tests.helpers import published_rotary


@pytest.fixture(scope="module")
def taught() -> dict[str, Any]:
    """The names of the cells that read no text with the trained model."""
    first = {"torch": torch, "pe_lib": pe_lib}
    return names_after("06_longer_context", ["ntk", "llama3", "config"], first)


def close(result: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(result, expected, rtol=1e-5, atol=0)


def test_interpolation_divides_every_frequency() -> None:
    theirs, factor = published_rotary(32, 10_000.0, 128, rope_type="linear", factor=4.0)
    close(pe_lib.LinearScaling(4.0).inverse_frequencies(32), theirs)
    assert factor == 1


def test_the_new_base_is_the_dynamic_rule_at_four_times_the_length(taught: dict[str, Any]) -> None:
    theirs, _ = published_rotary(32, 10_000.0, 128, 4 * 128, rope_type="dynamic", factor=1.0)
    close(pe_lib.inverse_frequencies(32, taught["base"]), theirs)


def test_the_first_slow_pair_meets_new_angles_with_the_new_base(taught: dict[str, Any]) -> None:
    theirs, _ = published_rotary(32, 10_000.0, 128, 4 * 128, rope_type="dynamic", factor=1.0)
    before = 10_000.0 ** (-torch.arange(0, 32, 2, dtype=torch.float64) / 32)
    slow = 128 * before < 2 * torch.pi  # not once round in training
    assert int(slow.long().argmax()) == 6  # as its text says
    assert 4 * float(theirs[6] / before[6]) == pytest.approx(2.3, abs=0.05)


def test_the_blend_by_turns_is_llama_3(taught: dict[str, Any]) -> None:
    theirs, factor = published_rotary(
        128,
        500_000.0,
        131072,
        rope_type="llama3",
        factor=8.0,
        low_freq_factor=1.0,
        high_freq_factor=4.0,
        original_max_position_embeddings=8192,
    )
    close(taught["by_turns"](128, 500_000.0, 8.0, 1.0, 4.0, 8192), theirs)
    assert factor == 1


def test_the_published_configuration(taught: dict[str, Any]) -> None:
    config = taught["config"]
    theirs, factor = published_rotary(
        config["head_dim"], config["rope_theta"], 131072, **config["rope_scaling"]
    )
    settings = taught["settings"]
    close(settings.scaling.inverse_frequencies(settings.dim, settings.theta), theirs)
    cos, _ = settings.cos_sin(131072)
    position = 100_000
    angles = position * theirs
    # In float32, as models have them, an angle of 100,000 radians is right to some thousandths.
    torch.testing.assert_close(cos[position].double(), factor * angles.cos(), rtol=0, atol=0.01)
    assert cos[0].tolist() == pytest.approx([factor] * 64)
    slower = 1_000_000.0 ** (-torch.arange(0, 128, 2, dtype=torch.float64) / 128) / theirs
    zones = (slower > 1.0001).long() + (slower > 3.9999)
    assert zones.tolist() == [0] * 24 + [1] * 16 + [2] * 24  # as its text says

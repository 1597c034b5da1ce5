"""What CacheOffset computes, checked against formulas written out here."""

import math

import pytest
import torch

from pe_lib.course.running_sentence import W_K, W_Q, WORDS, embeddings
from pe_lib.figures import CacheOffset

SETTINGS = {
    "step": 4,
    "positions": "cache",
    "padding": 0,
    "masked": True,
    "encoding": "rope",
    "theta": 10000.0,
}


def compute(**changed) -> dict:
    return CacheOffset.compute("cpu", **(SETTINGS | changed))


def turned(row: torch.Tensor, position: int, theta: float) -> torch.Tensor:
    """RoPE, half-split, written out."""
    out = row.clone()
    for pair in range(4):
        a, b, angle = row[pair], row[pair + 4], position * theta ** (-2 * pair / 8)
        out[pair] = a * math.cos(angle) - b * math.sin(angle)
        out[pair + 4] = b * math.cos(angle) + a * math.sin(angle)
    return out


def added(row: torch.Tensor, position: int, theta: float) -> torch.Tensor:
    """A sinusoidal position on top, written out."""
    angles = [position * theta ** (-2 * pair / 8) for pair in range(4)]
    waves = [wave(angle) for angle in angles for wave in (math.sin, math.cos)]
    return row + torch.tensor(waves, dtype=torch.float64)


def weights(
    vectors: list, positions: list[int], encoding: str, theta: float, hidden: int = 0
) -> torch.Tensor:
    """What the last of the vectors gives each; the first ``hidden`` ones are not seen."""
    if encoding == "sinusoidal":
        vectors = [added(x, p, theta) for x, p in zip(vectors, positions, strict=True)]
    q, keys = vectors[-1] @ W_Q, [x @ W_K for x in vectors]
    if encoding == "rope":
        q = turned(q, positions[-1], theta)
        keys = [turned(k, p, theta) for k, p in zip(keys, positions, strict=True)]
    powers = [math.exp(q @ k / math.sqrt(8)) for k in keys[hidden:]]
    return torch.tensor([0.0] * hidden + [power / sum(powers) for power in powers]).double()


@pytest.mark.parametrize("encoding", ["rope", "sinusoidal"])
@pytest.mark.parametrize("theta", [10.0, 10000.0])
@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ("cache", [0, 1, 2, 3, 4, 5, 6]),
        ("mask", [0, 0, 0, 1, 2, 3, 4]),
        ("forgotten", [0, 1, 2, 3, 0, 0, 0]),
    ],
)
def test_the_new_words_row(encoding, theta, positions, expected):
    words = list(embeddings(WORDS[:5]))
    vectors = [torch.zeros(8, dtype=torch.float64)] * 2 + words
    for masked in (True, False):
        way = {"positions": positions, "masked": masked, "encoding": encoding, "theta": theta}
        values = compute(step=3, padding=2, **way)
        assert values["position"].tolist() == expected
        row = weights(vectors, expected, encoding, theta, hidden=2 if masked else 0)
        torch.testing.assert_close(values["weight"], row, rtol=0, atol=1e-7)
        full = weights(words, [0, 1, 2, 3, 4], encoding, theta)
        torch.testing.assert_close(values["full"][2:], full, rtol=0, atol=1e-7)
        assert values["full"][:2].tolist() == [0, 0]


@pytest.mark.parametrize("encoding", ["rope", "sinusoidal"])
@pytest.mark.parametrize("step", [1, 2, 3, 4])
def test_with_the_right_position_a_step_sees_what_the_full_pass_sees(step, encoding):
    for positions in ("cache", "mask"):
        values = compute(step=step, positions=positions, encoding=encoding)
        torch.testing.assert_close(values["weight"], values["full"])


@pytest.mark.parametrize("encoding", ["rope", "sinusoidal"])
def test_a_forgotten_offset_is_seen_at_every_step(encoding):
    """What the chapter says about the figure."""
    for step in (1, 2, 3, 4):
        values = compute(step=step, positions="forgotten", encoding=encoding)
        assert values["position"].tolist() == [0, 1] + [0] * step
        assert (values["weight"] - values["full"]).abs().max() > 0.03


def test_it_rests_on_an_offset_that_is_forgotten_and_plainly_wrong():
    """What the summary says."""
    values = compute(**CacheOffset().inputs)
    assert (round(values["weight"][2].item(), 2), round(values["full"][2].item(), 2)) == (
        0.46,
        0.25,
    )


def test_with_a_forgotten_offset_both_the_get_one_weight():
    """What the figure says: at one position their keys are one and the same."""
    for step in (3, 4):
        wrong, right = (compute(step=step, positions=p)["weight"] for p in ("forgotten", "cache"))
        assert wrong[0].item() == pytest.approx(wrong[4].item())
        assert abs(right[0] - right[4]) > 0.02


@pytest.mark.parametrize(("step", "padding"), [(1, 1), (1, 4), (4, 1), (4, 4)])
def test_masked_pads_change_nothing_for_rope_however_positions_are_counted(step, padding):
    for positions in ("cache", "mask"):
        values = compute(step=step, padding=padding, positions=positions)
        torch.testing.assert_close(values["weight"], values["full"])


def test_masked_pads_change_what_is_added_at_the_input_where_they_are_counted():
    sinusoidal = {"padding": 2, "encoding": "sinusoidal"}
    right = compute(positions="mask", **sinusoidal)
    torch.testing.assert_close(right["weight"], right["full"])
    wrong = compute(positions="cache", **sinusoidal)
    assert (wrong["weight"] - wrong["full"]).abs().max() > 0.1


def test_pads_that_are_not_masked_take_attention():
    values = compute(padding=2, masked=False)
    assert values["weight"][:2].min() > 0.05
    assert values["weight"].sum().item() == pytest.approx(1)
    assert compute(padding=2)["weight"][:2].tolist() == [0, 0]

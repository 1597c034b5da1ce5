"""What PatchGrid computes, checked against formulas written out here."""

import itertools
import math

import pytest
import torch

from pe_lib.figures import PatchGrid
from pe_lib.figures.two_dimensions.patch_grid import outermost

WAYS = ("1d", "axial", "mixed")
TWO_DIMENSIONS = ("axial", "mixed")
PATCHES = {"8": (8, 1.0), "16": (16, 1.0), "stretched": (16, 0.5)}
THETAS = (10.0, 31.0, 100.0, 1000.0, 10000.0)


def compute(**changed) -> dict:
    inputs = {"way": "1d", "patches": "8", "row": 3, "column": 7, "theta": 100.0, "dim": 64}
    return PatchGrid.compute("cpu", **inputs | changed)


def score(
    way: str, side: int, scale: float, theta: float, right: int, down: int, pairs: int = 32
) -> float:
    """The mean cosine of what the pairs turn by between two patches."""
    if way == "1d":
        distance = (side * down + right) * scale**2
        return math.fsum(math.cos(distance * theta ** (-i / pairs)) for i in range(pairs)) / pairs
    cosines = []
    for i in range(pairs // 2):
        angle = 0 if way == "axial" else i * math.pi * (3 - math.sqrt(5))
        for x, y in (
            (math.cos(angle), math.sin(angle)),
            (-math.sin(angle), math.cos(angle)),
        ):
            cosines.append(math.cos(theta ** (-2 * i / pairs) * scale * (right * x + down * y)))
    return math.fsum(cosines) / pairs


@pytest.mark.parametrize("patches", PATCHES)
@pytest.mark.parametrize("way", WAYS)
def test_scores_are_mean_cosines(way, patches):
    values = compute(way=way, patches=patches, row=2, column=5, theta=50.0)
    side, scale = PATCHES[patches]
    row, column = (2, 5) if side == 8 else (4, 11)
    for shown, size, extent, (r, c) in (
        (values["scores"], side, scale, (row, column)),
        (values["trained"], 8, 1.0, (2, 5)),
    ):
        expected = [
            [score(way, size, extent, 50.0, j - c, i - r) for j in range(size)] for i in range(size)
        ]
        torch.testing.assert_close(
            shown, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-12
        )


@pytest.mark.parametrize("way", WAYS)
def test_scores_of_other_heads(way):
    scores = compute(way=way, row=2, column=5, theta=5000.0, dim=24)["scores"]
    expected = [
        [score(way, 8, 1.0, 5000.0, j - 5, i - 2, pairs=12) for j in range(8)] for i in range(8)
    ]
    torch.testing.assert_close(
        scores, torch.tensor(expected, dtype=torch.float64), rtol=0, atol=1e-12
    )


def test_the_last_patch_of_a_row_takes_the_first_of_the_next_for_a_near_one_in_1d_alone():
    for theta, row, patches in itertools.product(THETAS, (0, 3, 6), PATCHES):
        for way in WAYS:
            scores = compute(way=way, row=row, patches=patches, theta=theta)["scores"]
            line = row if patches == "8" else outermost(row)
            first, below = scores[line + 1, 0], scores[line + 1, -1]
            assert (first > below) == (way == "1d")
            if way == "1d":
                assert first == pytest.approx(scores[line, -2].item(), abs=1e-12)


def test_the_summary_s_numbers():
    line, axial = (compute(way=way)["scores"] for way in ("1d", "axial"))
    assert [round(float(s), 2) for s in (line[4, 0], line[4, 7])] == [0.94, 0.43]
    assert [round(float(s), 2) for s in (axial[4, 0], axial[4, 7])] == [0.69, 0.97]


@pytest.mark.parametrize("theta", THETAS)
def test_axial_is_alike_in_x_and_y_and_a_sum_of_both(theta):
    scores = compute(way="axial", row=3, column=3, theta=theta)["scores"]
    torch.testing.assert_close(scores, scores.T)
    around = scores[:7, :7]  # the query in the middle
    torch.testing.assert_close(around, around.flip(0))
    torch.testing.assert_close(around, around.flip(1))
    torch.testing.assert_close(scores, scores[3:4] + scores[:, 3:4] - 1)


def test_mixed_is_rounder_than_axial():
    """Patches five away, in the query's row or column or aslant (3, 4), should score alike."""
    for theta in (10.0, 100.0):
        spread = {}
        for way in TWO_DIMENSIONS:
            scores = compute(way=way, row=0, column=0, theta=theta)["scores"]
            ring = torch.stack([scores[place] for place in ((0, 5), (5, 0), (3, 4), (4, 3))])
            spread[way] = ring.max() - ring.min()
        assert spread["mixed"] < 0.07
        assert spread["axial"] > 2 * spread["mixed"]


@pytest.mark.parametrize("place", [(0, 0), (3, 7), (4, 3), (7, 7)])
@pytest.mark.parametrize("way", TWO_DIMENSIONS)
def test_stretched_every_place_scores_as_it_did(way, place):
    values = compute(way=way, patches="stretched", row=place[0], column=place[1])
    down, right = (outermost(n) % 2 for n in place)
    torch.testing.assert_close(values["scores"][down::2, right::2], values["trained"])


@pytest.mark.parametrize("way", TWO_DIMENSIONS)
def test_counted_on_the_lit_spot_is_half_as_large(way):
    """So many patches from the query, a score is what it was."""
    values = compute(way=way, patches="16")
    torch.testing.assert_close(values["scores"][3:11, 8:], values["trained"])


def test_on_a_line_no_factor_helps():
    values = compute(patches="stretched", row=3, column=7)
    fine, coarse = values["scores"][::2, 1::2], values["trained"]
    torch.testing.assert_close(fine[:, 7], coarse[:, 7])  # rows are as far apart as before
    for patches in range(1, 8):  # and columns half as far
        before = score("1d", 8, 1.0, 100.0, patches, 0)
        now = math.fsum(math.cos(patches / 2 * 100 ** (-i / 32)) for i in range(32)) / 32
        assert (coarse[3, 7 - patches], fine[3, 7 - patches]) == pytest.approx((before, now))


def test_the_query_scores_1_and_stays_where_it_is():
    assert [outermost(place) for place in range(8)] == [0, 2, 4, 6, 9, 11, 13, 15]
    for way, patches in itertools.product(WAYS, PATCHES):
        for row, column in ((0, 0), (3, 7), (7, 4)):
            scores = compute(way=way, patches=patches, row=row, column=column)["scores"]
            if patches != "8":
                row, column = outermost(row), outermost(column)
            assert scores[row, column] == pytest.approx(1, abs=1e-12)
            assert scores.max() == scores[row, column]


def test_torch_s_random_numbers_stay_as_they_were():
    before = torch.random.get_rng_state()
    compute(way="mixed")
    assert torch.equal(torch.random.get_rng_state(), before)

"""xPos: queries grow where keys shrink, and the score sees the offset alone."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from pe_lib import apply_rotary, rotary_cos_sin, xpos_scale
from tests.helpers import F64

mp.dps = 40


def test_scales_written_out():
    """zeta of 6 features is 2/7, 11/21, 16/21; center 2; computed at 40 digits."""
    expected = [
        [1.004905598587742, 1.002529080104076, 1.001062805453977],
        [1.002449798537434, 1.001263741530710, 1.000531261607541],
        [1, 1, 1],
        [0.997556188308873, 0.998737853496245, 0.999469020481492],
    ]
    scale = xpos_scale(4, 6, center=2, dtype=F64)
    for result, row in zip(scale.tolist(), expected, strict=True):
        assert result == pytest.approx(row, rel=1e-14)
    assert xpos_scale(torch.tensor(512), 6, dtype=F64).tolist() == pytest.approx(
        [2 / 7, 11 / 21, 16 / 21], rel=1e-15
    )
    assert xpos_scale(torch.tensor(1), 6, 0.5, dtype=F64).tolist() == pytest.approx(
        [4 / 49, 121 / 441, 256 / 441], rel=1e-15
    )


@pytest.mark.parametrize("dim", [2, 6, 64, 128])
@pytest.mark.parametrize(("scale_base", "center"), [(512, 0), (16.5, 3), (512, -100.25)])
def test_scales_are_right_to_rounding(dim, scale_base, center):
    positions = [0, 1, 7, 500, -300, 0.5]
    result = xpos_scale(torch.tensor(positions), dim, scale_base, center=center, dtype=F64)
    in_float32 = xpos_scale(torch.tensor(positions), dim, scale_base, center=center)
    assert in_float32.dtype == torch.float32
    assert torch.equal(in_float32, result.float())
    for row, position in enumerate(positions):
        power = (mpf(position) - mpf(center)) / mpf(scale_base)
        for i in range(dim // 2):
            exact = ((mpf(2 * i) + mpf(dim) * 2 / 5) / (mpf(dim) * 7 / 5)) ** power
            # zeta is rounded three times, the power twice, and pow once.
            bound = (4 * abs(power) + 2 * abs(mp.log(exact)) + 2) * mpf(2) ** -53 * exact
            assert abs(mpf(result[row, i].item()) - exact) <= bound


def score(q, k, m, n, interleaved, center):
    """The score of a query at m and a key at n."""

    def at(x, position, sign):
        position = torch.tensor([position])
        scale = xpos_scale(position, 6, center=center, dtype=F64) ** sign
        cos, sin = rotary_cos_sin(position, 6, dtype=F64)
        return apply_rotary(x[None], cos * scale, sin * scale, interleaved=interleaved)[0]

    return (at(q, m, 1) @ at(k, n, -1)).item()


Q = torch.tensor([0.5, 1.0, -0.5, 0.8, -1.2, 0.3], dtype=F64)
K = torch.tensor([-0.7, 0.9, 0.4, -0.6, 1.1, -0.2], dtype=F64)


@pytest.mark.parametrize("center", [0, 2, 50, -7.5])
@pytest.mark.parametrize(
    ("m", "n", "interleaved", "expected"),
    [
        (1, 3, False, -0.7725114959740),
        (11, 13, False, -0.7725114959740),
        (3, 1, False, 0.1036076637243),
        (13, 11, False, 0.1036076637243),
        (1, 3, True, -3.3388167644888),
        (11, 13, True, -3.3388167644888),
        (3, 1, True, -1.2432988964594),
    ],
)
def test_scores_written_out(m, n, interleaved, expected, center):
    assert score(Q, K, m, n, interleaved, center) == pytest.approx(expected, rel=1e-12)


@given(st.integers(0, 5000), st.integers(-500, 500))
def test_the_score_is_rope_s_with_every_pair_multiplied_by_the_scale_of_the_distance(m, distance):
    """What can be drawn as xPos' decay beside the biases of ALiBi and the like."""
    cos, sin = rotary_cos_sin(torch.tensor([m, m - distance]), 6, dtype=F64)
    q, k = apply_rotary(torch.stack((Q, K)), cos, sin)
    pairs = (q * k).view(2, 3).sum(0)  # half-split: feature i and i + 3
    decay = xpos_scale(torch.tensor(distance), 6, dtype=F64)
    expected = (decay * pairs).sum().item()
    assert score(Q, K, m, m - distance, False, m) == pytest.approx(expected, rel=1e-12)
    assert (decay < 1).all() or distance <= 0


@given(st.floats(-2000, 2000), st.floats(-500, 500), st.floats(8, 4096), st.floats(-100, 100))
def test_the_product_sees_only_the_offset(position, offset, scale_base, center):
    here, there = xpos_scale(
        torch.tensor([position, position + offset], dtype=F64),
        16,
        scale_base,
        center=center,
        dtype=F64,
    )
    expected = xpos_scale(torch.tensor(-offset, dtype=F64), 16, scale_base, dtype=F64)
    torch.testing.assert_close(here / there, expected, rtol=1e-11, atol=0)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 4)])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, F64], ids=str)
def test_positions_of_any_shape(shape, dtype):
    scale = xpos_scale(torch.zeros(shape, dtype=torch.int64), 8, dtype=dtype)
    assert scale.shape == (*shape, 4)
    assert scale.dtype == dtype
    assert (scale == 1).all()


def test_a_center_moved_along_stays_in_range():
    far = torch.tensor(16_000_001)
    assert (xpos_scale(far, 64) == 0).any()
    assert torch.equal(xpos_scale(far, 64, center=16_000_000), xpos_scale(torch.tensor(1), 64))

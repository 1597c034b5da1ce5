"""T5's buckets: right in exact arithmetic, equal to transformers', and a bias made of them."""

import math
from bisect import bisect_left

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf
from transformers import T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from pe_lib import T5RelativeBias, relative_positions, t5_relative_bucket
from tests.helpers import compiled

mp.dps = 60
BOTH = pytest.mark.parametrize("bidirectional", [True, False])
FAR = torch.arange(-100_000, 100_001)


def in_exact_arithmetic(distance, buckets, max_distance):
    """The formula in integers: log(d/E) / log(D/E) * m >= b where d^m E^b >= D^b E^m."""
    exact = buckets // 2
    m = buckets - exact
    if distance < exact:
        return distance
    d, e, top = min(distance, max_distance), exact, max_distance
    steps = bisect_left(range(1, m), True, key=lambda b: d**m * e**b < top**b * e**m)
    return exact + steps


def test_buckets_written_out():
    """Of 32 for both directions, 16 look back: 8 of one distance each, then 8 that grow."""
    starts = [*range(9), 12, 16, 23, 32, 46, 64, 91]
    for number, start in enumerate(starts):
        around = torch.tensor([-start, 1 - start if start else 0])
        expected = [number, number - 1 if start else 0]
        assert t5_relative_bucket(around, bidirectional=True).tolist() == expected
    # Of 32 for one direction, 16 have one distance each.
    assert t5_relative_bucket(-torch.arange(16), bidirectional=False).tolist() == [*range(16)]
    far = torch.tensor([-16, -18, -19, -112, -113, -127, -128, -10_000])
    assert t5_relative_bucket(far, bidirectional=False).tolist() == [16, 16, 17, 30, 31, 31, 31, 31]


def test_128_and_10_000_share_a_bucket():
    for bidirectional in (True, False):
        near, far = t5_relative_bucket(
            torch.tensor([-128, -10_000]), bidirectional=bidirectional
        ).tolist()
        assert near == far == (15 if bidirectional else 31)


@BOTH
@pytest.mark.parametrize(
    ("num_buckets", "max_distance"),
    [(32, 128), (64, 128), (32, 1024), (320, 800), (16, 64), (33, 100), (8, 20), (12, 81)],
)
def test_equal_to_transformers(bidirectional, num_buckets, max_distance):
    """For every distance up to 100,000, both ways."""
    settings = {"num_buckets": num_buckets, "max_distance": max_distance}
    theirs = T5Attention._relative_position_bucket(FAR, bidirectional, **settings)
    ours = t5_relative_bucket(FAR, bidirectional=bidirectional, **settings)
    assert torch.equal(ours, theirs)


@pytest.mark.parametrize(
    ("num_buckets", "max_distance", "distance", "bucket"), [(17, 27, 18, 14), (19, 196, 42, 14)]
)
def test_on_the_border_where_float32_is_wrong(num_buckets, max_distance, distance, bucket):
    """(18/8)^9 = (27/8)^6 and (42/9)^10 = (196/9)^5: whole steps, which a float32 log misses.

    Of all settings up to 40 buckets and a largest distance of 299 these two are the only ones in
    which transformers differs from exact arithmetic.
    """
    settings = {"bidirectional": False, "num_buckets": num_buckets, "max_distance": max_distance}
    position = torch.tensor([-distance])
    exact = num_buckets // 2
    steps = num_buckets - exact
    assert distance**steps * exact ** (bucket - exact) == max_distance ** (bucket - exact) * (
        exact**steps
    )
    assert in_exact_arithmetic(distance, num_buckets, max_distance) == bucket
    assert t5_relative_bucket(position, **settings).item() == bucket
    assert t5_relative_bucket(position + 1, **settings).item() == bucket - 1
    assert T5Attention._relative_position_bucket(position, **settings).item() == bucket - 1


@pytest.mark.parametrize("num_buckets", [2, 3, 4, 5, 8, 17, 19, 32, 40])
def test_right_in_exact_arithmetic(num_buckets):
    exact = num_buckets // 2
    for max_distance in [*range(exact + 1, exact + 25), 100, 128, 196, 256, 1000, 4096]:
        distances = range(min(max_distance + 3, 300))
        expected = [in_exact_arithmetic(d, num_buckets, max_distance) for d in distances]
        result = t5_relative_bucket(
            -torch.arange(len(distances)),
            bidirectional=False,
            num_buckets=num_buckets,
            max_distance=max_distance,
        )
        assert result.tolist() == expected, max_distance


def test_the_formula_at_60_digits():
    for distance in range(16, 200):
        real = 16 + mp.log(mpf(distance) / 16) / mp.log(mpf(128) / 16) * 16
        # 128 / 16 is 8: whole steps at 16 and 128 alone, where a log has nothing to round.
        bucket = min(31, int(mp.floor(real + mpf(10) ** -50)))
        position = torch.tensor([-distance])
        assert t5_relative_bucket(position, bidirectional=False).item() == bucket


settings = st.tuples(st.booleans(), st.integers(4, 70), st.integers(36, 5000))


@given(settings, st.integers(0, 10_000))
def test_farther_is_never_a_smaller_bucket(setting, distance):
    bidirectional, num_buckets, max_distance = setting
    near, far = t5_relative_bucket(
        torch.tensor([-distance, -distance - 1]),
        bidirectional=bidirectional,
        num_buckets=num_buckets,
        max_distance=max_distance,
    ).tolist()
    per_direction = num_buckets // 2 if bidirectional else num_buckets
    assert 0 <= near <= far < per_direction
    assert far == per_direction - 1 or distance < max_distance
    if distance < per_direction // 2:
        assert near == distance


@given(st.integers(2, 35), st.integers(36, 5000), st.integers(1, 10_000))
def test_keys_ahead_mirror_keys_of_the_past(half, max_distance, distance):
    settings = {"num_buckets": 2 * half, "max_distance": max_distance}
    past, ahead = t5_relative_bucket(
        torch.tensor([-distance, distance]), bidirectional=True, **settings
    ).tolist()
    assert ahead == past + half
    both = t5_relative_bucket(torch.tensor([0, distance]), bidirectional=False, **settings)
    assert both.tolist() == [0, 0]


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.int16, torch.int32])
@pytest.mark.parametrize("shape", [(), (0,), (2, 1, 3)])
def test_any_integers_of_any_shape(dtype, shape):
    positions = torch.full(shape, 100, dtype=dtype)
    bucket = t5_relative_bucket(positions, bidirectional=True)
    assert bucket.dtype == torch.int64
    assert torch.equal(bucket, torch.full(shape, 31))


@BOTH
def test_bias_equals_transformers(bidirectional):
    config = T5Config(num_heads=4, d_model=16, d_kv=4, is_decoder=not bidirectional)
    theirs = T5Attention(config, has_relative_attention_bias=True, layer_idx=0)
    ours = T5RelativeBias(4, bidirectional=bidirectional)
    ours.load_state_dict(theirs.relative_attention_bias.state_dict())
    expected = theirs.compute_bias(200, 200)[0]
    assert torch.equal(ours(200), expected)
    assert torch.equal(ours(1, 200), theirs.compute_bias(1, 200, past_seen_tokens=199)[0])
    assert torch.equal(ours(7, 200), expected[:, -7:])


@pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")  # x-transformers' own
@BOTH
def test_bias_equals_x_transformers(bidirectional):
    from x_transformers.x_transformers import RelativePositionBias

    theirs = RelativePositionBias(scale=1.0, causal=not bidirectional, heads=3)
    ours = T5RelativeBias(3, bidirectional=bidirectional)
    ours.load_state_dict(theirs.relative_attention_bias.state_dict())
    for lengths in ((5, 5), (3, 300), (1, 300)):
        assert torch.equal(ours(*lengths), theirs(*lengths))


@BOTH
@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (8, 20)])
def test_every_element_is_the_number_of_its_bucket(bidirectional, num_buckets, max_distance):
    settings = {"num_buckets": num_buckets, "max_distance": max_distance}
    bias = T5RelativeBias(3, bidirectional=bidirectional, **settings)
    assert bias.weight.shape == (num_buckets, 3)
    result = bias(4, 40)
    buckets = t5_relative_bucket(
        relative_positions(4, 40), bidirectional=bidirectional, **settings
    ).tolist()
    for head in range(3):
        for i in range(4):
            for j in range(40):
                assert result[head, i, j] == bias.weight[buckets[i][j], head]


def test_both_directions_unless_asked():
    assert T5RelativeBias(2).bidirectional
    assert T5RelativeBias(2).weight.shape == (32, 2)
    assert T5RelativeBias(2).max_distance == 128


def test_the_first_numbers_are_small():
    torch.manual_seed(0)
    weight = T5RelativeBias(1000).weight.detach()
    assert weight.std().item() == pytest.approx(0.02, rel=0.02)
    assert abs(weight.mean().item()) < 0.02 / math.sqrt(weight.numel()) * 4


@pytest.mark.usefixtures("without_shape_checks")
def test_buckets_compile_whole():
    positions = torch.arange(-300, 300)
    fast = compiled(t5_relative_bucket)
    for num_buckets, max_distance in ((32, 128), (17, 27), (9, 1000), (320, 800)):
        for bidirectional in (True, False):
            call = {
                "bidirectional": bidirectional,
                "num_buckets": num_buckets,
                "max_distance": max_distance,
            }
            expected = t5_relative_bucket(positions, **call)
            assert torch.equal(fast(positions, **call), expected)

"""What RelativeBuckets computes, checked against formulas written out here."""

import math

import pytest

from pe_lib.figures import RelativeBuckets
from pe_lib.figures.relative.relative_buckets import REACH

each_direction = pytest.mark.parametrize("bidirectional", [False, True])


def compute(**changed) -> dict[str, list[int]]:
    inputs = {"near": 128, "far": REACH, "buckets": 32, "max_distance": 128}
    inputs |= {"bidirectional": False, "clipped": False} | changed
    return {name: v.tolist() for name, v in RelativeBuckets.compute("cpu", **inputs).items()}


def bucket(distance: int, steps: int, max_distance: int) -> int:
    """Raffel et al. 2019, the formula of their code."""
    exact = steps // 2
    if distance < exact:
        return distance
    part = math.log(distance / exact) / math.log(max_distance / exact) + 1e-12
    return min(exact + int(part * (steps - exact)), steps - 1)


@each_direction
@pytest.mark.parametrize(("buckets", "max_distance"), [(32, 128), (4, 64), (64, 64), (33, 4096)])
def test_where_each_bucket_starts(buckets, max_distance, bidirectional):
    steps = buckets // 2 if bidirectional else buckets
    starts = compute(buckets=buckets, max_distance=max_distance, bidirectional=bidirectional)[
        "starts"
    ]
    assert len(starts) == steps
    all_buckets = [bucket(distance, steps, max_distance) for distance in range(max_distance + 1)]
    for number, start in enumerate(starts):
        assert all_buckets[start] >= number
        assert start == 0 or all_buckets[start - 1] < number


def test_t5_s_own_buckets():
    assert compute()["starts"][:18] == [*range(17), 19]
    assert compute()["starts"][-1] == 113
    assert compute(bidirectional=True)["starts"][-1] == 91


@each_direction
def test_buckets_of_the_keys_behind_and_ahead(bidirectional):
    steps = 16 if bidirectional else 32
    for near, far in ((1, 7), (8, 90), (91, 112), (113, 128), (9000, REACH)):
        values = compute(near=near, far=far, bidirectional=bidirectional)
        expected = [bucket(distance, steps, 128) for distance in (near, far)]
        assert values["keys"] == expected
        assert values["ahead"] == ([16 + n for n in expected] if bidirectional else [0, 0])


@each_direction
def test_clipped_distances(bidirectional):
    last = 15 if bidirectional else 31
    for near, far in ((1, last - 1), (last, last + 1), (128, REACH)):
        values = compute(near=near, far=far, bidirectional=bidirectional)
        assert values["clipped"] == [min(near, last), min(far, last)]

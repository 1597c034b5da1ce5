"""Exercise: the T5 bucket of a distance.

One distance at a time, as a learner thinks of it: no logarithm of 0 to work around. No call lies on
the border of two coarse buckets (but for the largest distance, which is capped), where a logarithm
may fall to either side: the rounding of a right answer does not count.
"""

import math

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.relative._common import BUCKETS
from pe_lib.relative.t5 import t5_relative_bucket

exercise = Exercise(
    *(call(distance) for distance in (0, 1, 9, 15, 16, 17, 19, 24, 40, 77, 112, 127, 128, 6000)),
    *(call(distance, 16, 100) for distance in (0, 5, 7, 8, 10, 11, 15, 27, 64, 99, 100, 101, 5000)),
    call(18, 16, 20),
    call(3, 8, 500),
    call(20, 8, 500),
    call(300, num_buckets=8, max_distance=500),
    call(700, num_buckets=64, max_distance=20_000),
    call(19_000, num_buckets=64, max_distance=20_000),
)


@exercise.answer
def my_bucket(distance: int, num_buckets: int = 32, max_distance: int = 128) -> Tensor:
    return t5_relative_bucket(
        torch.tensor(-distance),
        bidirectional=False,
        num_buckets=num_buckets,
        max_distance=max_distance,
    )


def _way(distance: int, first: float, last: int) -> float:
    """How much of the way from ``first`` to ``last`` lies behind, in logarithms."""
    return math.log(max(distance, 1) / first) / math.log(last / first)


def _coarse(distance: int, num_buckets: int, max_distance: int) -> float:
    """Coarse buckets passed, as a real number."""
    exact = num_buckets // 2
    return _way(distance, exact, max_distance) * (num_buckets - exact)


def _bucket(distance: int, num_buckets: int, coarse: float) -> int:
    """Exact when near; else that many coarse buckets on, at most the last one."""
    exact = num_buckets // 2
    return distance if distance < exact else min(exact + int(coarse), num_buckets - 1)


def _half(distance: int, num_buckets: int, max_distance: int) -> int:
    """With half of the buckets, as one of two directions has it."""
    half = num_buckets // 2
    return _bucket(distance, half, _coarse(distance, half, max_distance))


def _endless(distance: int, num_buckets: int, max_distance: int) -> int:
    """As if there were ever more buckets."""
    exact = num_buckets // 2
    if distance < exact:
        return distance
    return exact + int(_coarse(distance, num_buckets, max_distance))


# --- which distances have a bucket of their own -------------------------------------------------


@exercise.mistake(see=BUCKETS)
def a_bucket_for_every_distance(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> int:
    """every distance has a bucket of its own until there are none left. Only the first half of
    the buckets is that fine; the others grow."""
    return min(distance, num_buckets - 1)


@exercise.mistake(see=BUCKETS)
def no_exact_half(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """your buckets grow from the very beginning. The first half of them hold one distance each,
    and only then does the logarithm begin."""
    return min(int(_way(distance, 1, max_distance) * num_buckets), num_buckets - 1)


@exercise.mistake(see=BUCKETS)
def two_directions(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """you use only half of the buckets, as if the others were kept for keys ahead. Here no query
    looks ahead, and the past has all of them."""
    return _half(distance, num_buckets, max_distance)


@exercise.mistake(see=BUCKETS)
def half_kept_for_keys_ahead(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """your distances land in the upper half of the buckets, as keys ahead do if a model looks both
    ways. Here all keys are in the past, so all buckets are for the past."""
    upper = num_buckets // 2 if distance > 0 else 0
    return upper + _half(distance, num_buckets, max_distance)


@exercise.mistake(see=BUCKETS)
def past_taken_for_keys_ahead(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """every distance lands in the first bucket. The published code expects the past as negative
    numbers. Here a distance counts tokens back and is never negative."""
    return 0


@exercise.mistake(see=BUCKETS)
def defaults_whatever_is_asked(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> Tensor:
    """right for 32 buckets and 128 tokens, but your function ignores its arguments and always uses
    these two numbers."""
    return my_bucket(distance)


# --- the logarithm ------------------------------------------------------------------------------


@exercise.mistake(see=BUCKETS)
def coarse_half_in_equal_steps(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> int:
    """the first half is right, but your coarse buckets are all equally wide. Each should be wider
    than the one before, by the same ratio."""
    exact = num_buckets // 2
    steps = (distance - exact) / (max_distance - exact) * (num_buckets - exact)
    return _bucket(distance, num_buckets, steps)


@exercise.mistake(see=BUCKETS)
def logarithm_not_divided(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """the largest distance has no effect on your coarse half. You need the logarithm as a share of
    the logarithm of the whole way."""
    exact = num_buckets // 2
    steps = math.log(max(distance, 1) / exact) * (num_buckets - exact)
    return _bucket(distance, num_buckets, steps)


@exercise.mistake(see=BUCKETS)
def a_bucket_for_each_doubling(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> int:
    """a new bucket begins only where the distance has doubled. How often one begins follows from
    the number of buckets and the largest distance."""
    return _bucket(distance, num_buckets, math.log2(max(distance, 1) / (num_buckets // 2)))


@exercise.mistake(see=BUCKETS)
def logarithm_of_the_whole_distance(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> int:
    """your coarse half begins too late, because your logarithm is measured from distance 1. It has
    to be 0 where the coarse half begins."""
    exact = num_buckets // 2
    steps = _way(distance, 1, max_distance) * (num_buckets - exact)
    return _bucket(distance, num_buckets, steps)


@exercise.mistake(see=BUCKETS)
def whole_way_from_1(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """your coarse buckets are too wide: at the largest distance you are still far from the last
    one. The whole way begins where the coarse half begins, not at distance 1."""
    exact = num_buckets // 2
    way = math.log(max(distance, 1) / exact) / math.log(max_distance)
    return _bucket(distance, num_buckets, way * (num_buckets - exact))


@exercise.mistake(see=BUCKETS)
def coarse_half_over_all_buckets(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> int:
    """your coarse buckets are used up far too early: you spread the way over all buckets, but half
    of them are already taken."""
    return _bucket(distance, num_buckets, 2 * _coarse(distance, num_buckets, max_distance))


@exercise.mistake(see=BUCKETS)
def last_bucket_only_from_the_largest_distance(
    distance: int, num_buckets: int = 32, max_distance: int = 128
) -> int:
    """your coarse buckets are a little too wide: you spread the way over one bucket fewer than
    there are, so that the last one begins only at the largest distance."""
    coarse = _coarse(distance, num_buckets, max_distance)
    return _bucket(distance, num_buckets, coarse * (1 - 1 / (num_buckets - num_buckets // 2)))


@exercise.mistake(see=BUCKETS)
def exact_half_not_added(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """the first half is right, but your coarse buckets begin at 0 again, so that near and far
    share a number."""
    if distance < num_buckets // 2:
        return distance
    return min(int(_coarse(distance, num_buckets, max_distance)), num_buckets - 1)


# --- whole numbers ------------------------------------------------------------------------------


@exercise.mistake(see=BUCKETS)
def rounded(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """your coarse buckets begin half a bucket early: you round to the nearest number. A distance
    belongs to a bucket only when it has reached the bucket's beginning."""
    return _bucket(distance, num_buckets, round(_coarse(distance, num_buckets, max_distance)))


@exercise.mistake(see=BUCKETS)
def rounded_up(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """your coarse buckets begin too early: you round up. A distance belongs to a bucket only when
    it has reached the bucket's beginning."""
    return _bucket(distance, num_buckets, math.ceil(_coarse(distance, num_buckets, max_distance)))


@exercise.mistake(see=BUCKETS)
def one_bucket_too_far(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """your coarse buckets are all one too high: the first of them follows right after the last
    exact one."""
    return _bucket(distance, num_buckets, 1 + _coarse(distance, num_buckets, max_distance))


@exercise.mistake(see=BUCKETS)
def not_a_whole_number(distance: int, num_buckets: int = 32, max_distance: int = 128) -> float:
    """the first half is right, but in the coarse one you give fractions. A bucket is the row of a
    table."""
    exact = num_buckets // 2
    if distance < exact:
        return distance
    return min(exact + _coarse(distance, num_buckets, max_distance), num_buckets - 1)


# --- the far end --------------------------------------------------------------------------------


@exercise.mistake(see=BUCKETS)
def not_capped(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """right up to the largest distance. Beyond it your buckets go on, but the table has no such
    rows: all larger distances share the last bucket."""
    return _endless(distance, num_buckets, max_distance)


@exercise.mistake(see=BUCKETS)
def one_bucket_too_many(distance: int, num_buckets: int = 32, max_distance: int = 128) -> int:
    """from the largest distance on, your bucket is one that the table does not have: the buckets
    are counted from 0."""
    return min(_endless(distance, num_buckets, max_distance), num_buckets)

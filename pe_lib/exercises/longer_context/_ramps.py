"""Mistakes in YaRN's ramp from the pairs that are kept to those that are divided."""

import math
from collections.abc import Callable

from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.longer_context._common import RAMP, numbers
from pe_lib.exercises.mistakes import Mistakes

wrong_shares = Mistakes()


def pair_of(turns: float, dim: int, theta: float, original: float) -> float:
    """The pair that turns this often, hardly ever a whole number."""
    return dim / 2 * math.log(original / (2 * math.pi * turns), theta)


def ramp(pairs: Tensor, first: float, last: float) -> Tensor:
    """From 0 at pair ``first`` to 1 at ``last``, not cut off at either end."""
    return (pairs - first) / (last - first)


def slowed(dim: int, theta: float, original: float, fast: float, slow: float) -> Tensor:
    """The share of each frequency that is divided."""
    first = max(math.floor(pair_of(fast, dim, theta, original)), 0)
    last = math.ceil(pair_of(slow, dim, theta, original))
    return ramp(numbers(dim), first, last).clamp(0, 1)


def blended(frequencies: Tensor, factor: float, share: Tensor) -> Tensor:
    return (1 - share) * frequencies + share * frequencies / factor


def with_share(
    share: Callable[[Tensor, float, float], Tensor],
    dim: int,
    theta: float,
    factor: float,
    original: int,
    fast: float,
    slow: float,
) -> Tensor:
    """The frequencies when this share of each is divided, given the pairs and the two that turn
    ``fast`` and ``slow`` times, before they are rounded."""
    first, last = (pair_of(turns, dim, theta, original) for turns in (fast, slow))
    return blended(inverse_frequencies(dim, theta), factor, share(numbers(dim), first, last))


@wrong_shares.mistake(see=RAMP)
def not_rounded(pairs: Tensor, first: float, last: float) -> Tensor:
    """your ramp begins and ends between two pairs. Its bounds should be rounded outwards to whole
    pairs. (Some models leave this out, and their files say so.)"""
    return ramp(pairs, max(first, 0), last).clamp(0, 1)


@wrong_shares.mistake(see=RAMP)
def rounded_inwards(pairs: Tensor, first: float, last: float) -> Tensor:
    """your bounds are rounded inwards, so the ramp is too short. Round them outwards: the first one
    down, the last one up."""
    return ramp(pairs, max(math.ceil(first), 0), math.floor(last)).clamp(0, 1)


@wrong_shares.mistake(see=RAMP)
def both_rounded_down(pairs: Tensor, first: float, last: float) -> Tensor:
    """you round both bounds down. Round them outwards, so the last one up."""
    return ramp(pairs, max(math.floor(first), 0), math.floor(last)).clamp(0, 1)


@wrong_shares.mistake(see=RAMP)
def rounded_to_the_nearest(pairs: Tensor, first: float, last: float) -> Tensor:
    """you round each bound to the nearest pair. Round them outwards: the first one down, the last
    one up."""
    return ramp(pairs, max(round(first), 0), round(last)).clamp(0, 1)


@wrong_shares.mistake(see=RAMP)
def bound_below_0(pairs: Tensor, first: float, last: float) -> Tensor:
    """right if the first pair turns often enough. If it does not, your ramp begins before pair 0,
    but it should begin there."""
    return ramp(pairs, math.floor(first), math.ceil(last)).clamp(0, 1)


@wrong_shares.mistake(see=RAMP)
def ramp_over_features(pairs: Tensor, first: float, last: float) -> Tensor:
    """your ramp counts features, so it begins and ends after half as many pairs as it should. Count
    pairs instead."""
    return ramp(2 * pairs, max(math.floor(first), 0), math.ceil(last)).clamp(0, 1)


@wrong_shares.mistake(see=RAMP)
def ramp_without_end(pairs: Tensor, first: float, last: float) -> Tensor:
    """between the bounds you are right, but your ramp continues beyond them. Outside it should keep
    the value that it reached at the bound."""
    return ramp(pairs, max(math.floor(first), 0), math.ceil(last))


@wrong_shares.mistake(see=RAMP)
def step_at_the_first_bound(pairs: Tensor, first: float, last: float) -> Tensor:
    """there is no ramp: all pairs between the bounds are slowed by the whole factor. Each of them
    should be slowed a little more than the pair before."""
    return (pairs > max(math.floor(first), 0)).double()


@wrong_shares.mistake(see=RAMP)
def step_at_the_last_bound(pairs: Tensor, first: float, last: float) -> Tensor:
    """there is no ramp: all pairs between the bounds are kept. Each of them should be slowed a
    little more than the pair before."""
    return (pairs >= math.ceil(last)).double()


@wrong_shares.mistake(see=RAMP)
def ramp_reversed(pairs: Tensor, first: float, last: float) -> Tensor:
    """you slow the fast pairs and keep the slow ones. It is the slow pairs that would meet new
    angles."""
    return 1 - ramp(pairs, max(math.floor(first), 0), math.ceil(last)).clamp(0, 1)

"""Exercise: whether two encodings, trained from several seeds each, are apart.

An answer is one of two, so it takes many calls to tell mistakes apart.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.comparison._common import BANDS


def _call(a: Sequence[float], b: Sequence[float]) -> Call:
    return call(torch.tensor(a, dtype=torch.float64), torch.tensor(b, dtype=torch.float64))


exercise = Exercise(
    _call([1.52, 1.49, 1.50], [1.61, 1.58, 1.64]),  # a lower
    _call([2.9, 2.7, 2.8, 3.1], [2.2, 2.0, 2.4]),  # b lower
    _call([1.3, 1.5, 1.4], [1.8, 1.45, 1.7, 1.6]),  # a little of both
    _call([1.7, 1.45, 1.8, 1.6], [1.4, 1.3, 1.5]),
    _call([1.2, 1.9, 1.5, 1.4], [1.6, 1.55]),  # one inside the other
    _call([1.6, 1.55], [1.2, 1.9, 1.5, 1.4]),
    _call([1.0, 1.25, 1.5], [1.75, 1.5, 2.0]),  # they touch
    _call([1.75, 2.0, 1.5], [1.0, 1.5, 1.25]),
    _call([1.5, 1.5], [1.5, 1.5]),
    _call([1.0, 1.1, 1.2], [1.15, 1.25, 1.35]),  # seed by seed, a is lower
    _call([1.15, 1.25, 1.35], [1.0, 1.1, 1.2]),
    # one seed far from the others
    _call([1.0, 1.01, 1.02, 1.03, 1.5], [1.3, 1.31, 1.32, 1.33, 1.34]),
    _call([1.0, 0.2, 1.0, 1.0, 1.0], [1.02, 1.03, 1.05, 1.04, 1.9]),  # apart, though they vary
    _call([1.02, 1.03, 1.05, 1.04, 1.9], [1.0, 1.0, 0.2, 1.0, 1.0]),
    _call([1.0, 1.3, 1.4], [1.5, 1.2, 1.35]),  # one a little higher, at both ends
    _call([1.0, 1.2], [1.3, 0.9]),
    _call([1.1, 1.1], [1.0, 1.3]),
    _call([1.4, 1.4], [1.0, 1.3]),
    _call([1.25, 1.75, 1.5], [1.5, 1.25, 1.75]),  # the same band
)


@exercise.answer
def my_apart(a: Tensor, b: Tensor) -> bool:
    return _below(a, b) or _below(b, a)


def _below(a: Tensor, b: Tensor) -> bool:
    return a.max().item() < b.min().item()


def _means_apart(a: Tensor, b: Tensor, correction: int) -> bool:
    """By more than the two standard deviations together."""
    deviations = a.std(correction=correction) + b.std(correction=correction)
    return (a.mean() - b.mean()).abs().item() > deviations.item()


def _inside(value: Tensor, band: Tensor) -> bool:
    return band.min().item() <= value.item() <= band.max().item()


# --- something else than the bands --------------------------------------------------------------


@exercise.mistake(see=BANDS)
def means_compared(a: Tensor, b: Tensor) -> bool:
    """you compare means. They nearly always differ, even between two runs of the same encoding; the
    question is whether the whole bands do."""
    return a.mean().item() != b.mean().item()


@exercise.mistake(see=BANDS)
def lower_mean(a: Tensor, b: Tensor) -> bool:
    """you say which mean is lower. The exercise asks whether the bands, from the lowest seed to the
    highest, are apart, whichever is the lower one."""
    return a.mean().item() < b.mean().item()


@exercise.mistake(see=BANDS)
def one_standard_deviation(a: Tensor, b: Tensor) -> bool:
    """your bands are one standard deviation to either side of the mean. A band here goes from the
    lowest seed to the highest: with so few seeds none is left out."""
    return _means_apart(a, b, correction=0)


@exercise.mistake(see=BANDS)
def one_standard_deviation_of_a_sample(a: Tensor, b: Tensor) -> bool:
    """your bands are one standard deviation to either side of the mean. A band here goes from the
    lowest seed to the highest: with so few seeds none is left out."""
    return _means_apart(a, b, correction=1)


@exercise.mistake(see=BANDS)
def means_outside_the_other_band(a: Tensor, b: Tensor) -> bool:
    """you ask whether the mean of one encoding lies in the band of the other. Two bands can overlap
    even if both means lie outside, so all seeds count, on both sides."""
    return not _inside(a.mean(), b) and not _inside(b.mean(), a)


@exercise.mistake(see=BANDS)
def seeds_in_pairs(a: Tensor, b: Tensor) -> bool:
    """you compare the seeds in pairs. But the first seed of one encoding has nothing to do with the
    first of the other: compare all with all."""
    n = min(len(a), len(b))
    return bool((a[:n] < b[:n]).all() or (a[:n] > b[:n]).all())


# --- the bands ----------------------------------------------------------------------------------


@exercise.mistake(see=BANDS)
def overlapping(a: Tensor, b: Tensor) -> bool:
    """your answer is the opposite: you say True if the bands overlap. The exercise asks whether
    they are apart."""
    return not my_apart(a, b)


@exercise.mistake(see=BANDS)
def only_a_below_b(a: Tensor, b: Tensor) -> bool:
    """right if the first band is the lower one. But the second may be lower too, and then the bands
    are also apart."""
    return _below(a, b)


@exercise.mistake(see=BANDS)
def only_b_below_a(a: Tensor, b: Tensor) -> bool:
    """right if the second band is the lower one. But the first may be lower too, and then the bands
    are also apart."""
    return _below(b, a)


@exercise.mistake(see=BANDS)
def touching_counts_as_apart(a: Tensor, b: Tensor) -> bool:
    """right, except if two bands touch: then a seed of one and a seed of the other cost the same,
    and that is an overlap."""
    return a.max().item() <= b.min().item() or b.max().item() <= a.min().item()


@exercise.mistake(see=BANDS)
def band_inside_the_other(a: Tensor, b: Tensor) -> bool:
    """right, except if the second band contains the whole of the first. Then neither of its ends
    lies within the first, and still the two overlap."""
    return not _inside(b.min(), a) and not _inside(b.max(), a)


@exercise.mistake(see=BANDS)
def lower_at_both_ends(a: Tensor, b: Tensor) -> bool:
    """you compare lowest with lowest and highest with highest. Bands that overlap can be shifted
    like that too: compare the highest of one with the lowest of the other."""
    return bool((a.min() - b.min()) * (a.max() - b.max()) > 0)

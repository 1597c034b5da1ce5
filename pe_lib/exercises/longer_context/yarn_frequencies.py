"""Exercise: YaRN's frequencies, as models that were trained with it compute them."""

import math

from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies, wavelengths
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.longer_context._common import (
    RAMP,
    SQUEEZE,
    UNSEEN,
    exponent_over_the_pairs,
    exponent_without_the_2,
    numbers,
)
from pe_lib.exercises.longer_context._ramps import (
    blended,
    pair_of,
    ramp,
    slowed,
    with_share,
    wrong_shares,
)
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.yarn import YarnScaling

# Most of the trained lengths are tiny, and the bases small: then the pairs on the ramp have
# frequencies of a size that a wrong one cannot hide in.
exercise = Exercise(
    call(8, 4.0, 4.0, 16, 1.85, 1.25),
    call(12, 2.0, 8.0, 16, 2.13, 1.52),
    call(24, 10.0, 3.0, 30, 3.2, 1.1),
    call(16, 5.0, 5.0, 9, 2.0, 0.6),  # the first pair does not turn often enough
    call(20, 3.0, 4.0, 7, 2.0, 0.7),  # nor here
    call(16, 4.0, 2.0, 10, 1.3, 0.9),
    call(40, 50.0, 8.0, 7, 1.15, 0.9),
    call(64, 10000.0, 16.0, 2048, 32.0, 1.0),
    call(128, 150000.0, 32.0, 4096, 32.0, 1.0),
)


@exercise.answer
def my_yarn(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    scaling = YarnScaling(factor, original, beta_fast=fast, beta_slow=slow)
    return scaling.inverse_frequencies(dim, theta)


# --- the two bounds -----------------------------------------------------------------------------


@exercise.mistake(see=RAMP)
def bounds_exchanged(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """your two bounds are exchanged: many turns belong to the fast pairs, where the ramp begins,
    few turns to the slow ones, where it ends."""
    return blended(
        inverse_frequencies(dim, theta), factor, slowed(dim, theta, original, slow, fast)
    )


@exercise.mistake(see=RAMP)
def turns_within_the_new_length(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """you count turns within the new, longer length. What matters is what training showed: turns
    within the original one."""
    return blended(
        inverse_frequencies(dim, theta), factor, slowed(dim, theta, original * factor, fast, slow)
    )


@exercise.mistake(see=RAMP)
def radians_for_turns(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """you count radians as if they were turns, so your ramp begins too late. A full turn is more
    than six radians."""
    return blended(
        inverse_frequencies(dim, theta),
        factor,
        slowed(dim, theta, original * 2 * math.pi, fast, slow),
    )


@exercise.mistake(see=RAMP)
def bounds_in_features(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """your bounds count features, two for each pair, and so they are twice as far as they should
    be."""
    first = max(math.floor(2 * pair_of(fast, dim, theta, original)), 0)
    last = math.ceil(2 * pair_of(slow, dim, theta, original))
    share = ramp(numbers(dim), first, last).clamp(0, 1)
    return blended(inverse_frequencies(dim, theta), factor, share)


@exercise.mistake(see=RAMP)
def natural_logarithm(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """your bounds are wrong by a factor, the natural logarithm of theta: the logarithm in them
    should have theta as its base."""
    return blended(
        inverse_frequencies(dim, theta), factor, slowed(dim, math.e, original, fast, slow)
    )


@exercise.mistake(see=RAMP)
def usual_bounds(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """right for the usual bounds, but your function ignores its arguments fast and slow."""
    return my_yarn(dim, theta, factor, original, 32.0, 1.0)


# --- the ramp -----------------------------------------------------------------------------------


exercise.take(wrong_shares, within=with_share)


@exercise.mistake(see=RAMP)
def even_in_the_turns(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """your blend goes in even steps of the number of turns, as in YaRN's paper and in Llama 3. The
    models were trained with even steps from pair to pair."""
    return Llama3Scaling(factor, slow, fast, original).inverse_frequencies(dim, theta)


@exercise.mistake(see=RAMP)
def even_in_the_wavelength(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """your blend goes in even steps of the wavelength. It should go in even steps from pair to
    pair."""
    turn = wavelengths(dim, theta)
    share = ramp(turn, original / fast, original / slow).clamp(0, 1)
    return blended(inverse_frequencies(dim, theta), factor, share)


# --- what is blended ----------------------------------------------------------------------------


@exercise.mistake(see=RAMP)
def wavelengths_blended(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """the outer pairs are right, but on the ramp you blend two wavelengths, or two factors. Blend
    the frequencies instead."""
    share = slowed(dim, theta, original, fast, slow)
    return inverse_frequencies(dim, theta) / (1 - share + share * factor)


@exercise.mistake(see=RAMP)
def factor_to_a_power(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """the outer pairs are right, but on the ramp you raise the factor to a power. YaRN adds a part
    of the old frequency and a part of the new one."""
    return inverse_frequencies(dim, theta) / factor ** slowed(dim, theta, original, fast, slow)


@exercise.mistake(see=RAMP)
def multiplied(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """your slow pairs turn faster than before, and meet new angles even sooner. They should turn
    more slowly."""
    return blended(
        inverse_frequencies(dim, theta), 1 / factor, slowed(dim, theta, original, fast, slow)
    )


@exercise.mistake(see=RAMP)
def attention_factor_in_the_frequencies(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """you have multiplied the frequencies by the attention factor. It belongs to cosines and sines:
    in a frequency it only makes the pair turn faster."""
    attention = 0.1 * math.log(factor) + 1
    return my_yarn(dim, theta, factor, original, fast, slow) * attention


@exercise.mistake(see=SQUEEZE)
def all_divided(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """you slow every pair by the whole factor: that is interpolation. Pairs with short wavelengths
    should stay as they are."""
    return inverse_frequencies(dim, theta) / factor


@exercise.mistake(see=UNSEEN)
def unchanged(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """these are the frequencies of training: nothing is slowed. (If your code does slow pairs:
    where does it take the trained length from?)"""
    return inverse_frequencies(dim, theta)


# --- the frequencies ----------------------------------------------------------------------------


@exercise.mistake(see=UNSEEN)
def exponent_without_2(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """the ramp is right, but your frequencies fall too slowly from pair to pair: a factor 2 is
    missing in the exponent, because every pair has two features."""
    return blended(
        exponent_without_the_2(dim, theta), factor, slowed(dim, theta, original, fast, slow)
    )


@exercise.mistake(see=UNSEEN)
def exponent_over_pairs(
    dim: int, theta: float, factor: float, original: int, fast: float, slow: float
) -> Tensor:
    """the ramp is right, but your frequencies fall too fast from pair to pair: you divide the
    exponent by the number of pairs. Divide it by the number of features."""
    return blended(
        exponent_over_the_pairs(dim, theta), factor, slowed(dim, theta, original, fast, slow)
    )

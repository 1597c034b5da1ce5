"""Exercise: Llama 3's rule, each pair by its wavelength."""

import math

import torch
from torch import Tensor

from pe_lib.exercises.checker import mistake
from pe_lib.exercises.longer_context._blends import (  # noqa: F401 (mistakes of this exercise)
    between_all_divided,
    between_all_kept,
    blend_for_all,
    blend_in_the_pair,
    blend_in_the_wavelength,
    blend_not_from_0,
    blend_not_up_to_1,
    blend_reversed,
    halfway_between,
    keeps,
    way,
)
from pe_lib.exercises.longer_context._common import (
    BASE,
    SHORT,
    SQUEEZE,
    WAVELENGTH,
    exponent_over_the_pairs,
    exponent_without_the_2,
)
from pe_lib.exercises.runs import call
from pe_lib.frequencies import inverse_frequencies, wavelengths
from pe_lib.rotary.scaling.llama3 import Llama3Scaling
from pe_lib.rotary.scaling.ntk import NTKScaling

# Most of the trained lengths are tiny, and the bases small: then the pairs of every zone have
# frequencies of a size that a wrong one cannot hide in.
CALLS = (
    call(16, 10.0, 4.0, 0.2, 1.0, 8),
    call(24, 5.0, 8.0, 0.5, 2.0, 15),
    call(10, 3.0, 2.0, 1.0, 1.8, 12),
    call(40, 50.0, 6.0, 1.0, 3.0, 20),
    call(12, 100.0, 5.0, 0.1, 0.6, 7),
    call(16, 20.0, 4.0, 2.0, 9.0, 12),
    call(64, 10000.0, 16.0, 2.0, 8.0, 2048),
    call(128, 500000.0, 8.0, 1.0, 4.0, 8192),  # Llama 3.1
)


def my_llama3(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    return Llama3Scaling(factor, low, high, original).inverse_frequencies(dim, theta)


def _kept(dim: int, theta: float, low: float, high: float, original: int) -> Tensor:
    """The share of each frequency that is not slowed."""
    return way(original / wavelengths(dim, theta), low, high).clamp(0, 1)


def _by_rule(frequencies: Tensor, factor: float, low: float, high: float, original: int) -> Tensor:
    """Llama 3's rule for any frequencies."""
    kept = way(original * frequencies / (2 * math.pi), low, high).clamp(0, 1)
    return kept * frequencies + (1 - kept) * frequencies / factor


# --- which pairs --------------------------------------------------------------------------------


@keeps
def zones_exchanged(turns: Tensor, low: float, high: float) -> Tensor:
    """you slow the fast pairs and keep the slow ones. It is the slow pairs that would meet new
    angles."""
    return 1 - way(turns, low, high).clamp(0, 1)


@keeps
def outer_zones_exchanged(turns: Tensor, low: float, high: float) -> Tensor:
    """the pairs between the bounds are right, but you slow the fast pairs and keep the slow ones.
    It is the slow pairs that would meet new angles."""
    share = way(turns, low, high)
    return torch.where((share > 0) & (share < 1), share, (share <= 0).double())


@mistake(see=WAVELENGTH)
def thresholds_from_the_new_length(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """you count turns within the new, longer length. What matters is what training showed: turns
    within the original one."""
    return my_llama3(dim, theta, factor, low / factor, high / factor, original)


@keeps
def radians_for_turns(turns: Tensor, low: float, high: float) -> Tensor:
    """you count radians as if they were turns, so too many pairs are kept. A full turn is more than
    six radians."""
    return way(2 * math.pi * turns, low, high).clamp(0, 1)


@keeps
def wavelengths_for_turns(turns: Tensor, low: float, high: float) -> Tensor:
    """you hold the bounds against the wavelength, measured in trained lengths. They are numbers of
    turns: the inverse of that."""
    return way(1 / turns, low, high).clamp(0, 1)


@mistake(see=WAVELENGTH)
def bounds_of_llama_3(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """right for Llama 3's own bounds, but yours are the same for all: they are arguments."""
    return my_llama3(dim, theta, factor, 1.0, 4.0, original)


@mistake(see=SQUEEZE)
def all_divided(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """you slow every pair by the whole factor: that is interpolation. Pairs with short wavelengths
    are to stay as they are."""
    return inverse_frequencies(dim, theta) / factor


@mistake(see=SHORT)
def unchanged(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """these are the frequencies of training: nothing is slowed. (If your code does slow pairs:
    where does it take the trained length from?)"""
    return inverse_frequencies(dim, theta)


@mistake(see=WAVELENGTH)
def multiplied(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """your slow pairs turn faster than before, and meet new angles even sooner. They are to turn
    slower."""
    return _by_rule(inverse_frequencies(dim, theta), 1 / factor, low, high, original)


@mistake(see=BASE)
def ntk(dim: int, theta: float, factor: float, low: float, high: float, original: int) -> Tensor:
    """this is a change of the base, the same for every trained length. Here the wavelength of a
    pair decides."""
    return NTKScaling(factor).inverse_frequencies(dim, theta)


# --- what is blended ----------------------------------------------------------------------------


@mistake(see=WAVELENGTH)
def wavelengths_blended(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """the outer pairs are right, but you blend two wavelengths, or two factors. It is frequencies
    that are blended."""
    kept = _kept(dim, theta, low, high, original)
    return inverse_frequencies(dim, theta) / (kept + (1 - kept) * factor)


@mistake(see=WAVELENGTH)
def factor_to_a_power(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """the outer pairs are right, but between the bounds your factor has the blend as its exponent.
    Llama 3 adds a part of each frequency."""
    kept = _kept(dim, theta, low, high, original)
    return inverse_frequencies(dim, theta) / factor ** (1 - kept)


@mistake(see=WAVELENGTH)
def only_the_kept_part(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """between the bounds your blend has one part only: that of the kept frequency. The slowed one
    is to be added."""
    kept = _kept(dim, theta, low, high, original)
    frequencies = inverse_frequencies(dim, theta)
    return torch.where(kept > 0, kept * frequencies, frequencies / factor)


# --- the frequencies ----------------------------------------------------------------------------


@mistake(see=SHORT)
def exponent_without_2(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """the rule is right, but your frequencies fall only half as far as they should: a 2 is missing
    in the exponent, since every pair is two features."""
    return _by_rule(exponent_without_the_2(dim, theta), factor, low, high, original)


@mistake(see=SHORT)
def exponent_over_pairs(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """the rule is right, but your frequencies fall twice as far as they should: the exponent is
    divided by all features, not by the number of pairs."""
    return _by_rule(exponent_over_the_pairs(dim, theta), factor, low, high, original)


@mistake(see=SHORT)
def a_frequency_for_every_feature(
    dim: int, theta: float, factor: float, low: float, high: float, original: int
) -> Tensor:
    """you give every frequency twice, in two halves. Asked for is one for each pair."""
    return my_llama3(dim, theta, factor, low, high, original).repeat(2)

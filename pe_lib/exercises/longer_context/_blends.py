"""Llama 3's blend between the pairs that are kept and those that are slowed, as it goes wrong."""

import math
from collections.abc import Callable
from functools import wraps

import torch
from torch import Tensor

from pe_lib.exercises.checker import Mistake, mistake
from pe_lib.exercises.longer_context._common import WAVELENGTH
from pe_lib.frequencies import inverse_frequencies


def way(turns: Tensor, low: float, high: float) -> Tensor:
    """From 0 at ``low`` turns to 1 at ``high``, not cut off at either end."""
    return (turns - low) / (high - low)


def keeps(share: Callable[[Tensor, float, float], Tensor]) -> Mistake:
    """Decorator: the mistake of keeping another share, given each pair's turns and the bounds."""

    @wraps(share)
    def wrong(
        dim: int, theta: float, factor: float, low: float, high: float, original: int
    ) -> Tensor:
        frequencies = inverse_frequencies(dim, theta)
        kept = share(original * frequencies / (2 * math.pi), low, high)
        return kept * frequencies + (1 - kept) * frequencies / factor

    return mistake(see=WAVELENGTH)(wrong)


@keeps
def halfway_between(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but those between the bounds all have the same blend, half and
    half. It is to go with the number of turns."""
    return ((turns >= low).double() + (turns >= high)) / 2


@keeps
def between_all_kept(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but those between the bounds do not change. They are to be
    blended. (If you do blend: is one of your bounds the wrong one?)"""
    return (turns >= low).double()


@keeps
def between_all_divided(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but those between the bounds are slowed by the whole factor. They
    are to be blended. (If you do blend: is one of your bounds the wrong one?)"""
    return (turns >= high).double()


@keeps
def blend_reversed(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but between the bounds your blend runs the wrong way: next to the
    kept pairs it should be nearly kept."""
    share = way(turns, low, high)
    return torch.where((share > 0) & (share < 1), 1 - share, (share >= 1).double())


@keeps
def blend_for_all(turns: Tensor, low: float, high: float) -> Tensor:
    """between the bounds you are right, but your blend goes on beyond them. Past each bound it
    stays where it is."""
    return way(turns, low, high)


@keeps
def blend_in_the_wavelength(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but your blend is even in the wavelength. It is to be even in the
    number of turns, the inverse of it."""
    return way(1 / turns, 1 / low, 1 / high).clamp(0, 1)


@keeps
def blend_in_the_pair(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but your blend goes in even steps from pair to pair, as YaRN's
    does. Llama 3's is even in the number of turns."""
    return (torch.log(turns / low) / math.log(high / low)).clamp(0, 1)


@keeps
def blend_not_from_0(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but your blend jumps at the lower bound: there it should begin
    with nothing kept."""
    return torch.where(turns >= low, (turns / high).clamp(max=1), 0)


@keeps
def blend_not_up_to_1(turns: Tensor, low: float, high: float) -> Tensor:
    """the outer pairs are right, but your blend jumps at the upper bound: it is divided by that
    bound, not by the way between the two."""
    return torch.where(turns >= high, 1, ((turns - low) / high).clamp(min=0))

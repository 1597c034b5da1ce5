"""Exercise: reading a position from a causal head's output."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.why_order_matters._common import COUNTING


def _call(*texts: list[int]) -> Call:
    """What the head gives for words at these positions."""
    return call(1 / (torch.tensor(texts, dtype=torch.float64) + 1))


exercise = Exercise(
    _call([4, 0, 9], [2, 7, 1]),
    _call([0, 1, 2, 3]),
    _call([30]),
    _call([5, 92], [12, 8]),
    _call([503, 950, 0], [5021, 6000, 17]),
)


@exercise.answer
def my_place(seen: Tensor) -> Tensor:
    return 1 / seen - 1


@exercise.mistake(see=COUNTING)
def positions_from_1(seen: Tensor) -> Tensor:
    """you give the number of tokens that the word sees, itself included. The start token sees one
    token, but its position is 0."""
    return 1 / seen


@exercise.mistake(see=COUNTING)
def counted_instead_of_read(seen: Tensor) -> Tensor:
    """you number the words in the order in which they came in, and never use the head's output. The
    words were picked from anywhere in the text."""
    return torch.arange(seen.shape[1], dtype=seen.dtype).expand(seen.shape)


@exercise.mistake(see=COUNTING)
def what_is_left(seen: Tensor) -> Tensor:
    """you give the share that the other tokens get. How many other tokens are there?"""
    return 1 - seen


@exercise.mistake(see=COUNTING)
def a_logarithm(seen: Tensor) -> Tensor:
    """you treat each step as a halving. But from position 1 to position 2, the head's output falls
    from a half to a third."""
    return -torch.log2(seen)


@exercise.mistake(see=COUNTING)
def cut_off(seen: Tensor) -> Tensor:
    """you cut off what comes after the decimal point. A division can end just below the whole
    number: round it."""
    return (1 / seen).floor() - 1


@exercise.mistake(see=COUNTING)
def one_too_far_back(seen: Tensor) -> Tensor:
    """your positions are one too small: the start token would be at -1."""
    return 1 / seen - 2


@exercise.mistake(see=COUNTING)
def the_share_itself(seen: Tensor) -> Tensor:
    """this is what came in: the share of the start token. It falls as the position grows."""
    return seen.clone()

"""Exercise: reading a position off a causal head's output."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.runs import Call, call
from pe_lib.exercises.why_order_matters._common import COUNTING


def _call(*texts: list[int]) -> Call:
    """What the head gives for words at these positions."""
    return call(1 / (torch.tensor(texts, dtype=torch.float64) + 1))


def _counted(seen: Tensor) -> Tensor:
    return torch.arange(seen.shape[1], dtype=seen.dtype).expand(seen.shape)


EXERCISE = Exercise(
    name="place",
    signature="my_place(seen)",
    reference=lambda seen: 1 / seen - 1,
    calls=(_call([4, 0, 9], [2, 7, 1]), _call([0, 1, 2, 3]), _call([30]), _call([5, 92], [12, 8])),
    mistakes=(
        Mistake(
            "positions from 1",
            lambda seen: 1 / seen,
            "you give the number of tokens that the word sees, itself included. The start token "
            "sees one, and stands at position 0.",
            COUNTING,
        ),
        Mistake(
            "counted instead of read",
            _counted,
            "you count the words that came in, and never read what the head says. They were picked "
            "from anywhere in the text.",
            COUNTING,
        ),
        Mistake(
            "what is left",
            lambda seen: 1 - seen,
            "you give the share that the other tokens get. How many are they?",
            COUNTING,
        ),
        Mistake(
            "a logarithm",
            lambda seen: -torch.log2(seen),
            "you take each step for a halving. From the second word to the third, the head's "
            "output falls from a half to a third.",
            COUNTING,
        ),
        Mistake(
            "cut off",
            lambda seen: (1 / seen).floor() - 1,
            "you cut off what stands after the point. A division can end just below the whole "
            "number: round it.",
            COUNTING,
        ),
        Mistake(
            "one too far back",
            lambda seen: 1 / seen - 2,
            "your positions are one too small: the start token would stand at -1.",
            COUNTING,
        ),
        Mistake(
            "the share itself",
            lambda seen: seen.clone(),
            "this is what came in: the share of the start token. It falls as the position grows.",
            COUNTING,
        ),
    ),
)

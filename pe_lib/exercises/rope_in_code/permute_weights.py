"""Exercise: weights made for interleaved pairs, reordered for half-split ones."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import WEIGHTS
from pe_lib.exercises.runs import Call, call
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half


def _permute(weight: Tensor, num_heads: int) -> Tensor:
    """Every head's rows, the first of all pairs before the second ones."""
    return interleaved_to_half(_heads(weight, num_heads), dim=1).flatten(0, 1)


def _heads(weight: Tensor, num_heads: int) -> Tensor:
    """(heads, head_dim, in)"""
    heads: Tensor = weight.unflatten(0, (num_heads, -1))
    return heads


def _second_first(weight: Tensor, num_heads: int) -> Tensor:
    first, second = _heads(_permute(weight, num_heads), num_heads).chunk(2, dim=1)
    return torch.cat((second, first), dim=1).flatten(0, 1)


def _across_heads(weight: Tensor, num_heads: int) -> Tensor:
    return interleaved_to_half(weight, dim=0)


def _dealt_out(weight: Tensor, num_heads: int) -> Tensor:
    """Row r is taken for one of head r % num_heads."""
    heads = weight.unflatten(0, (-1, num_heads))
    return interleaved_to_half(heads, dim=0).flatten(0, 1)


def _call(num_heads: int, rows: int, columns: int) -> Call:
    return call(fixed(rows, columns, seed=rows), num_heads)


EXERCISE = Exercise(
    name="permute_weights",
    signature="my_permute(weight, num_heads)",
    reference=_permute,
    # Rows and columns of all calls can be cut into heads and pairs, and a head could be as wide as
    # there are heads: whoever takes one for the other shall meet wrong numbers, not an error.
    calls=(_call(2, 12, 12), _call(4, 32, 16), _call(6, 36, 12), _call(2, 16, 8)),
    mistakes=(
        Mistake(
            "the way back",
            lambda weight, num_heads: half_to_interleaved(_heads(weight, num_heads), dim=1).flatten(
                0, 1
            ),
            "this is the way back: it makes interleaved rows of half-split ones. Where does the "
            "second row of the first pair stand now, and where should it stand?",
            WEIGHTS,
        ),
        Mistake(
            "across heads",
            _across_heads,
            "you reorder all rows as if they were one wide head, so that rows wander from head to "
            "head. Each head has pairs of its own.",
            WEIGHTS,
        ),
        Mistake(
            "the way back, across heads",
            lambda weight, num_heads: half_to_interleaved(weight, dim=0),
            "two things at once: all rows are reordered as if they were one wide head, and it is "
            "the way back.",
            WEIGHTS,
        ),
        Mistake(
            "columns instead of rows",
            lambda weight, num_heads: _permute(weight.mT, num_heads).mT,
            "you reorder the columns. They belong to what comes in; the features of a query are "
            "what comes out.",
            WEIGHTS,
        ),
        Mistake(
            "all columns reordered",
            lambda weight, num_heads: interleaved_to_half(weight),
            "you reorder the columns, which is the last axis. They belong to what comes in; the "
            "features of a query are what comes out, head by head.",
            WEIGHTS,
        ),
        Mistake(
            "rows and columns",
            lambda weight, num_heads: _permute(_permute(weight, num_heads).mT, num_heads).mT,
            "the rows are right, but you reorder the columns as well. What comes in has not "
            "changed.",
            WEIGHTS,
        ),
        Mistake(
            "applied twice",
            lambda weight, num_heads: _permute(_permute(weight, num_heads), num_heads),
            "the rows are reordered twice. It is not its own inverse: each time they go on.",
            WEIGHTS,
        ),
        Mistake(
            "second of each pair first",
            _second_first,
            "the halves have changed places: the second rows of all pairs come before the first "
            "ones. Then every pair turns the other way round.",
            WEIGHTS,
        ),
        Mistake(
            "number and size of heads swapped",
            lambda weight, num_heads: _permute(weight, len(weight) // num_heads),
            "you take the number of heads for the size of a head.",
            WEIGHTS,
        ),
        Mistake(
            "rows dealt out to the heads",
            _dealt_out,
            "you give the rows to the heads in turn, like cards. A head's rows are neighbours.",
            WEIGHTS,
        ),
        Mistake(
            "heads mixed",
            lambda weight, num_heads: _heads(weight, num_heads).transpose(0, 1).flatten(0, 1),
            "your rows are ordered by their place in the head: the first rows of all heads, then "
            "the second ones. Inside a head nothing moved, and the heads are torn apart.",
            WEIGHTS,
        ),
        Mistake(
            "nothing moved",
            lambda weight, num_heads: weight,
            "the rows are where they were: cut and put together again, nothing moved.",
            WEIGHTS,
        ),
        Mistake(
            "lies on its side",
            lambda weight, num_heads: _permute(weight, num_heads).mT,
            "the rows are in the right order, but the weight lies on its side: its rows should "
            "stay the outputs.",
            WEIGHTS,
        ),
        Mistake(
            "heads not put together",
            lambda weight, num_heads: _heads(_permute(weight, num_heads), num_heads),
            "the right order, but the heads are still apart: a weight has two axes.",
            WEIGHTS,
        ),
    ),
)

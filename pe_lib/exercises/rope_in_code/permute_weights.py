"""Exercise: weights made for interleaved pairs, reordered for half-split ones.

Only one order of a head's rows is right: its pairs all have different frequencies, so each pair has
its place, and a pair whose two features are swapped turns in the wrong direction (a test tries all
orders of a small head).
"""

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.inputs import fixed
from pe_lib.exercises.rope_in_code._common import WEIGHTS
from pe_lib.rotary.layouts import half_to_interleaved, interleaved_to_half


def _call(num_heads: int, rows: int, columns: int) -> Call:
    return call(fixed(rows, columns, seed=rows), num_heads)


# Rows and columns of all calls can be cut into heads and pairs, and a head could be as wide as
# there are heads: whoever takes one for the other shall meet wrong numbers, not an error.
exercise = Exercise(
    _call(2, 12, 12),
    _call(4, 32, 16),
    _call(6, 36, 12),
    _call(2, 16, 8),
    _call(8, 512, 256),
)


@exercise.answer
def my_permute(weight: Tensor, num_heads: int) -> Tensor:
    return interleaved_to_half(_heads(weight, num_heads), dim=1).flatten(0, 1)


def _heads(weight: Tensor, num_heads: int) -> Tensor:
    """(heads, head_dim, in)"""
    heads: Tensor = weight.unflatten(0, (num_heads, -1))
    return heads


# --- order --------------------------------------------------------------------------------------


@exercise.mistake(see=WEIGHTS)
def the_way_back(weight: Tensor, num_heads: int) -> Tensor:
    """this is the way back: it changes half-split rows into interleaved ones. Where is the second
    row of the first pair now, and where should it be?"""
    return half_to_interleaved(_heads(weight, num_heads), dim=1).flatten(0, 1)


@exercise.mistake(see=WEIGHTS)
def applied_twice(weight: Tensor, num_heads: int) -> Tensor:
    """the rows are reordered twice. The reordering is not its own inverse, so each time the rows
    move on."""
    return my_permute(my_permute(weight, num_heads), num_heads)


@exercise.mistake(see=WEIGHTS)
def second_of_each_pair_first(weight: Tensor, num_heads: int) -> Tensor:
    """the halves have changed places: the second rows of all pairs come before the first ones. Then
    every pair turns in the wrong direction."""
    first, second = _heads(my_permute(weight, num_heads), num_heads).chunk(2, dim=1)
    return torch.cat((second, first), dim=1).flatten(0, 1)


@exercise.mistake(see=WEIGHTS)
def pairs_in_reverse(weight: Tensor, num_heads: int) -> Tensor:
    """the partners are half a head apart, but the last pair comes first: it would turn at the speed
    of the fastest. The pairs should keep their order."""
    halves = _heads(my_permute(weight, num_heads), num_heads).chunk(2, dim=1)
    return torch.cat([half.flip(1) for half in halves], dim=1).flatten(0, 1)


@exercise.mistake(see=WEIGHTS)
def nothing_moved(weight: Tensor, num_heads: int) -> Tensor:
    """no row has moved. If you cut the weight into pieces, you put them together again in the same
    order."""
    return weight


# --- heads --------------------------------------------------------------------------------------


@exercise.mistake(see=WEIGHTS)
def across_heads(weight: Tensor, num_heads: int) -> Tensor:
    """you reorder all rows as if they were one wide head, so rows wander from head to head. Each
    head has pairs of its own."""
    return interleaved_to_half(weight, dim=0)


@exercise.mistake(see=WEIGHTS)
def the_way_back_across_heads(weight: Tensor, num_heads: int) -> Tensor:
    """two things at once: all rows are reordered as if they were one wide head, and it is the way
    back."""
    return half_to_interleaved(weight, dim=0)


@exercise.mistake(see=WEIGHTS)
def number_and_size_of_heads_swapped(weight: Tensor, num_heads: int) -> Tensor:
    """you use the number of heads as the size of a head."""
    return my_permute(weight, len(weight) // num_heads)


@exercise.mistake(see=WEIGHTS)
def rows_dealt_out_to_the_heads(weight: Tensor, num_heads: int) -> Tensor:
    """you give the rows to the heads in turn, like cards. A head's rows are neighbours."""
    return interleaved_to_half(weight.unflatten(0, (-1, num_heads)), dim=0).flatten(0, 1)


@exercise.mistake(see=WEIGHTS)
def heads_mixed(weight: Tensor, num_heads: int) -> Tensor:
    """you put the first rows of all heads first, then the second rows of all heads, and so on. This
    tears the heads apart, and the order inside a head is still the old one."""
    return _heads(weight, num_heads).transpose(0, 1).flatten(0, 1)


# --- axes ---------------------------------------------------------------------------------------


@exercise.mistake(see=WEIGHTS)
def columns_instead_of_rows(weight: Tensor, num_heads: int) -> Tensor:
    """you reorder the columns. They belong to the input, but the features of a query are the
    output."""
    return my_permute(weight.mT, num_heads).mT


@exercise.mistake(see=WEIGHTS)
def all_columns_reordered(weight: Tensor, num_heads: int) -> Tensor:
    """you reorder the columns, because they are on the last axis. They belong to the input, but the
    features of a query are the output, head by head."""
    return interleaved_to_half(weight)


@exercise.mistake(see=WEIGHTS)
def rows_and_columns(weight: Tensor, num_heads: int) -> Tensor:
    """the rows are right, but you reorder the columns as well. What comes in has not changed."""
    return my_permute(my_permute(weight, num_heads).mT, num_heads).mT


@exercise.mistake(see=WEIGHTS)
def lies_on_its_side(weight: Tensor, num_heads: int) -> Tensor:
    """the rows are in the right order, but the weight is transposed: its rows should stay the
    outputs."""
    return my_permute(weight, num_heads).mT


@exercise.mistake(see=WEIGHTS)
def heads_not_put_together(weight: Tensor, num_heads: int) -> Tensor:
    """the right order, but the heads are still apart: a weight has two axes."""
    return _heads(my_permute(weight, num_heads), num_heads)

"""Exercise: how alike neighbouring rows are."""

import torch
from torch import Tensor
from torch.nn import functional as F

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.learned._common import TRAINED, numbers


def _cosines(table: Tensor) -> Tensor:
    """The cosines of all pairs of rows."""
    unit = F.normalize(table, dim=-1)
    return unit @ unit.mT


def _walk(rows: int, dim: int) -> Tensor:
    """A table in which neighbours are alike: a few random steps added up."""
    return numbers(rows, dim).cumsum(0) + 1


exercise = Exercise(
    call(_walk(8, 5), 5),
    call(_walk(7, 3), 6),  # nowhere is the whole table used: a pair too many is there to be taken
    call(numbers(12, 4), 9),  # as drawn: here neighbours also point in opposite directions
    call(_walk(7, 8), 3),
    call(_walk(400, 3).double(), 300),
)


@exercise.answer
def my_cosine(table: Tensor, used: int) -> Tensor:
    return _cosines(table[:used]).diagonal(1).mean()


@exercise.mistake(see=TRAINED)
def dot_product(table: Tensor, used: int) -> Tensor:
    """these are dot products, which grow with the lengths of the rows. A cosine compares only
    directions."""
    return (table[1:used] * table[: used - 1]).sum(-1).mean()


@exercise.mistake(see=TRAINED)
def the_whole_table(table: Tensor, used: int) -> Tensor:
    """you include the rows that were never used. Compare only the first ones, as many as were
    used."""
    return my_cosine(table, len(table))


@exercise.mistake(see=TRAINED)
def one_pair_too_many(table: Tensor, used: int) -> Tensor:
    """your last pair reaches over the boundary: one of its rows was never used."""
    return F.cosine_similarity(table[:used], table[1 : used + 1], dim=-1).mean()


@exercise.mistake(see=TRAINED)
def one_pair_too_few(table: Tensor, used: int) -> Tensor:
    """a pair is missing: there is one pair fewer than there are rows, not two."""
    return _cosines(table[:used]).diagonal(1)[:-1].mean()


@exercise.mistake(see=TRAINED)
def sum_instead_of_mean(table: Tensor, used: int) -> Tensor:
    """you add the cosines up. The exercise asks for their mean, which is never above 1."""
    return _cosines(table[:used]).diagonal(1).sum()


@exercise.mistake(see=TRAINED)
def sign_dropped(table: Tensor, used: int) -> Tensor:
    """you take cosines without their sign: two rows that point in opposite directions count as
    alike."""
    return _cosines(table[:used]).diagonal(1).abs().mean()


@exercise.mistake(see=TRAINED)
def all_pairs(table: Tensor, used: int) -> Tensor:
    """you compare every row with every other one. The exercise asks only for neighbours."""
    return _cosines(table[:used])[torch.triu_indices(used, used, 1).unbind()].mean()


@exercise.mistake(see=TRAINED)
def rows_with_themselves(table: Tensor, used: int) -> Tensor:
    """you average over the whole matrix of cosines, which also compares every row with itself."""
    return _cosines(table[:used]).mean()


@exercise.mistake(see=TRAINED)
def last_with_first(table: Tensor, used: int) -> Tensor:
    """your last pair is the last row and the first one: a table is not a ring."""
    return F.cosine_similarity(table[:used], table[:used].roll(-1, 0), dim=-1).mean()


@exercise.mistake(see=TRAINED)
def columns(table: Tensor, used: int) -> Tensor:
    """you compare neighbouring columns. The rows are the positions."""
    return _cosines(table[:used].mT).diagonal(1).mean()


@exercise.mistake(see=TRAINED)
def distance(table: Tensor, used: int) -> Tensor:
    """this is the distance between neighbours, which is 0 for two equal rows. Their cosine is 1."""
    return (table[1:used] - table[: used - 1]).square().sum(-1).sqrt().mean()

"""Exercise: how alike neighbouring rows are."""

import torch
from torch import Tensor
from torch.nn import functional as F

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.learned._common import TRAINED, numbers
from pe_lib.exercises.runs import call


def _cosines(table: Tensor) -> Tensor:
    """The cosines of all pairs of rows."""
    unit = F.normalize(table, dim=-1)
    return unit @ unit.mT


def _neighbour_cosine(table: Tensor, used: int) -> Tensor:
    return _cosines(table[:used]).diagonal(1).mean()


def _walk(rows: int, dim: int) -> Tensor:
    """A table in which neighbours are alike: a few random steps added up."""
    return numbers(rows, dim).cumsum(0) + 1


EXERCISE = Exercise(
    name="neighbour_cosine",
    signature="my_cosine(table, used)",
    reference=_neighbour_cosine,
    calls=(
        call(_walk(8, 5), 5),
        call(_walk(6, 3), 6),
        call(numbers(12, 4), 9),  # as drawn: here neighbours also point in opposite directions
        call(_walk(7, 8), 3),
    ),
    mistakes=(
        Mistake(
            "dot product",
            lambda table, used: (table[1:used] * table[: used - 1]).sum(-1).mean(),
            "these are dot products, which grow with the rows. A cosine compares directions alone.",
            TRAINED,
        ),
        Mistake(
            "the whole table",
            lambda table, used: _neighbour_cosine(table, len(table)),
            "you take the rows that were never used along. Compare the first ones only, as many "
            "as were used.",
            TRAINED,
        ),
        Mistake(
            "one pair too many",
            lambda table, used: _neighbour_cosine(table, min(used + 1, len(table))),
            "your last pair reaches over the boundary: one of its rows was never used.",
            TRAINED,
        ),
        Mistake(
            "one pair too few",
            lambda table, used: _cosines(table[:used]).diagonal(1)[:-1].mean(),
            "a pair is missing: there is one pair fewer than there are rows, not two.",
            TRAINED,
        ),
        Mistake(
            "sum instead of mean",
            lambda table, used: _cosines(table[:used]).diagonal(1).sum(),
            "you add the cosines up. Their mean was asked for: it is never above 1.",
            TRAINED,
        ),
        Mistake(
            "sign dropped",
            lambda table, used: _cosines(table[:used]).diagonal(1).abs().mean(),
            "you take cosines without their sign: two rows that point in opposite directions "
            "count as alike.",
            TRAINED,
        ),
        Mistake(
            "all pairs",
            lambda table, used: _cosines(table[:used])[
                torch.triu_indices(used, used, 1).unbind()
            ].mean(),
            "you compare every row with every other one. Only neighbours were asked for.",
            TRAINED,
        ),
        Mistake(
            "rows with themselves",
            lambda table, used: _cosines(table[:used]).mean(),
            "you average over the whole square of cosines, and every row with itself is in it.",
            TRAINED,
        ),
        Mistake(
            "last with first",
            lambda table, used: F.cosine_similarity(
                table[:used], table[:used].roll(-1, 0), dim=-1
            ).mean(),
            "your last pair is the last row and the first one: a table is not a ring.",
            TRAINED,
        ),
        Mistake(
            "columns",
            lambda table, used: _cosines(table[:used].mT).diagonal(1).mean(),
            "you compare neighbouring columns. The rows are the positions.",
            TRAINED,
        ),
        Mistake(
            "distance",
            lambda table, used: (table[1:used] - table[: used - 1]).norm(dim=-1).mean(),
            "this is how far apart neighbours are: 0 when they are the same. The cosine is 1 then.",
            TRAINED,
        ),
    ),
)

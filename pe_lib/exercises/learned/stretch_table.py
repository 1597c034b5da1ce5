"""Exercise: a table stretched to another length."""

import torch
from torch import Tensor
from torch.nn import functional as F

from pe_lib.exercises.checker import Exercise, Mistake
from pe_lib.exercises.learned._common import PAST_THE_END, numbers
from pe_lib.exercises.runs import call


def _resized(table: Tensor, length: int, **options: object) -> Tensor:
    """A table of another length by torch's own resizing, which has the positions come last."""
    resized: Tensor = F.interpolate(table.mT[None], length, **options)[0].mT  # type: ignore[arg-type]
    return resized


def _stretch(table: Tensor, length: int) -> Tensor:
    return _resized(table, length, mode="linear", align_corners=True)


def _at(table: Tensor, places: Tensor) -> Tensor:
    """The table read between its rows; beyond its ends, the end."""
    places = places.clamp(0, len(table) - 1)
    below = places.long().clamp(max=max(len(table) - 2, 0))
    share = (places - below)[:, None]
    return (1 - share) * table[below] + share * table[below + 1]


def _places(table: Tensor, length: int) -> Tensor:
    """Where the new rows stand between the old ones."""
    return torch.linspace(0, len(table) - 1, length)


def _swapped(table: Tensor, length: int) -> Tensor:
    """Each neighbour with the share of the other one."""
    places = _places(table, length)
    below = places.long().clamp(max=len(table) - 2)
    return _at(table, 2 * below + 1 - places)


def _padded(table: Tensor, length: int, last: Tensor) -> Tensor:
    """The table as it is, and then one row again and again."""
    padded: Tensor = last.new_empty(length, table.shape[1])
    padded[:] = last
    padded[: len(table)] = table
    return padded


EXERCISE = Exercise(
    name="stretch_table",
    signature="my_stretch(table, length)",
    reference=_stretch,
    calls=(
        call(numbers(4, 3), 7),
        call(numbers(5, 2), 12),
        call(numbers(3, 4), 8),
        call(numbers(2, 5), 6),
    ),
    mistakes=(
        Mistake(
            "ends not kept",
            lambda table, length: _resized(table, length, mode="linear"),
            "the first and the last row are repeated, and what lies between is moved: your points "
            "are the middles of cells, as in pictures. Here the first row has to stay the first, "
            "and the last one the last.",
            PAST_THE_END,
        ),
        Mistake(
            "one step too short",
            lambda table, length: _at(table, torch.arange(length) * len(table) / length),
            "your steps are the number of rows by the number of rows. Between rows there is one "
            "step fewer than there are rows: the last row should land on the last row.",
            PAST_THE_END,
        ),
        Mistake(
            "nearest row",
            lambda table, length: _resized(table, length, mode="nearest"),
            "rows are repeated in place. Between two rows there should be rows on the straight "
            "line from one to the other.",
            PAST_THE_END,
        ),
        Mistake(
            "the row below",
            lambda table, length: table[_places(table, length).long()],
            "your places are right, but they are cut down to whole rows. Between two rows there "
            "should be rows on the straight line from one to the other.",
            PAST_THE_END,
        ),
        Mistake(
            "the closest row",
            lambda table, length: table[_places(table, length).round().long()],
            "your places are right, but they are rounded to whole rows. Between two rows there "
            "should be rows on the straight line from one to the other.",
            PAST_THE_END,
        ),
        Mistake(
            "shares swapped",
            _swapped,
            "the two neighbours have each other's share: the closer a row is, the more it should "
            "count.",
            PAST_THE_END,
        ),
        Mistake(
            "wrapped around",
            lambda table, length: table.repeat(length // len(table) + 1, 1)[:length],
            "past its end the table starts again, so that far positions take the rows of the "
            "first ones.",
            PAST_THE_END,
        ),
        Mistake(
            "zeros appended",
            lambda table, length: _padded(table, length, table.new_zeros(table.shape[1])),
            "the old rows stay where they are, and the new ones are zero: nothing was stretched.",
            PAST_THE_END,
        ),
        Mistake(
            "last row repeated",
            lambda table, length: _padded(table, length, table[-1]),
            "the old rows stay where they are, and the last one is repeated: nothing was "
            "stretched.",
            PAST_THE_END,
        ),
        Mistake(
            "stretched along the features",
            lambda table, length: _resized(table.mT, length, mode="linear", align_corners=True).mT,
            "the table has become wider, not longer: rows are positions, and they are what there "
            "should be more of.",
            PAST_THE_END,
        ),
    ),
)

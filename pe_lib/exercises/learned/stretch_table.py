"""Exercise: a table stretched to another length."""

import torch
from torch import Tensor
from torch.nn import functional as F

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.learned._common import STRETCHING, numbers

exercise = Exercise(
    call(numbers(4, 3), 7),
    call(numbers(5, 2), 12),
    call(numbers(3, 4), 8),
    call(numbers(2, 5), 6),
    call(numbers(40, 2), 500),
)


@exercise.answer
def my_stretch(table: Tensor, length: int) -> Tensor:
    return _resized(table, length, mode="linear", align_corners=True)


def _resized(table: Tensor, length: int, **options: object) -> Tensor:
    """A table of another length by torch's own resizing, which has the positions come last."""
    resized: Tensor = F.interpolate(table.mT[None], length, **options)[0].mT  # type: ignore[arg-type]
    return resized


def _at(table: Tensor, places: Tensor) -> Tensor:
    """The table read between its rows; beyond its ends, the end."""
    places = places.clamp(0, len(table) - 1)
    below = places.long().clamp(max=max(len(table) - 2, 0))
    share = (places - below)[:, None]
    return (1 - share) * table[below] + share * table[below + 1]


def _places(table: Tensor, length: int) -> Tensor:
    """Where the new rows stand between the old ones."""
    return torch.linspace(0, len(table) - 1, length)


def _padded(table: Tensor, length: int, last: Tensor) -> Tensor:
    """The table as it is, and then one row again and again."""
    padded: Tensor = last.new_empty(length, table.shape[1])
    padded[:] = last
    padded[: len(table)] = table
    return padded


@exercise.mistake(see=STRETCHING)
def ends_not_kept(table: Tensor, length: int) -> Tensor:
    """the first and the last row are repeated, and what lies between is moved: your points are the
    middles of cells, as in pictures. Here the first row has to stay the first, and the last one
    the last."""
    return _resized(table, length, mode="linear")


@exercise.mistake(see=STRETCHING)
def one_step_too_short(table: Tensor, length: int) -> Tensor:
    """your steps are the old number of rows divided by the new one. Between rows there is one step
    fewer than there are rows: the last row should land on the last row."""
    return _at(table, torch.arange(length) * len(table) / length)


@exercise.mistake(see=STRETCHING)
def nearest_row(table: Tensor, length: int) -> Tensor:
    """rows are repeated in place. Between two rows there should be rows on the straight line from
    one to the other."""
    return _resized(table, length, mode="nearest")


@exercise.mistake(see=STRETCHING)
def the_row_below(table: Tensor, length: int) -> Tensor:
    """your positions are right, but they are cut down to whole rows. Between two rows there should
    be rows on the straight line from one to the other."""
    return table[_places(table, length).long()]


@exercise.mistake(see=STRETCHING)
def the_closest_row(table: Tensor, length: int) -> Tensor:
    """your positions are right, but they are rounded to whole rows. Between two rows there should
    be rows on the straight line from one to the other."""
    return table[_places(table, length).round().long()]


@exercise.mistake(see=STRETCHING)
def shares_swapped(table: Tensor, length: int) -> Tensor:
    """the two neighbours have each other's share: the closer a row is, the more it should count."""
    places = _places(table, length)
    below = places.long().clamp(max=len(table) - 2)
    return _at(table, 2 * below + 1 - places)


@exercise.mistake(see=STRETCHING)
def wrapped_around(table: Tensor, length: int) -> Tensor:
    """past its end the table starts again, so positions beyond it take the rows of the first
    ones."""
    return table.repeat(length // len(table) + 1, 1)[:length]


@exercise.mistake(see=STRETCHING)
def zeros_appended(table: Tensor, length: int) -> Tensor:
    """the old rows stay where they are, and the new ones are zero: nothing was stretched."""
    return _padded(table, length, table.new_zeros(table.shape[1]))


@exercise.mistake(see=STRETCHING)
def last_row_repeated(table: Tensor, length: int) -> Tensor:
    """the old rows stay where they are, and the last one is repeated: nothing was stretched."""
    return _padded(table, length, table[-1])


@exercise.mistake(see=STRETCHING)
def stretched_along_the_features(table: Tensor, length: int) -> Tensor:
    """the table has become wider, not longer: rows are positions, and they are what there should
    be more of."""
    return _resized(table.mT, length, mode="linear", align_corners=True).mT

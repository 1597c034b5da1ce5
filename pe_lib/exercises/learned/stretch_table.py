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
    """you place the rows at the middles of cells, as in pictures. So the first and the last row are
    repeated, and the rows between them are shifted. Here the first row has to stay the first, and
    the last one the last."""
    return _resized(table, length, mode="linear")


@exercise.mistake(see=STRETCHING)
def one_step_too_short(table: Tensor, length: int) -> Tensor:
    """your step is the old number of rows divided by the new one. But there is one step fewer than
    there are rows, and the last new row should land on the last old one."""
    return _at(table, torch.arange(length) * len(table) / length)


@exercise.mistake(see=STRETCHING)
def nearest_row(table: Tensor, length: int) -> Tensor:
    """you repeat the old rows. Between two old rows, the new ones should lie on the straight line
    from one to the other."""
    return _resized(table, length, mode="nearest")


@exercise.mistake(see=STRETCHING)
def the_row_below(table: Tensor, length: int) -> Tensor:
    """your positions are right, but you round them down to whole rows. Between two old rows, the
    new ones should lie on the straight line from one to the other."""
    return table[_places(table, length).long()]


@exercise.mistake(see=STRETCHING)
def the_closest_row(table: Tensor, length: int) -> Tensor:
    """your positions are right, but you round them to whole rows. Between two old rows, the new
    ones should lie on the straight line from one to the other."""
    return table[_places(table, length).round().long()]


@exercise.mistake(see=STRETCHING)
def shares_swapped(table: Tensor, length: int) -> Tensor:
    """the shares of the two neighbours are swapped: the closer a row is, the more it should
    count."""
    places = _places(table, length)
    below = places.long().clamp(max=len(table) - 2)
    return _at(table, 2 * below + 1 - places)


@exercise.mistake(see=STRETCHING)
def wrapped_around(table: Tensor, length: int) -> Tensor:
    """after its end, your table starts again, so later positions get the same rows as the first
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
    """your table has become wider, not longer. The rows are the positions, and there should be more
    of them."""
    return _resized(table.mT, length, mode="linear", align_corners=True).mT

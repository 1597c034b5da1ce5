"""Exercise: the mean loss of strided windows, in which every byte counts once."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import Call, call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.comparison._common import SCORING
from pe_lib.exercises.inputs import fixed


def _call(windows: int, length: int) -> Call:
    """Losses that fall along a window and differ from window to window."""
    falling = 9 * (1 + torch.arange(length, dtype=torch.float64)) ** -0.5
    return call(falling + 2 * fixed(windows, 1, seed=windows).abs() + fixed(windows, length).abs())


exercise = Exercise(
    _call(3, 4), _call(1, 6), _call(2, 2), _call(5, 8), _call(4, 10), _call(31, 128)
)


@exercise.answer
def my_strided(losses: Tensor) -> Tensor:
    return torch.cat((_first(losses)[0], _second(losses).flatten())).mean()


def _first(losses: Tensor) -> Tensor:
    """The first half of each window."""
    return losses[:, : losses.shape[1] // 2]


def _second(losses: Tensor) -> Tensor:
    """The second half of each window."""
    return losses[:, losses.shape[1] // 2 :]


@exercise.mistake(see=SCORING)
def mean_of_all(losses: Tensor) -> Tensor:
    """you take the mean of all losses, and so most bytes count twice: at the end of one window, and
    again, with less before them, at the beginning of the next."""
    return losses.mean()


@exercise.mistake(see=SCORING)
def second_halves_only(losses: Tensor) -> Tensor:
    """nearly: the very first bytes of the text are missing. There is no window before the first
    one, so nothing else counts its first half."""
    return _second(losses).mean()


@exercise.mistake(see=SCORING)
def first_halves_only(losses: Tensor) -> Tensor:
    """you keep the halves that have the least context. If a byte is in two windows, count it in the
    one that has more before it. (And your last bytes do not count at all.)"""
    return _first(losses).mean()


@exercise.mistake(see=SCORING)
def counted_where_less_stands_before(losses: Tensor) -> Tensor:
    """every byte counts once, but in the wrong one of its two windows: you take it from the
    beginning of one, although it has at least half a window before it in the other."""
    return torch.cat((_first(losses).flatten(), _second(losses)[-1])).mean()


@exercise.mistake(see=SCORING)
def windows_that_do_not_overlap(losses: Tensor) -> Tensor:
    """you read every second window from its beginning to its end, so no two of them overlap. But
    this is the first of the three ways: many bytes have little before them."""
    return losses[::2].mean()


@exercise.mistake(see=SCORING)
def first_window_halved(losses: Tensor) -> Tensor:
    """you take the mean of the windows' means. In the first window twice as many bytes count as in
    any other, so each of them has only half its weight."""
    return torch.cat((losses[:1].mean(1), _second(losses)[1:].mean(1))).mean()


@exercise.mistake(see=SCORING)
def two_means_averaged(losses: Tensor) -> Tensor:
    """you average two means: that of the first half window, and that of all second halves. So the
    few bytes of the first weigh as much as all the others together. Every byte should have the same
    weight."""
    return (_first(losses)[0].mean() + _second(losses).mean()) / 2


@exercise.mistake(see=SCORING)
def second_half_of_the_first_twice(losses: Tensor) -> Tensor:
    """the second half of the first window counts twice: once with the whole of that window, and
    once more with the second halves of all."""
    return torch.cat((losses[0], _second(losses).flatten())).mean()


@exercise.mistake(see=SCORING)
def last_bytes_forgotten(losses: Tensor) -> Tensor:
    """the last half window is missing: the last bytes of the text are in one window only, in its
    second half."""
    return torch.cat((_first(losses)[0], _second(losses)[:-1].flatten())).mean()


@exercise.mistake(see=SCORING)
def last_byte_of_each_window(losses: Tensor) -> Tensor:
    """you count only the last byte of each window. That is enough only if each window begins one
    byte after the one before it; here it begins half a window after it."""
    return losses[:, -1].mean()


@exercise.mistake(see=SCORING)
def sum_of_all_bytes(losses: Tensor) -> Tensor:
    """each byte counts once, but you add them up. The exercise asks for what one byte costs: their
    mean."""
    return _first(losses)[0].sum() + _second(losses).sum()

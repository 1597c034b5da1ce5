"""Exercise: which of three positions turns a pair, in blocks and interleaved."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.two_dimensions._common import SECTIONS
from pe_lib.rotary import multimodal

Sections = tuple[int, int, int]
TIME, HEIGHT, WIDTH = 0, 1, 2

exercise = Exercise(
    call((3, 2, 1), False),
    call((3, 2, 1), True),
    call((16, 24, 24), False),
    call((24, 20, 20), True),
    call((24, 20, 20), False),
    call((11, 11, 10), True),
    call((5, 2, 3), True),
    call((6, 3, 1), True),
    call((4, 0, 0), True),
)


@exercise.answer
def my_axes(sections: Sections, interleaved: bool) -> Tensor:
    return torch.tensor(multimodal.axes_of_pairs(sections, interleaved))


def _dealt(sections: Sections, order: tuple[int, ...]) -> Tensor:
    """In this order again and again, where an axis that has all of its pairs is passed over."""
    left, axes = list(sections), []
    while any(left):
        for axis in order:
            if left[axis]:
                left[axis] -= 1
                axes.append(axis)
    return torch.tensor(axes)


def _every_third(sections: Sections, first: dict[int, int]) -> Tensor:
    """Every third pair from ``first[axis]`` on, as many as the axis has; time for the others."""
    axes = torch.zeros(sum(sections), dtype=torch.int64)
    for axis, start in first.items():
        axes[start::3][: sections[axis]] = axis
    return axes


def _interleaved(sections: Sections) -> Tensor:
    """Interleaved also where sections are meant for blocks, and some pairs are not there."""
    return _every_third(sections, {HEIGHT: 1, WIDTH: 2})


# --- blocks or interleaved ----------------------------------------------------------------------


@exercise.mistake(see=SECTIONS)
def always_blocks(sections: Sections, interleaved: bool) -> Tensor:
    """right for blocks, but you make blocks even if interleaved is asked for."""
    return my_axes(sections, False)


@exercise.mistake(see=SECTIONS)
def always_interleaved(sections: Sections, interleaved: bool) -> Tensor:
    """right for interleaved sections, but you interleave even if blocks are asked for."""
    return _interleaved(sections)


@exercise.mistake(see=SECTIONS)
def blocks_and_interleaved_exchanged(sections: Sections, interleaved: bool) -> Tensor:
    """you give blocks if interleaved is asked for, and interleave if blocks are."""
    return my_axes(sections, False) if interleaved else _interleaved(sections)


# --- interleaved --------------------------------------------------------------------------------


@exercise.mistake(see=SECTIONS)
def sections_ignored(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right, but your interleaving never ends. When height and width have their
    pairs, time has all the others."""
    axes = torch.arange(sum(sections)) % 3
    return axes if interleaved else my_axes(sections, False)


@exercise.mistake(see=SECTIONS)
def ends_after_a_third(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right, but height and width get only a third of their pairs. You stop at the pair
    whose number is the size of the section, but an axis has only every third pair."""
    if not interleaved:
        return my_axes(sections, False)
    axes = torch.zeros(sum(sections), dtype=torch.int64)
    for axis in (HEIGHT, WIDTH):
        axes[axis : sections[axis] : 3] = axis
    return axes


@exercise.mistake(see=SECTIONS)
def passed_over_when_done(sections: Sections, interleaved: bool) -> Tensor:
    """nearly: when height or width has all of its pairs, you skip it, and the other one moves
    forward. That one should keep to every third pair, and time takes the pairs that are free."""
    order = (TIME, HEIGHT, WIDTH)
    return _dealt(sections, order) if interleaved else my_axes(sections, False)


@exercise.mistake(see=SECTIONS)
def height_every_second_pair(sections: Sections, interleaved: bool) -> Tensor:
    """if interleaved is asked for, you give every second pair to the height, as a comment in
    published code says. The code below this comment gives every third pair to the height."""
    order = (TIME, HEIGHT, TIME, HEIGHT, WIDTH, HEIGHT, TIME, HEIGHT, WIDTH)
    return _dealt(sections, order) if interleaved else my_axes(sections, False)


@exercise.mistake(see=SECTIONS)
def time_comes_last(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right, but in your interleaved order time comes last. The first and fastest pair
    should belong to time."""
    axes = _every_third(sections, {HEIGHT: 0, WIDTH: 1})
    return axes if interleaved else my_axes(sections, False)


@exercise.mistake(see=SECTIONS)
def width_before_height(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right, but in your interleaved order the width comes before the height."""
    axes = _every_third(sections, {WIDTH: 1, HEIGHT: 2})
    return axes if interleaved else my_axes(sections, False)


@exercise.mistake(see=SECTIONS)
def time_after_both(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right. But in your interleaved order only height and width alternate, and time has
    the slow pairs. All three should alternate, with time first."""
    if not interleaved:
        return my_axes(sections, False)
    time = torch.full((sections[TIME],), TIME)
    return torch.cat((_dealt((0, *sections[1:]), (HEIGHT, WIDTH)), time)).long()


@exercise.mistake(see=SECTIONS)
def time_before_both(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right. But in your interleaved order time has the fast pairs, and only height and
    width alternate. All three should alternate, from the first pair on."""
    if not interleaved:
        return my_axes(sections, False)
    time = torch.full((sections[TIME],), TIME)
    return torch.cat((time, _dealt((0, *sections[1:]), (HEIGHT, WIDTH)))).long()


@exercise.mistake(see=SECTIONS)
def rest_in_blocks(sections: Sections, interleaved: bool) -> Tensor:
    """blocks are right. But your interleaved order alternates only until one of the three has all
    of its pairs, and then gives the rest in blocks. The others should keep to every third pair."""
    if not interleaved:
        return my_axes(sections, False)
    least = min(sections)
    time, height, width = (pairs - least for pairs in sections)
    return torch.cat((torch.arange(3).repeat(least), my_axes((time, height, width), False)))


# --- the axes -----------------------------------------------------------------------------------


@exercise.mistake(see=SECTIONS)
def height_and_width_exchanged(sections: Sections, interleaved: bool) -> Tensor:
    """the order is right, but the numbers of height and width are exchanged: height is 1 and width
    is 2."""
    return torch.tensor((TIME, WIDTH, HEIGHT))[my_axes(sections, interleaved)]


@exercise.mistake(see=SECTIONS)
def counted_from_1(sections: Sections, interleaved: bool) -> Tensor:
    """every number is one too large: time is 0, height 1, width 2."""
    return my_axes(sections, interleaved) + 1


@exercise.mistake(see=SECTIONS)
def slowest_first(sections: Sections, interleaved: bool) -> Tensor:
    """your order begins with the slowest pair. Pair 0 is the fastest, and it belongs to time."""
    return my_axes(sections, interleaved).flip(0)


# --- pairs or features --------------------------------------------------------------------------


@exercise.mistake(see=SECTIONS)
def blocks_repeated(sections: Sections, interleaved: bool) -> Tensor:
    """interleaved is right, but your blocks come twice, once for each feature of a pair. The
    sections count pairs, and the exercise asks for one number for each."""
    return my_axes(sections, True) if interleaved else my_axes(sections, False).repeat(2)


@exercise.mistake(see=SECTIONS)
def all_repeated(sections: Sections, interleaved: bool) -> Tensor:
    """right, but all of it comes twice, once for each feature of a pair. The exercise asks for one
    number for each pair."""
    return my_axes(sections, interleaved).repeat(2)


@exercise.mistake(see=SECTIONS)
def every_number_twice(sections: Sections, interleaved: bool) -> Tensor:
    """right, but you give every number twice, for two features that are neighbours. The exercise
    asks for one number for each pair."""
    return my_axes(sections, interleaved).repeat_interleave(2)

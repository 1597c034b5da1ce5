"""Exercise: the three positions of every token, where a picture stands between two texts."""

import torch
from torch import Tensor

from pe_lib.exercises.checker import mistake
from pe_lib.exercises.runs import call
from pe_lib.exercises.two_dimensions._common import MULTIMODAL, column_by_column, patches

CALLS = (
    call(2, 2, 3, 2),
    call(0, 3, 5, 4),
    call(4, 1, 7, 3),
    call(3, 7, 1, 2),
    call(5, 9, 2, 0),
    call(1, 4, 4, 1),
    call(6000, 3, 5, 3),
)


def my_positions(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    after = text_before + max(height, width)
    return _going_on_at(after, text_before, height, width, text_after)


def _text(first: int, length: int) -> Tensor:
    return torch.arange(first, first + length).expand(3, -1)


def _picture(start: int, height: int, width: int) -> Tensor:
    """Time, height and width of the patches."""
    column, row = patches(height, width)
    return torch.stack((0 * row, row, column)).long() + start


def _sequence(text_before: int, picture: Tensor, after: int, text_after: int) -> Tensor:
    """A text from 0 on, the picture, and a text from ``after`` on."""
    return torch.cat((_text(0, text_before), picture, _text(after, text_after)), dim=1)


def _going_on_at(after: int, text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """The right text and picture, and a second text from ``after`` on."""
    return _sequence(text_before, _picture(text_before, height, width), after, text_after)


# --- where the second text goes on --------------------------------------------------------------


@mistake(see=MULTIMODAL)
def text_after_all_patches(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the picture is right, but the text after it goes on as if every patch had taken a position.
    It goes on one after the largest position so far."""
    after = text_before + height * width
    return _going_on_at(after, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_at_the_largest(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture is one too early: it begins with the largest position so far, but
    a patch has that one already."""
    after = text_before + max(height, width) - 1
    return _going_on_at(after, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_a_gap(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture is one too late: a position is left out. (The patches are counted
    from 0, so the largest is one less than their number in a row or column.)"""
    after = text_before + max(height, width) + 1
    return _going_on_at(after, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_the_height(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """right for pictures that are not wider than high. The text after them goes on after the
    largest position so far, and that may be a column's."""
    return _going_on_at(text_before + height, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_the_width(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """right for pictures that are not higher than wide. The text after them goes on after the
    largest position so far, and that may be a row's."""
    return _going_on_at(text_before + width, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_the_sum(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture is too late: you add rows and columns. They are counted side by
    side, and it goes on after the largest position so far."""
    return _going_on_at(text_before + height + width, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_one_step(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture goes on as if that were a single token. True for its time, but
    some patches have larger positions, and those would be met again."""
    return _going_on_at(text_before + 1, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def picture_takes_no_position(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after goes on where the one before has stopped, as if there were no picture: the two
    share their positions."""
    return _going_on_at(text_before, text_before, height, width, text_after)


@mistake(see=MULTIMODAL)
def text_after_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture starts again at 0. It goes on: all three are one sequence."""
    return _going_on_at(0, text_before, height, width, text_after)


# --- the picture's time -------------------------------------------------------------------------


@mistake(see=MULTIMODAL)
def ordinary_positions(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """all three positions of a token are its place in the sequence. That is right for text; a patch
    has a row and a column."""
    return _text(0, text_before + height * width + text_after)


@mistake(see=MULTIMODAL)
def time_counts_on(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """rows and columns are right, but time goes on from patch to patch. A picture is one moment:
    all of its patches have the same time."""
    picture = _picture(text_before, height, width)
    picture[0] += torch.arange(height * width)
    return _sequence(text_before, picture, text_before + height * width, text_after)


@mistake(see=MULTIMODAL)
def time_alone_counts_on(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """all is right but the picture's time, which goes on from patch to patch. A picture is one
    moment: all of its patches have the same time."""
    positions = my_positions(text_before, height, width, text_after)
    positions[0, text_before:][: height * width] += torch.arange(height * width)
    return positions


# --- the picture's start ------------------------------------------------------------------------


@mistake(see=MULTIMODAL)
def grid_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your rows and columns start at 0. They start where the picture does: the first patch has
    three equal positions, one after the text."""
    picture = _picture(0, height, width)
    picture[0] = text_before
    after = text_before + max(height, width)
    return _sequence(text_before, picture, after, text_after)


@mistake(see=MULTIMODAL)
def grid_from_0_and_text_after_it(
    text_before: int, height: int, width: int, text_after: int
) -> Tensor:
    """your rows and columns start at 0, and so the text after them comes too early as well. They
    start where the picture does, one after the text."""
    picture = _picture(0, height, width)
    picture[0] = text_before
    after = max(text_before + 1, height, width)
    return _sequence(text_before, picture, after, text_after)


@mistake(see=MULTIMODAL)
def picture_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your picture starts again at 0, in time, too. It goes on where the text has stopped: all
    three are one sequence."""
    after = text_before + max(height, width)
    return _sequence(text_before, _picture(0, height, width), after, text_after)


# --- which is which -----------------------------------------------------------------------------


@mistake(see=MULTIMODAL)
def row_and_column_exchanged(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """rows and columns are exchanged: of the three positions the second is the row's, the third the
    column's."""
    return my_positions(text_before, height, width, text_after)[[0, 2, 1]]


@mistake(see=MULTIMODAL)
def time_last(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the right numbers, but time comes last. It is the first of the three, then height and
    width."""
    return my_positions(text_before, height, width, text_after)[[1, 2, 0]]


@mistake(see=MULTIMODAL)
def width_first(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the right numbers in the opposite order: time comes first, then height, then width."""
    return my_positions(text_before, height, width, text_after).flip(0)


@mistake(see=MULTIMODAL)
def down_the_columns(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your patches go down the first column before the second begins. A picture is read row by
    row."""
    column, row = column_by_column(height, width)
    picture = torch.stack((0 * row, row, column)).long() + text_before
    after = text_before + max(height, width)
    return _sequence(text_before, picture, after, text_after)


@mistake(see=MULTIMODAL)
def sizes_exchanged(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """right for square pictures. In others your columns go as far as the rows should: a row ends
    after as many patches as the picture is wide, not high."""
    return my_positions(text_before, width, height, text_after)


# --- the text -----------------------------------------------------------------------------------


@mistake(see=MULTIMODAL)
def text_has_time_alone(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the picture is right, but your text has no height and width. All three positions of its
    tokens are equal, so that it is turned as by ordinary RoPE."""
    positions = my_positions(text_before, height, width, text_after)
    positions[1:, :text_before] = 0
    positions[1:, text_before + height * width :] = 0
    return positions


@mistake(see=MULTIMODAL)
def counted_from_1(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """every number is one too large: the first token has the position 0."""
    return my_positions(text_before, height, width, text_after) + 1


# --- the shape ----------------------------------------------------------------------------------


@mistake(see=MULTIMODAL)
def token_by_token(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the right numbers, lying on their side: one row each for time, height and width, and a column
    for every token."""
    return my_positions(text_before, height, width, text_after).T


@mistake(see=MULTIMODAL)
def merged_again(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your picture has too few tokens: four patches make one, but that has been done. Height and
    width are those of the merged picture."""
    return my_positions(text_before, height // 2, width // 2, text_after)

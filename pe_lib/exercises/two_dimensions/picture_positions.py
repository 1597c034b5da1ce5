"""Exercise: the three positions of every token, with a picture between two texts."""

import torch
from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.two_dimensions._common import LINE, MULTIMODAL
from pe_lib.exercises.two_dimensions._grids import (
    Grid,
    column_by_the_height,
    row_by_the_height,
    wrong_grids,
)
from pe_lib.exercises.two_dimensions._text_after import (
    going_on_at,
    picture_at,
    sequence,
    text,
    wrong_starts,
)

exercise = Exercise(
    call(2, 2, 3, 2),
    call(0, 3, 5, 4),
    call(4, 1, 7, 3),
    call(3, 7, 1, 2),
    call(5, 9, 2, 0),
    call(1, 4, 4, 1),
    call(6000, 3, 5, 3),
)


@exercise.answer
def my_positions(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    after = text_before + max(height, width)
    return going_on_at(after, text_before, height, width, text_after).long()


def _at(grid: Grid, text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """Patches elsewhere between the right texts."""
    picture = picture_at(text_before, height, width, grid)
    return sequence(text_before, picture, text_before + max(height, width), text_after)


def _at_and_on(grid: Grid, text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """Patches elsewhere, and the text after their largest position."""
    picture = picture_at(text_before, height, width, grid)
    return sequence(text_before, picture, int(picture.max()) + 1, text_after)


def _with_time(time: int, text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """Right but for the picture's time, which stands still here."""
    positions = my_positions(text_before, height, width, text_after)
    positions[0, text_before:][: height * width] = time
    return positions


# --- the picture's time -------------------------------------------------------------------------


@exercise.mistake(see=MULTIMODAL)
def ordinary_positions(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """all three positions of a token are its place in the sequence. That is right for text; a patch
    has a row and a column."""
    return text(0, text_before + height * width + text_after)


@exercise.mistake(see=MULTIMODAL)
def time_counts_on(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """rows and columns are right, but time continues from patch to patch. A picture is one moment:
    all of its patches have the same time."""
    picture = picture_at(text_before, height, width)
    picture[0] += torch.arange(height * width)
    return sequence(text_before, picture, text_before + height * width, text_after)


@exercise.mistake(see=MULTIMODAL)
def time_alone_counts_on(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """everything is right except the picture's time, which continues from patch to patch. A picture
    is one moment: all of its patches have the same time."""
    positions = my_positions(text_before, height, width, text_after)
    positions[0, text_before:][: height * width] += torch.arange(height * width)
    return positions


@exercise.mistake(see=MULTIMODAL)
def time_at_the_last_word(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """rows and columns are right, but the picture's time is one too early, at the last word. The
    first patch should have three equal positions, one after the text."""
    return _with_time(text_before - 1, text_before, height, width, text_after)


@exercise.mistake(see=MULTIMODAL)
def time_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """rows and columns are right, and all patches have the same time, but it is 0. The first patch
    should have three equal positions, one after the text."""
    return _with_time(0, text_before, height, width, text_after)


# --- the picture's start ------------------------------------------------------------------------


@exercise.mistake(see=MULTIMODAL)
def grid_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your rows and columns start at 0. They start where the picture does: the first patch has
    three equal positions, one after the text."""
    picture = picture_at(0, height, width)
    picture[0] = text_before
    after = text_before + max(height, width)
    return sequence(text_before, picture, after, text_after)


@exercise.mistake(see=MULTIMODAL)
def grid_from_0_and_text_after_it(
    text_before: int, height: int, width: int, text_after: int
) -> Tensor:
    """your rows and columns start at 0, and so the text after them comes too early as well. They
    start where the picture does, one after the text."""
    picture = picture_at(0, height, width)
    picture[0] = text_before
    after = max(text_before + 1, height, width)
    return sequence(text_before, picture, after, text_after)


@exercise.mistake(see=MULTIMODAL)
def picture_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your picture starts again at 0, and so does its time. It should continue where the text
    stopped, because all three parts are one sequence."""
    after = text_before + max(height, width)
    return sequence(text_before, picture_at(0, height, width), after, text_after)


@exercise.mistake(see=MULTIMODAL)
def picture_at_the_last_word(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your picture begins at the position of the last word, so the whole picture is one too early,
    and so is the text after it. It should begin one after the text."""
    picture = picture_at(text_before - 1, height, width)
    return sequence(text_before, picture, text_before - 1 + max(height, width), text_after)


@exercise.mistake(see=MULTIMODAL)
def picture_alone_at_the_last_word(
    text_before: int, height: int, width: int, text_after: int
) -> Tensor:
    """both texts are right, but your picture begins at the position of the last word, one too
    early. It begins one after the text."""
    picture = picture_at(text_before - 1, height, width)
    return sequence(text_before, picture, text_before + max(height, width), text_after)


@exercise.mistake(see=MULTIMODAL)
def picture_after_a_gap(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your picture begins one too late, and so does the text after it: a position is left out. (The
    words are counted from 0, so the last has a position one less than their number.)"""
    picture = picture_at(text_before + 1, height, width)
    return sequence(text_before, picture, text_before + 1 + max(height, width), text_after)


# --- which is which -----------------------------------------------------------------------------


@exercise.mistake(see=MULTIMODAL)
def row_and_column_exchanged(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """rows and columns are exchanged: the second of the three positions should be the row, and the
    third the column."""
    return my_positions(text_before, height, width, text_after)[[0, 2, 1]]


@exercise.mistake(see=MULTIMODAL)
def time_last(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the right numbers, but time comes last. It is the first of the three, then height and
    width."""
    return my_positions(text_before, height, width, text_after)[[1, 2, 0]]


@exercise.mistake(see=MULTIMODAL)
def width_first(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the right numbers in the opposite order: time comes first, then height, then width."""
    return my_positions(text_before, height, width, text_after).flip(0)


exercise.take(wrong_grids, within=_at)


@exercise.mistake(see=LINE)
def row_by_the_height_and_text_after_it(
    text_before: int, height: int, width: int, text_after: int
) -> Tensor:
    """right for square pictures. In others, the column is right but the row is not: a new row
    begins when the width is reached, not the height."""
    return _at_and_on(row_by_the_height, text_before, height, width, text_after)


@exercise.mistake(see=LINE)
def column_by_the_height_and_text_after_it(
    text_before: int, height: int, width: int, text_after: int
) -> Tensor:
    """right for square pictures. In others, the row is right but the column is not: it should start
    again when the width is reached, not the height."""
    return _at_and_on(column_by_the_height, text_before, height, width, text_after)


# --- the text -----------------------------------------------------------------------------------


exercise.take(wrong_starts)


@exercise.mistake(see=MULTIMODAL)
def text_has_time_alone(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the picture is right, but the height and width of your text stay at 0. All three positions of
    a text token should be equal, so that it is rotated as by ordinary RoPE."""
    positions = my_positions(text_before, height, width, text_after)
    positions[1:, :text_before] = 0
    positions[1:, text_before + height * width :] = 0
    return positions


@exercise.mistake(see=MULTIMODAL)
def each_goes_on_by_itself(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """in the text after the picture your time, height and width differ: each continues on its own.
    All three go on after the largest of all."""
    positions = my_positions(text_before, height, width, text_after)
    longest = max(height, width)
    positions[:, text_before + height * width :] += torch.tensor([[1], [height], [width]]) - longest
    return positions


@exercise.mistake(see=MULTIMODAL)
def counted_from_1(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """every number is one too large: the first token has the position 0."""
    return my_positions(text_before, height, width, text_after) + 1


# --- the shape ----------------------------------------------------------------------------------


@exercise.mistake(see=MULTIMODAL)
def token_by_token(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the numbers are right, but your result is transposed: it should have one row each for time,
    height and width, and a column for every token."""
    return my_positions(text_before, height, width, text_after).T


@exercise.mistake(see=MULTIMODAL)
def merged_again(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """your picture has too few tokens: you merge four patches into one, but that has already been
    done. Height and width are those of the merged picture."""
    return my_positions(text_before, height // 2, width // 2, text_after)

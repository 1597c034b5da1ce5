"""Mistakes in where a text continues after a picture that lies between two texts."""

import torch
from torch import Tensor

from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.two_dimensions._common import MULTIMODAL, patches
from pe_lib.exercises.two_dimensions._grids import Grid

wrong_starts = Mistakes()  # of the second text


def text(first: int, length: int) -> Tensor:
    return torch.arange(first, first + length).expand(3, -1)


def picture_at(start: int, height: int, width: int, grid: Grid = patches) -> Tensor:
    """Time, height and width of the patches."""
    column, row = grid(height, width)
    return torch.stack((0 * row, row, column)) + start


def sequence(text_before: int, picture: Tensor, after: int, text_after: int) -> Tensor:
    """A text from 0 on, the picture, and a text from ``after`` on."""
    return torch.cat((text(0, text_before), picture, text(after, text_after)), dim=1)


def going_on_at(after: int, text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """The right text and picture, and a second text from ``after`` on."""
    return sequence(text_before, picture_at(text_before, height, width), after, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_all_patches(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the picture is right, but the text after it continues as if every patch had taken a position.
    It continues one after the largest position so far."""
    after = text_before + height * width
    return going_on_at(after, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_at_the_largest(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture begins one position too early: it begins at the largest position
    so far, which a patch already has."""
    after = text_before + max(height, width) - 1
    return going_on_at(after, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_a_gap(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture begins one too late: a position is left out. (Patches are counted
    from 0, so the largest row or column is one less than the number of rows or columns.)"""
    after = text_before + max(height, width) + 1
    return going_on_at(after, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_the_height(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """right for pictures that are not wider than high. The text after them should continue after
    the largest position so far, and that may be the position of a column."""
    return going_on_at(text_before + height, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_the_width(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """right for pictures that are not higher than wide. The text after them should continue after
    the largest position so far, and that may be the position of a row."""
    return going_on_at(text_before + width, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_the_sum(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture begins too late: you add rows and columns. They are counted
    separately, and the text should continue after the largest position so far."""
    return going_on_at(text_before + height + width, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_one_step(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture continues as if that were a single token. That is true for its
    time, but some patches have larger positions, which would be used again."""
    return going_on_at(text_before + 1, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def picture_takes_no_position(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture continues where the text before it stopped, as if there were no
    picture. So the picture and this text share positions."""
    return going_on_at(text_before, text_before, height, width, text_after)


@wrong_starts.mistake(see=MULTIMODAL)
def text_after_from_0(text_before: int, height: int, width: int, text_after: int) -> Tensor:
    """the text after the picture starts again at 0. It should continue, because all three parts are
    one sequence."""
    return going_on_at(0, text_before, height, width, text_after)

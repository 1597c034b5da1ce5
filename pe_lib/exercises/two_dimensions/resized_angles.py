"""Exercise: the angles of a picture that is cut into more patches, or fewer, than in training.

A score depends only on differences, so a constant shift on an axis would change no score. The task
fixes the shift, with the first patch at 0. The message for a shifted answer says that no score
would change.
"""

import math
from collections.abc import Callable

from torch import Tensor

from pe_lib.common.frequencies import inverse_frequencies
from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.mistakes import Mistakes
from pe_lib.exercises.two_dimensions._common import (
    RESOLUTION,
    SUM,
    axial,
    patches,
    side_by_side,
)
from pe_lib.exercises.two_dimensions._grids import Grid, wrong_grids

Size = tuple[int, int]
# Column and row of every patch, in patches of training.
Places = tuple[Tensor, Tensor]

wrong_places = Mistakes()

# Two patches and more on each side: where neighbours are apart is what it is about.
exercise = Exercise(
    call(4, 6, (2, 3), 8),
    call(3, 5, (3, 5), 12),
    call(2, 9, (6, 3), 16),
    call(5, 4, (4, 10), 8, theta=10000.0),
    call(28, 28, (14, 14), 16),
    call(40, 64, (14, 16), 32, 500.0),
)


@exercise.answer
def my_resized(height: int, width: int, trained: Size, dim: int, theta: float = 100.0) -> Tensor:
    return _on_the_trained_grid(patches, height, width, trained, dim, theta)


def _on_the_trained_grid(
    grid: Grid, height: int, width: int, trained: Size, dim: int, theta: float = 100.0
) -> Tensor:
    """The right factors, wherever the patches are."""
    x, y = grid(height, width)
    return axial(x * trained[1] / width, y * trained[0] / height, dim, theta)


def _at(
    places: Callable[[int, int, Size], Places],
    height: int,
    width: int,
    trained: Size,
    dim: int,
    theta: float = 100.0,
) -> Tensor:
    return axial(*places(height, width, trained), dim, theta)


def _scaled(height: int, width: int, row: float, column: float) -> Places:
    """Where neighbours are this far apart, rows and columns."""
    x, y = patches(height, width)
    return x * column, y * row


# --- the factor ---------------------------------------------------------------------------------


@wrong_places.mistake(see=RESOLUTION)
def continued(height: int, width: int, trained: Size) -> Places:
    """you count patches as they come, so two things in the picture are farther apart when it has
    more patches. They should be as far apart as in training."""
    return patches(height, width)


@wrong_places.mistake(see=RESOLUTION)
def factor_upside_down(height: int, width: int, trained: Size) -> Places:
    """your factor is upside down: with more patches than in training, patches are smaller, so
    neighbours should come closer."""
    return _scaled(height, width, height / trained[0], width / trained[1])


@wrong_places.mistake(see=RESOLUTION)
def shares_of_the_picture(height: int, width: int, trained: Size) -> Places:
    """your positions are shares of the picture, from 0 to 1. The model was trained with distances
    in patches: measure the shares in patches of training."""
    return _scaled(height, width, 1 / height, 1 / width)


@wrong_places.mistake(see=RESOLUTION)
def never_farther_apart(height: int, width: int, trained: Size) -> Places:
    """right for more patches than in training. With fewer patches, each patch is larger, so
    neighbours should be more than 1 apart."""
    row, column = min(trained[0] / height, 1), min(trained[1] / width, 1)
    return _scaled(height, width, row, column)


# --- rows and columns ---------------------------------------------------------------------------


@wrong_places.mistake(see=RESOLUTION)
def factors_exchanged(height: int, width: int, trained: Size) -> Places:
    """each factor is right, but on the wrong axis: the number of rows decides how far apart rows
    are, and the number of columns does the same for columns."""
    return _scaled(height, width, trained[1] / width, trained[0] / height)


@wrong_places.mistake(see=RESOLUTION)
def trained_as_columns_and_rows(height: int, width: int, trained: Size) -> Places:
    """you read the trained grid as columns and rows. Its first number is the number of rows."""
    return _scaled(height, width, trained[1] / height, trained[0] / width)


@wrong_places.mistake(see=RESOLUTION)
def sizes_exchanged(height: int, width: int, trained: Size) -> Places:
    """you compare the trained rows with the new columns, and the trained columns with the new rows:
    the two new sizes are exchanged."""
    return _scaled(height, width, trained[0] / width, trained[1] / height)


@wrong_places.mistake(see=RESOLUTION)
def factor_of_the_rows_for_both(height: int, width: int, trained: Size) -> Places:
    """right if both sides have grown by the same factor. You use the factor of the rows for your
    columns too, but each axis has its own."""
    row = trained[0] / height
    return _scaled(height, width, row, row)


@wrong_places.mistake(see=RESOLUTION)
def factor_of_the_columns_for_both(height: int, width: int, trained: Size) -> Places:
    """right if both sides have grown by the same factor. You use the factor of the columns for your
    rows too, but each axis has its own."""
    column = trained[1] / width
    return _scaled(height, width, column, column)


@wrong_places.mistake(see=RESOLUTION)
def one_factor_from_the_number_of_patches(height: int, width: int, trained: Size) -> Places:
    """right if both sides have grown by the same factor. You make one factor for both from the
    number of all patches, but each axis has its own."""
    both = math.sqrt(math.prod(trained) / (height * width))
    return _scaled(height, width, both, both)


@exercise.mistake(see=SUM)
def row_first(height: int, width: int, trained: Size, dim: int, theta: float = 100.0) -> Tensor:
    """the distances are right, but the first half of your pairs turns with the row. The exercise
    asks for x, the column, first."""
    return my_resized(height, width, trained, dim, theta).roll(dim // 4, dims=-1)


# --- ends of the picture ------------------------------------------------------------------------


@wrong_places.mistake(see=RESOLUTION)
def last_patch_on_last_patch(height: int, width: int, trained: Size) -> Places:
    """you put the last patch at the position of the last patch of training. But patches have a
    width: two patches of half the size lie side by side on one patch of training."""
    row, column = (trained[0] - 1) / (height - 1), (trained[1] - 1) / (width - 1)
    return _scaled(height, width, row, column)


@wrong_places.mistake(see=RESOLUTION)
def last_patch_at_the_edge(height: int, width: int, trained: Size) -> Places:
    """your last patch begins where the picture ends. The picture is as wide as all of its patches,
    the last one too."""
    row, column = trained[0] / (height - 1), trained[1] / (width - 1)
    return _scaled(height, width, row, column)


@wrong_places.mistake(see=RESOLUTION)
def middles_of_the_patches(height: int, width: int, trained: Size) -> Places:
    """your positions are the middles of the patches. No score would change, because all are shifted
    alike. But the exercise asks you to have the first patch at 0."""
    x, y = patches(height, width)
    return (x + 0.5) * trained[1] / width, (y + 0.5) * trained[0] / height


@wrong_places.mistake(see=RESOLUTION)
def middles_on_middles(height: int, width: int, trained: Size) -> Places:
    """your positions are the middles of the patches, but those of training are whole numbers. No
    score would change, because all are shifted alike. But the exercise asks you to have the first
    patch at 0."""
    x, y = patches(height, width)
    row, column = trained[0] / height, trained[1] / width
    return (x + 0.5) * column - 0.5, (y + 0.5) * row - 0.5


# --- other ways to another length ---------------------------------------------------------------


@wrong_places.mistake(see=RESOLUTION)
def rounded_down(height: int, width: int, trained: Size) -> Places:
    """you round positions down to whole patches of training, so in a finer picture neighbours
    get the same position. A rotation takes any real number."""
    x, y = patches(height, width)
    return x * trained[1] // width, y * trained[0] // height


@wrong_places.mistake(see=RESOLUTION)
def cut_at_the_trained_grid(height: int, width: int, trained: Size) -> Places:
    """all patches beyond the trained grid share its last row or column. The whole picture should
    lie on the trained grid, and not only its first part."""
    x, y = patches(height, width)
    return x.clamp(max=trained[1] - 1), y.clamp(max=trained[0] - 1)


@exercise.mistake(see=RESOLUTION)
def theta_stretched(
    height: int, width: int, trained: Size, dim: int, theta: float = 100.0
) -> Tensor:
    """you stretch theta, as NTK-aware scaling does: then the slowest pairs keep the picture's
    distances, but the fast ones barely do. Here all pairs should keep them."""
    axis = dim // 2
    of_y, of_x = (
        inverse_frequencies(axis, theta * (now / before) ** (axis / (axis - 2)))
        for now, before in zip((height, width), trained, strict=True)
    )
    return side_by_side(*patches(height, width), of_x, of_y)


# --- the patches --------------------------------------------------------------------------------


exercise.take(wrong_places, within=_at)
exercise.take(wrong_grids, within=_on_the_trained_grid)

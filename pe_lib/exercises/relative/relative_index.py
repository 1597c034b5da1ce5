"""Exercise: the row of a learned table for every query and key."""

from torch import Tensor

from pe_lib.exercises.calls import call
from pe_lib.exercises.checker import Exercise
from pe_lib.exercises.relative._common import CACHE, OFFSETS, from_the_start
from pe_lib.relative.indices import relative_position_index, relative_positions

exercise = Exercise(
    call(5, 5, 2),
    call(4, 4, 8),
    call(2, 7, 3),
    call(3, 5, 1),
    call(1, 6000, 128),
)


@exercise.answer
def my_index(q_len: int, k_len: int, max_distance: int) -> Tensor:
    return relative_position_index(q_len, k_len, max_distance=max_distance)


def _row(relative: Tensor, max_distance: int) -> Tensor:
    return relative.clamp(-max_distance, max_distance) + max_distance


# --- who is how far from whom -------------------------------------------------------------------


@exercise.mistake(see=OFFSETS)
def query_minus_key(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """you subtract the other way round: keys of the past should have the small numbers, keys
    ahead the large ones."""
    return _row(-relative_positions(q_len, k_len), max_distance)


@exercise.mistake(see=OFFSETS)
def distance_without_its_sign(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """a key two tokens back and a key two tokens ahead share a number: you take the distance
    without its sign. The table has a row for each of the two."""
    return _row(relative_positions(q_len, k_len).abs(), max_distance)


@exercise.mistake(see=OFFSETS)
def distance_without_sign_or_shift(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """your numbers grow to both sides of a query: you take the distance without its sign, so half
    of the table is never used."""
    return relative_positions(q_len, k_len).abs().clamp(max=max_distance)


@exercise.mistake(see=OFFSETS)
def transposed(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """your matrix is transposed: it should have one row for each query and one column for each
    key."""
    return my_index(q_len, k_len, max_distance).T


@exercise.mistake(see=CACHE)
def aligned_at_the_start(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """right if there are as many queries as keys. If there are fewer queries, you treat them as the
    first tokens of the text, but they are its last ones."""
    return _row(from_the_start(q_len, k_len), max_distance)


@exercise.mistake(see=CACHE)
def moved_the_wrong_way(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """if there are fewer queries than keys, you move your queries in the wrong direction: they are
    before the text instead of at its end."""
    return _row(from_the_start(q_len, k_len) + k_len - q_len, max_distance)


# --- clip and shift -----------------------------------------------------------------------------


@exercise.mistake(see=OFFSETS)
def not_clipped(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """right for keys that are near. Those farther away than the largest distance leave the table:
    nothing stops your numbers at its ends."""
    return relative_positions(q_len, k_len) + max_distance


@exercise.mistake(see=OFFSETS)
def not_shifted(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """your distances are right and clipped, but half of them are negative. A table's rows are
    counted from 0 (and a negative row is read from the table's end, without an error)."""
    return relative_positions(q_len, k_len).clamp(-max_distance, max_distance)


@exercise.mistake(see=OFFSETS)
def neither_clipped_nor_shifted(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """these are the distances themselves. The rows of a table start at 0, and they come to an
    end: two more steps are needed."""
    return relative_positions(q_len, k_len)


@exercise.mistake(see=OFFSETS)
def clipped_after_the_shift(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """you shift the distances first, and then clip them to the bounds that they had before the
    shift. So keys ahead all share one row, and the far past goes below 0."""
    return (relative_positions(q_len, k_len) + max_distance).clamp(-max_distance, max_distance)


@exercise.mistake(see=OFFSETS)
def keys_ahead_all_alike(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """the past is right, but all keys ahead share the row of the query's own position. This table
    looks both ways."""
    return relative_positions(q_len, k_len).clamp(-max_distance, 0) + max_distance


@exercise.mistake(see=OFFSETS)
def largest_distance_lost(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """your table has two rows too few: the largest distance itself should still be told apart
    from the one before it, on both sides."""
    return _row(relative_positions(q_len, k_len), max_distance - 1)


@exercise.mistake(see=OFFSETS)
def last_row_lost(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """your table has an even number of rows. There are as many ahead as behind, and one more for
    the query's own position."""
    relative = relative_positions(q_len, k_len)
    return relative.clamp(-max_distance, max_distance - 1) + max_distance


@exercise.mistake(see=OFFSETS)
def counted_from_1(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """every number is one too large: the first row of a table is row 0."""
    return my_index(q_len, k_len, max_distance) + 1


@exercise.mistake(see=OFFSETS)
def shifted_by_the_length(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """you shift by the length of the text. The shift belongs to the table: it is the same for
    every length."""
    return relative_positions(q_len, k_len).clamp(-max_distance, max_distance) + k_len - 1


@exercise.mistake(see=OFFSETS)
def wrapped_round(q_len: int, k_len: int, max_distance: int) -> Tensor:
    """a number that leaves the table at one end comes back in at the other, as a remainder does.
    All keys that are too far away should share the row at their own end."""
    return (relative_positions(q_len, k_len) + max_distance) % (2 * max_distance + 1)
